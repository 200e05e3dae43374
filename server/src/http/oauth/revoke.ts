/** `POST /auth/mcp/revoke`: a client gives back a token (RFC 7009; contract, "OAuth for MCP"). */
import type { FastifyInstance } from 'fastify';
import { revokeToken, type TokenRevocationDeps } from '../../domain/oauth/revoke-token.ts';
import { rateLimits } from '../../platform/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import { takeTurnOfNetwork } from '../../web/rate-limit-headers.ts';
import { answerFailures, unstored } from './answers.ts';
import { readForm, readRequired, requireFormOfPublicClient } from './parameters.ts';
import { shareWithEveryOrigin } from './sharing.ts';

const url = '/auth/mcp/revoke';

export interface RevokeDeps extends TokenRevocationDeps {
  readonly limits: RateLimits;
}

/** `token_type_hint` is not read: a token says itself what it is. */
export const mountRevoke = (scope: FastifyInstance, deps: RevokeDeps): void => {
  shareWithEveryOrigin(scope, [url], 'POST, OPTIONS');
  answerFailures(scope, 'invalid_request');
  scope.post(url, async (request, reply) => {
    await takeTurnOfNetwork({ ...deps, request, reply }, rateLimits.oauthRevocation);
    const form = requireFormOfPublicClient(request, readForm(request));
    const token = readRequired(form, 'token');
    await revokeToken(deps, { clientId: readRequired(form, 'client_id'), token });
    return unstored(reply).status(200).send();
  });
};
