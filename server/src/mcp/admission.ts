/**
 * Admission checks of `POST /mcp` before the body is read, in the contract's order: host and origin, bearer, method,
 * media type, rate limit (contract, "POST /mcp"). Identity comes from the Authorization header only; a cookie, or a
 * token in the URL, is ignored.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../domain/access/actor.ts';
import type { Authenticator } from '../domain/access/authenticate.ts';
import { type ConnectionRule, doctorToken } from '../domain/client-onboarding/steps.ts';
import type { LastSeenRecorder } from '../domain/credentials/last-seen.ts';
import { scopesOfTools } from '../domain/tools/catalogue.ts';
import { addressOf } from '../http-kit/authenticate-request.ts';
import { noteStep, type StepDeps } from '../http-kit/connection-step.ts';
import { foreignAddress, ownHosts } from '../http-kit/origins.ts';
import { consumeNetworkPermit, limitsFor } from '../http-kit/rate-limit-headers.ts';
import { Refusal } from '../kernel/errors.ts';
import { rateLimits } from '../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../platform/rate-limit/rate-limits.ts';
import { isReadableJson, takesJson } from './json-rpc.ts';

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
  readonly token: string;
}

/** A refusal before any message is read; sent as `{ error: { code, message } }`. */
export class AdmissionRefused extends Error {
  override readonly name = 'AdmissionRefused';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
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
   * @throws AdmissionRefused
   * @throws Refusal RATE_LIMITED: when no permit is left
   * @throws DatabaseUnavailable when the token cannot be looked up
   */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<Admitted> {
    this.#requireOwnAddress(request);
    const admitted = await this.authenticate(request, reply);
    requirePost(request);
    this.#requireJson(request, admitted.clientId);
    await this.#takeTurn(request, reply, admitted);
    return admitted;
  }

  /**
   * Authenticates the Bearer token.
   * @throws AdmissionRefused 401 with the challenge of RFC 9728
   * @throws Refusal RATE_LIMITED: when the network has presented too many tokens that are not accepted
   */
  async authenticate(request: FastifyRequest, reply: FastifyReply): Promise<Admitted> {
    const token = bearerOf(request);
    if (token === null) throw this.#unauthenticated(request, { isTokenGiven: false, rule: null });
    try {
      const actor = await this.#deps.authenticator.authenticate(token, ownAudience);
      this.#deps.lastSeen.note(actor.credential.id, addressOf(request));
      const { clientId } = actor.credential;
      if (clientId === null) throw new Error('A credential of Platform MCP names no client');
      return { actor, clientId, token };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await consumeNetworkPermit({ ...this.#deps, request, reply }, rateLimits.mcpRefused);
      throw this.#unauthenticated(request, { isTokenGiven: true, rule: await this.#ruleFor(token) });
    }
  }

  #requireOwnAddress(request: FastifyRequest): void {
    const { settings } = this.#deps;
    const foreign = foreignAddress(request, this.#hosts, settings);
    if (foreign === null) return;
    noteStep(this.#deps, request, 'challenge', null, { rule: 'host_or_origin', detail: foreign });
    throw new AdmissionRefused(403, 'ORIGIN_REFUSED', 'This request names another host, or comes from a foreign page.');
  }

  async #takeTurn(request: FastifyRequest, reply: FastifyReply, { actor, clientId }: Admitted): Promise<void> {
    try {
      await limitsFor(reply, this.#deps.limits).take(rateLimits.mcp, actor.credential.sessionFamilyId);
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
    throw new AdmissionRefused(status, 'BAD_USER_INPUT', mediaTypeReasons[status]);
  }

  /** @param rule null for a request without a token, with which every client begins */
  #unauthenticated(
    request: FastifyRequest,
    { isTokenGiven, rule }: { readonly isTokenGiven: boolean; readonly rule: ConnectionRule | null },
  ): AdmissionRefused {
    noteStep(this.#deps, request, 'challenge', null, rule === null ? null : { rule, detail: null });
    const challenge = `${this.#challenge}${isTokenGiven ? ', error="invalid_token"' : ''}, scope="${neededScopes}"`;
    const message = isTokenGiven
      ? 'This access token is not accepted here: it is unknown, expired, revoked, or not one of Platform MCP.'
      : 'Platform MCP needs an access token of its own. The header www-authenticate says where to get one.';
    return new AdmissionRefused(401, 'UNAUTHENTICATED', message, { 'www-authenticate': challenge });
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
const requirePost = ({ method }: FastifyRequest): void => {
  if (method === 'POST') return;
  throw new AdmissionRefused(405, 'BAD_USER_INPUT', 'Platform MCP is served by POST alone.', { allow: 'POST' });
};

const mediaTypeReasons = {
  406: 'The answer is JSON, which this client does not accept.',
  415: 'The body must be JSON: content-type application/json, without a content-encoding.',
};
