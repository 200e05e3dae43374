/**
 * `POST /auth/tokens/report` (contract/machine-credentials.md#report-of-leaked-tokens), for secret scanners above all.
 * Without authentication: possession of the token is the proof. Not shared with other origins.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ReportedToken, TokenReports } from '../domain/machine-tokens/report-leaks.ts';
import { addressOf } from '../http-kit/authenticate-request.ts';
import { consumeNetworkPermits } from '../http-kit/rate-limit-headers.ts';
import type { BodyBudget } from '../http-kit/request-bodies.ts';
import { isReadableJson, takeTexts } from '../http-kit/request-content.ts';
import { parseJson } from '../kernel/attempts.ts';
import { Refusal } from '../kernel/errors.ts';
import { rateLimits } from '../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../platform/rate-limit/rate-limits.ts';

interface TokenReportDeps {
  readonly reports: Pick<TokenReports, 'accept'>;
  readonly limits: RateLimits;
  /** Memory budget for bodies. */
  readonly bodies: BodyBudget;
}

const url = '/auth/tokens/report';

const maxBytes = 1024 * 1024;
const maxTokens = 1000;

/** The share of reports in the memory for bodies. */
export const maxBytesOfReports = 16 * maxBytes;

export const mountTokenReport = async (app: FastifyInstance, deps: TokenReportDeps): Promise<void> => {
  await app.register(async (scope) => {
    takeTexts(scope, deps.bodies, maxBytes);
    // Before the body, which costs more than the permit.
    scope.addHook('onRequest', (request, reply) =>
      consumeNetworkPermits(
        { ...deps, request, reply },
        { network: rateLimits.tokenReport, site: rateLimits.tokenReportOfSite },
      ),
    );
    scope.post(url, async (request, reply) => {
      await deps.reports.accept(tokensIn(request), addressOf(request));
      return reply.header('cache-control', 'no-store').status(202).send();
    });
  });
};

/** @throws Refusal BAD_USER_INPUT: the body is malformed, or has too many tokens */
const tokensIn = ({ headers, body }: FastifyRequest): readonly ReportedToken[] => {
  if (!isReadableJson(headers['content-type'], headers['content-encoding'])) {
    throw malformed('The body must be application/json.');
  }
  const parsed = typeof body === 'string' ? parseJson(body) : undefined;
  if (parsed === undefined) throw malformed('The body is not JSON.');
  const list = listIn(parsed);
  if (list === null) throw malformed('The body must be a list of tokens, or {"credentials":[…]}.');
  if (list.length > maxTokens) throw malformed(`At most ${maxTokens} tokens can be reported at once.`);
  return list.map(readToken);
};

const listIn = (value: unknown): readonly unknown[] | null => {
  const list = isObject(value) && !Array.isArray(value) ? value['credentials'] : value;
  return Array.isArray(list) ? list : null;
};

const readToken = (value: unknown): ReportedToken => {
  if (!isObject(value) || typeof value['token'] !== 'string') {
    throw malformed('Each reported token must be an object with the text "token".');
  }
  optionalText(value, 'type');
  return { token: value['token'], url: optionalText(value, 'url'), source: optionalText(value, 'source') };
};

/** Empty when it is absent or null. */
const optionalText = (value: Readonly<Record<string, unknown>>, name: 'type' | 'url' | 'source'): string => {
  const text = value[name] ?? '';
  if (typeof text !== 'string') throw malformed(`"${name}" of a reported token must be a text.`);
  return text;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const malformed = (message: string): Refusal => new Refusal('BAD_USER_INPUT', message);
