/**
 * Admission checks of `POST /mcp` before the body is read, in the contract's order: host and origin, bearer, method,
 * media type, rate limit (contract, "POST /mcp"). Identity comes from the Authorization header only; a cookie, or a
 * token in the URL, is ignored.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../domain/access/actor.ts';
import type { Authenticator } from '../domain/access/authenticate.ts';
import { doctorToken } from '../domain/client-onboarding/steps.ts';
import type { LastSeenRecorder } from '../domain/credentials/last-seen.ts';
import { scopesOfTools } from '../domain/tools/catalogue.ts';
import { addressOf } from '../http-kit/authenticate-request.ts';
import { noteStep, type StepDeps } from '../http-kit/connection-step.ts';
import { isReadableJson, takesJson } from '../http-kit/media-types.ts';
import { foreignAddress, ownHosts } from '../http-kit/origins.ts';
import { consumeNetworkPermit, limitsFor } from '../http-kit/rate-limit-headers.ts';
import { type ConnectionRule, Refusal } from '../kernel/errors.ts';
import { rateLimits } from '../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../platform/rate-limit/rate-limits.ts';

/**
 * The checks of a request, in order (contract, "POST /mcp"): the first that fails answers. Those before `size` run here,
 * before the body is read; the others in endpoint.ts and json-rpc.ts.
 */
export const orderOfChecks = [
  'host and origin',
  'bearer',
  'method',
  'media type',
  'rate limit',
  'size',
  'JSON',
  'array',
  'protocol version',
] as const;

export interface AdmissionDeps extends StepDeps {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly lastSeen: LastSeenRecorder;
  readonly limits: RateLimits;
  readonly settings: {
    readonly baseUrl: string;
    readonly frontendUrl: string;
    readonly graphqlAudiences: readonly string[];
  };
}

/** The only audience accepted here; it is accepted nowhere else (specification, "Credential"). */
const ownAudience = ['mcp'];

/** An authenticated client. */
export interface Admitted {
  readonly actor: Actor;
  readonly clientId: string;
}

export class Admission {
  readonly #deps: AdmissionDeps;
  readonly #hosts: ReadonlySet<string>;
  readonly #challenge: string;

  constructor(deps: AdmissionDeps) {
    const { baseUrl } = deps.settings;
    this.#deps = deps;
    this.#hosts = ownHosts(baseUrl);
    // RFC 9728, section 5.1.
    this.#challenge = `Bearer resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;
  }

  /**
   * Runs all admission checks.
   * @throws Refusal ORIGIN_REFUSED, UNAUTHENTICATED, BAD_USER_INPUT; RATE_LIMITED: when no permit is left
   * @throws DatabaseUnavailable when the token cannot be looked up
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<Admitted> {
    this.#requireOwnAddress(request);
    const admitted = await this.authenticate(request, reply);
    requirePost(request, reply);
    this.#requireJson(request, admitted.clientId);
    await this.#consumePermit(request, reply, admitted);
    return admitted;
  }

  /**
   * Authenticates the Bearer token.
   * @throws Refusal UNAUTHENTICATED: with the challenge of RFC 9728 in the headers of the reply
   * @throws Refusal RATE_LIMITED: when the network has presented too many tokens that are not accepted
   */
  async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Admitted> {
    const token = bearerOf(request);
    if (token === null) throw this.#unauthenticated(request, reply, { isTokenGiven: false, rule: null });
    try {
      const actor = await this.#deps.authenticator.authenticate(token, ownAudience);
      this.#deps.lastSeen.note(actor.credential.id, addressOf(request));
      const { clientId } = actor.credential;
      if (clientId === null) throw new Error('A credential of Platform MCP names no client');
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
    noteStep(this.#deps, request, 'challenge', null, { rule: 'host_or_origin', detail: foreign });
    throw new Refusal('ORIGIN_REFUSED', 'This request names another host, or comes from a page of another origin.');
  }

  async #consumePermit(request: FastifyRequest, reply: FastifyReply, { actor, clientId }: Admitted): Promise<void> {
    try {
      await limitsFor(reply, this.#deps.limits).consume(rateLimits.mcp, actor.credential.sessionFamilyId);
    } catch (error) {
      if (error instanceof Refusal)
        noteStep(this.#deps, request, 'call', clientId, { rule: 'rate_limited', detail: null });
      throw error;
    }
  }

  #requireJson(request: FastifyRequest, clientId: string): void {
    const { accept, 'content-type': type, 'content-encoding': encoding } = request.headers;
    const status = isReadableJson(type, encoding) ? 406 : 415;
    if (status === 406 && takesJson(accept)) return;
    noteStep(this.#deps, request, 'call', clientId, { rule: 'message_malformed', detail: null });
    throw new Refusal('BAD_USER_INPUT', mediaTypeReasons[status], { status });
  }

  /** @param rule null for a request without a token, with which every client begins */
  #unauthenticated(
    request: FastifyRequest,
    reply: FastifyReply,
    { isTokenGiven, rule }: { readonly isTokenGiven: boolean; readonly rule: ConnectionRule | null },
  ): Refusal {
    noteStep(this.#deps, request, 'challenge', null, rule === null ? null : { rule, detail: null });
    const challenge = `${this.#challenge}${isTokenGiven ? ', error="invalid_token"' : ''}, scope="${neededScopes}"`;
    const message = isTokenGiven
      ? 'This access token is not accepted: it is unknown, expired, revoked, or not for Platform MCP.'
      : 'Platform MCP needs its own access token. The header www-authenticate says where to get one.';
    reply.header('www-authenticate', challenge);
    return new Refusal('UNAUTHENTICATED', message);
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

/** Scopes of the tools, as a hint for clients that request only the scopes in the challenge (RFC 6750, section 3). */
const neededScopes = scopesOfTools.join(' ');

/** Null without the header; a header of any other shape counts as an invalid token. */
const bearerOf = ({ headers: { authorization } }: FastifyRequest): string | null =>
  authorization === undefined ? null : (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '');

/** Older clients legitimately request a stream by GET: it is refused, but not recorded against them. */
const requirePost = ({ method }: FastifyRequest, reply: FastifyReply): void => {
  if (method === 'POST') return;
  reply.header('allow', 'POST');
  throw new Refusal('BAD_USER_INPUT', 'Platform MCP supports only POST.', { status: 405 });
};

const mediaTypeReasons = {
  406: 'The response is JSON, which the Accept header of this request excludes.',
  415: 'The body must be JSON: content-type application/json, without a content-encoding.',
};
