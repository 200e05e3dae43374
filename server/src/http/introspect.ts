/**
 * `POST /auth/introspect` (RFC 7662; contract/credentials.md#introspection): resource servers of the application ask
 * what an access token grants now. Not shared with other origins: RESOURCE_SECRET_NAME belongs in no page.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { type IntrospectionDeps, introspectTokens } from '../domain/access/introspect-tokens.ts';
import type { Application, Resource } from '../domain/scopes/application.ts';
import { consumeNetworkPermit } from '../http-kit/rate-limit-headers.ts';
import type { BodyBudget } from '../http-kit/request-bodies.ts';
import { isReadableJson, onlyValue, readForm, takeTexts } from '../http-kit/request-content.ts';
import { parseJson } from '../kernel/attempts.ts';
import { Refusal } from '../kernel/errors.ts';
import { storableAddress } from '../kernel/network.ts';
import { isSameSecret } from '../kernel/secrets.ts';
import { rateLimits } from '../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../platform/rate-limit/rate-limits.ts';
import { unknownClient } from './identity-question.ts';
import { answerFailures, unstored } from './oauth/responses.ts';

interface IntrospectDeps extends IntrospectionDeps {
  readonly application: Application;
  readonly limits: RateLimits;
  /** Memory budget for bodies. */
  readonly bodies: BodyBudget;
  readonly settings: Pick<Config, 'resourceSecrets'>;
}

const url = '/auth/introspect';

/** A hundred tokens take 6 KB. */
const maxBytes = 64 * 1024;
const maxTokens = 100;

const decorator = 'resourceThatAsks';

export const mountIntrospect = async (app: FastifyInstance, deps: IntrospectDeps): Promise<void> => {
  await app.register(async (scope) => {
    takeTexts(scope, deps.bodies, maxBytes);
    answerFailures(scope, 'invalid_request');
    scope.decorateRequest(decorator, null);
    // Before the body, which only a resource may send.
    scope.addHook('onRequest', async (request, reply) => {
      request.setDecorator<Resource>(decorator, await authenticateResource(deps, request, reply));
    });
    scope.post(url, async (request, reply) => {
      const { tokens, client, isList } = questionIn(request);
      const answers = await introspectTokens(deps, request.getDecorator<Resource>(decorator), tokens, client);
      return unstored(reply).send(isList ? answers : answers[0]);
    });
  });
};

// The resource that asks (RFC 7617).

/**
 * @throws Refusal invalid_client: name or secret is wrong; RATE_LIMITED: the network has presented too many of them
 * @throws DatabaseUnavailable when the permit cannot be counted
 */
const authenticateResource = async (
  deps: IntrospectDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Resource> => {
  const { name, secret } = basicOf(request.headers.authorization);
  const resource = deps.application.resources.find((each) => each.name === name);
  const known = deps.settings.resourceSecrets.get(name) ?? [];
  // An unknown name is compared too, so that it takes as long as a wrong secret.
  const matches = (known.length === 0 ? [unknownSecret] : known).map((each) => isSameSecret(each, secret));
  if (resource !== undefined && known.length > 0 && matches.includes(true)) return resource;
  reply.header('www-authenticate', 'Basic realm="gatehouse"');
  await consumeNetworkPermit({ ...deps, request, reply }, rateLimits.introspectionRefused);
  throw new Refusal('invalid_client', 'The name or the secret of the resource is wrong.', { rule: null });
};

/** Compared with, never accepted. */
const unknownSecret = 'a resource without a secret may not ask';

/** Name and secret as they stand, without form encoding; empty ones for a header of any other shape. */
const basicOf = (authorization = ''): { readonly name: string; readonly secret: string } => {
  const encoded = /^Basic +([A-Za-z0-9+/_=-]+) *$/i.exec(authorization)?.[1] ?? '';
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const end = text.indexOf(':');
  return end < 0 ? { name: '', secret: '' } : { name: text.slice(0, end), secret: text.slice(end + 1) };
};

// The tokens that it asks about.

interface Question {
  readonly tokens: readonly string[];
  /** The address of the client that presented them, `client_ip`; null where the resource does not name it. */
  readonly client: string | null;
  readonly isList: boolean;
}

/** @throws Refusal invalid_request: malformed, no token, too many, or a `client_ip` that is no address */
const questionIn = (request: FastifyRequest): Question => {
  const form = readForm(request);
  if (form !== null) {
    const token = onlyValue(form, 'token');
    if (token === null) throw malformed('The form must have one parameter token.');
    return {
      tokens: [token],
      client: form.has('client_ip') ? addressIn(onlyValue(form, 'client_ip')) : null,
      isList: false,
    };
  }
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  if (!isReadableJson(type, encoding)) {
    throw malformed('The body must be application/x-www-form-urlencoded or application/json.');
  }
  const { tokens, client_ip: client } = parsed(request.body);
  return { tokens: listedTokens(tokens), client: client === undefined ? null : addressIn(client), isList: true };
};

/** A text that is no address is refused: to leave it out would ask as though the resource did not know it. */
const addressIn = (given: unknown): string | null => {
  if (given === unknownClient) return null;
  const address = typeof given === 'string' ? storableAddress(given) : null;
  if (address === null) throw malformed('client_ip must be the address of the client, or "unknown".');
  return address;
};

const listedTokens = (tokens: unknown): readonly string[] => {
  if (!Array.isArray(tokens) || !tokens.every((token) => typeof token === 'string')) {
    throw malformed('The body must be {"tokens":[…]}, a list of texts.');
  }
  if (tokens.length > maxTokens) throw malformed(`At most ${maxTokens} tokens can be asked about at once.`);
  return tokens;
};

const parsed = (body: unknown): { readonly tokens?: unknown; readonly client_ip?: unknown } => {
  const value = typeof body === 'string' ? parseJson(body) : undefined;
  if (value === undefined) throw malformed('The body is not JSON.');
  return typeof value === 'object' && value !== null ? value : {};
};

const malformed = (message: string): Refusal => new Refusal('invalid_request', message, { rule: null });
