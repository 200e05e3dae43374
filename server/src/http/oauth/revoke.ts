/** `POST /auth/mcp/revoke`: a client gives back a token (RFC 7009; contract, "OAuth for MCP"). */
import type { FastifyInstance } from 'fastify';
import { revokeToken, type TokenRevocationDeps } from '../../domain/oauth/revoke-token.ts';
import { answerFailures, unstored } from './answers.ts';
import { readForm, readRequired, requireFormOfPublicClient } from './parameters.ts';
import { shareWithEveryOrigin } from './sharing.ts';

const url = '/auth/mcp/revoke';

/** `token_type_hint` is not read: a token says itself what it is. */
export const mountRevoke = (scope: FastifyInstance, deps: TokenRevocationDeps): void => {
  shareWithEveryOrigin(scope, [url], 'POST, OPTIONS');
  answerFailures(scope, 'invalid_request');
  scope.post(url, async (request, reply) => {
    const form = requireFormOfPublicClient(request, readForm(request));
    const token = readRequired(form, 'token');
    await revokeToken(deps, { clientId: readRequired(form, 'client_id'), token });
    return unstored(reply).status(200).send();
  });
};
