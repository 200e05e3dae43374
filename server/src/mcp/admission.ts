/**
 * Owns: `POST /mcp` and `POST /mcp/organization`: admission, messages and protocol versions, tool calls.
 * Promises: A request is refused in the order of the contract, and a tool call is answered only when its audit row is
 *   durable.
 *
 * The checks before the body is read (contract/platform-mcp.md#order-of-refusals). Identity comes from the
 * Authorization header only.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../domain/access/actor.ts';
import type { Authenticator } from '../domain/access/authenticate.ts';
import { doctorToken } from '../domain/client-onboarding/steps.ts';
import type { LastSeenRecorder } from '../domain/credentials/last-seen.ts';
import { addressOf, bearerOf } from '../http-kit/authenticate-request.ts';
import { recordStep, type StepDeps } from '../http-kit/connection-step.ts';
import { foreignAddress, ownHosts } from '../http-kit/origins.ts';
import { consumeNetworkPermit, limitsFor } from '../http-kit/rate-limit-headers.ts';
import { isReadableJson, takesJson } from '../http-kit/request-content.ts';
import { type ConnectionRule, Refusal } from '../kernel/errors.ts';
import { nameParty } from '../platform/observability/context.ts';
import { rateLimits } from '../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../platform/rate-limit/rate-limits.ts';
import type { Surface } from './surface.ts';

export interface AdmissionDeps extends StepDeps {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly lastSeen: LastSeenRecorder;
  readonly limits: RateLimits;
  readonly surface: Surface;
  readonly settings: {
    readonly baseUrl: string;
    readonly frontendUrl: string;
    readonly graphqlAudiences: readonly string[];
  };
}

/** An authenticated client. */
export interface Admitted {
  readonly actor: Actor;
  readonly clientId: string;
}

/** A request on its way through the checks. */
interface Arrival {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Null until the Bearer token is accepted. */
  admitted: Admitted | null;
}

type Check<Name extends string> = readonly [
  name: Name,
  run: (admission: Admission, arrival: Arrival) => void | Promise<void>,
];

const check = <Name extends string>(...named: Check<Name>): Check<Name> => named;

export class Admission {
  /**
   * The checks before the body is read, in order; the first that fails answers. The contract does not list that of the
   * accepted type, one of the media types, and the rate limit, which needs the session and protects the reading of
   * bodies.
   */
  static readonly checks = [
    check('host and origin', (admission, { request }) => admission.#requireOwnAddress(request)),
    check('bearer', async (admission, arrival) => {
      arrival.admitted = await admission.authenticate(arrival.request, arrival.reply);
    }),
    check('method', (admission, { request, reply }) => admission.#requirePost(request, reply)),
    check('media type', (admission, arrival) => admission.#requireJsonBody(arrival)),
    check('accepted type', (admission, arrival) => admission.#requireJsonAccepted(arrival)),
    check('rate limit', (admission, arrival) => admission.#consumePermit(arrival)),
  ] as const;

  readonly #deps: AdmissionDeps;
  readonly #hosts: ReadonlySet<string>;
  readonly #metadata: string;

  constructor(deps: AdmissionDeps) {
    const { settings, surface } = deps;
    this.#deps = deps;
    this.#hosts = ownHosts(settings.baseUrl);
    // RFC 9728, section 5.1.
    this.#metadata = `resource_metadata="${settings.baseUrl}/.well-known/oauth-protected-resource${surface.path}"`;
  }

  /** The challenge for a call that needs further scopes (RFC 6750, section 3.1). @param scopes granted and needed */
  challengeFor(scopes: readonly string[]): string {
    return withScope(scopes, (scope) => `Bearer error="insufficient_scope"${scope}, ${this.#metadata}`);
  }

  /**
   * @throws Refusal ORIGIN_REFUSED, UNAUTHENTICATED, BAD_USER_INPUT, RATE_LIMITED
   * @throws DatabaseUnavailable when the token cannot be looked up
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<Admitted> {
    const arrival: Arrival = { request, reply, admitted: null };
    for (const [, run] of Admission.checks) await run(this, arrival);
    return admittedOf(arrival);
  }

  /**
   * @throws Refusal UNAUTHENTICATED: with the challenge of RFC 9728 in the headers of the reply
   * @throws Refusal RATE_LIMITED: the network has presented too many tokens that are not accepted
   */
  async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Admitted> {
    const token = bearerOf(request);
    if (token === null) throw this.#unauthenticated(request, reply, { isTokenGiven: false, rule: null });
    try {
      const actor = await this.#deps.authenticator.authenticate(token, [this.#deps.surface.audience]);
      nameParty({ person: actor.user.id, organization: actor.membership?.organization.id ?? null });
      this.#deps.lastSeen.note(actor.credential.id, addressOf(request));
      const { clientId } = actor.credential;
      if (clientId === null) throw new Error('A credential of an MCP client names no client');
      return { actor, clientId };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await consumeNetworkPermit({ ...this.#deps, request, reply }, rateLimits.mcpRefused);
      throw this.#unauthenticated(request, reply, { isTokenGiven: true, rule: await this.#ruleFor(token) });
    }
  }

  #requireOwnAddress(request: FastifyRequest): void {
    const { settings } = this.#deps;
    const foreign = foreignAddress(request, this.#hosts, settings);
    if (foreign === null) return;
    recordStep(this.#deps, request, 'challenge', null, { rule: 'host_or_origin', detail: foreign });
    throw new Refusal('ORIGIN_REFUSED', 'This request names another host, or comes from a page of another origin.');
  }

  #requireJsonBody(arrival: Arrival): void {
    const { 'content-type': type, 'content-encoding': encoding } = arrival.request.headers;
    if (!isReadableJson(type, encoding)) throw this.#wrongMediaType(arrival, 415);
  }

  #requireJsonAccepted(arrival: Arrival): void {
    if (!takesJson(arrival.request.headers.accept)) throw this.#wrongMediaType(arrival, 406);
  }

  #wrongMediaType(arrival: Arrival, status: keyof typeof mediaTypeReasons): Refusal {
    const { clientId } = admittedOf(arrival);
    recordStep(this.#deps, arrival.request, 'call', clientId, { rule: 'message_malformed', detail: null });
    return new Refusal('BAD_USER_INPUT', mediaTypeReasons[status], { status });
  }

  async #consumePermit(arrival: Arrival): Promise<void> {
    const { actor, clientId } = admittedOf(arrival);
    try {
      await limitsFor(arrival.reply, this.#deps.limits).consume(rateLimits.mcp, actor.credential.sessionFamilyId);
    } catch (error) {
      if (error instanceof Refusal)
        recordStep(this.#deps, arrival.request, 'call', clientId, { rule: 'rate_limited', detail: null });
      throw error;
    }
  }

  /** @param rule null for a request without a token, with which every client begins */
  #unauthenticated(
    request: FastifyRequest,
    reply: FastifyReply,
    { isTokenGiven, rule }: { readonly isTokenGiven: boolean; readonly rule: ConnectionRule | null },
  ): Refusal {
    recordStep(this.#deps, request, 'challenge', null, rule === null ? null : { rule, detail: null });
    const { scopes, name } = this.#deps.surface;
    const error = isTokenGiven ? ', error="invalid_token"' : '';
    const challenge = withScope(scopes, (scope) => `Bearer ${this.#metadata}${error}${scope}`);
    const message = isTokenGiven
      ? `This access token is not accepted: it is unknown, expired, revoked, or not for ${inSentence(name)}.`
      : `${name} needs its own access token. The header www-authenticate says where to get one.`;
    reply.header('www-authenticate', challenge);
    return new Refusal('UNAUTHENTICATED', message);
  }

  /** Older clients legitimately request a stream by GET: it is refused, but not recorded against them. */
  #requirePost({ method }: FastifyRequest, reply: FastifyReply): void {
    if (method === 'POST') return;
    reply.header('allow', 'POST');
    throw new Refusal('BAD_USER_INPUT', `${this.#deps.surface.name} supports only POST.`, { status: 405 });
  }

  /** For the connection log only: detects a token of another surface that was given to a client by mistake. */
  async #ruleFor(token: string): Promise<ConnectionRule | null> {
    if (token === doctorToken) return null;
    try {
      await this.#deps.authenticator.authenticate(token, this.#deps.settings.graphqlAudiences);
      return 'portal_token';
    } catch (error) {
      if (error instanceof Refusal) return 'token_not_accepted';
      throw error;
    }
  }
}

/** In bytes, all ASCII: with the other headers of a reply less than the 4 KB that proxies let through. */
const maxChallengeLength = 2048;

/**
 * A challenge that names the scopes if it is short enough. The parameter is optional (RFC 6750, section 3): a client
 * then asks for all in the metadata, and for fewer than it was granted by a shortened list.
 */
const withScope = (scopes: readonly string[], write: (scope: string) => string): string => {
  const challenge = write(`, scope="${scopes.join(' ')}"`);
  return challenge.length <= maxChallengeLength ? challenge : write('');
};

/**
 * All checks, in order: those of admission, then those of the body (contract/platform-mcp.md#order-of-refusals), which
 * run in endpoint.ts and json-rpc.ts.
 * @internal A test holds the surface against this list.
 */
export const orderOfChecks = [
  ...Admission.checks.map(([name]) => name),
  'size',
  'JSON',
  'array',
  'protocol version',
] as const;

const admittedOf = ({ admitted }: Arrival): Admitted => {
  if (admitted === null) throw new Error('This check needs the Bearer token, which is checked later');
  return admitted;
};

/** The name of a surface within a sentence. */
const inSentence = (name: string): string => name.replace(/^The /, 'the ');

const mediaTypeReasons = {
  406: 'The response is JSON, which the Accept header of this request excludes.',
  415: 'The body must be JSON: content-type application/json, without a content-encoding.',
};
