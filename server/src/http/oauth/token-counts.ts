/** Counts what is asked of the token endpoint and what comes of it, in words of closed lists alone. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { OAuthRefusal } from '../../domain/oauth/oauth-refusal.ts';
import type { Counts } from '../../platform/metrics.ts';
import { refusalOf } from '../../web/refusal-of.ts';
import { readForm } from './parameters.ts';

type TokenTallies = Pick<Counts, 'tokenRequests'>;

/** @param counts null where nobody reads them */
export const countTokenRequests = (scope: FastifyInstance, counts: TokenTallies | null): void => {
  if (counts === null) return;
  const count = (request: FastifyRequest, outcome: string): void => {
    counts.tokenRequests.at(grantOf(request), outcome).value += 1;
  };
  scope.addHook('onError', async (request, _reply, error) => count(request, outcomeOf(error)));
  // Whatever is refused here is thrown, and counted above.
  scope.addHook('onResponse', async (request, { statusCode }) => {
    if (request.method === 'POST' && statusCode === 200) count(request, 'OK');
  });
};

const grants: ReadonlySet<string> = new Set(['authorization_code', 'refresh_token']);

const grantOf = (request: FastifyRequest): string => {
  const named = readForm(request)?.get('grant_type')?.[0] ?? '';
  return grants.has(named) ? named : 'unknown';
};

const outcomeOf = (error: Error & { readonly statusCode?: number }): string => {
  if (error instanceof OAuthRefusal) return error.error;
  const unreadable = error.statusCode !== undefined && error.statusCode < 500;
  return refusalOf(error)?.code ?? (unreadable ? 'invalid_request' : 'server_error');
};
