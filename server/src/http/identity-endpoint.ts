/**
 * `/auth/identity`: who makes a request, decided as for GraphQL, for back ends in any language and for proxies that ask
 * before they forward (contract/application.md#identity-of-a-request). Not shared with other origins: a page has no use
 * for it, and a proxy no origin.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import { type Actor, isActingSuperAdmin, isServiceAccount, scopesOfActor } from '../domain/access/actor.ts';
import { membershipRequired, scopesRefused, secondFactorRequired } from '../domain/access/authorize.ts';
import type { CredentialKind } from '../domain/credentials/token.ts';
import type { Application } from '../domain/scopes/application.ts';
import { type IdentifyDeps, identify, presentedAccess } from '../http-kit/authenticate-request.ts';
import { actingPartyOf, isReadingMethod, needsSecondFactor, shownMembership } from '../http-kit/identity.ts';
import { queryOf } from '../http-kit/request-content.ts';
import { peerIsTrusted, senderReader } from '../http-kit/request-hooks.ts';
import { storableAddress } from '../kernel/network.ts';
import { returnOrigins, returnUrlOf } from '../kernel/redirects.ts';
import { type IdentityQuestion, readQuestion } from './identity-question.ts';

interface IdentityEndpointDeps extends IdentifyDeps {
  readonly application: Application;
  readonly settings: IdentifyDeps['settings'] & Pick<Config, 'trustProxy'>;
}

/** One request, with what is known of the request that it was asked for. */
interface Asked {
  readonly request: FastifyRequest;
  readonly question: IdentityQuestion;
  /** Method of the original request; null when it is not known, or its two names differ. */
  readonly method: string | null;
  /** Whether the peer is a proxy that TRUST_PROXY names. */
  readonly isFromProxy: boolean;
}

const url = '/auth/identity';

/** Methods of the IANA registry that Node reads, beside those that Fastify routes by default. */
const furtherMethods =
  `ACL BIND CHECKOUT COPY LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY PROPFIND PROPPATCH PURGE
  QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE`.split(/\s+/);

/** Call after the other routes: it makes the server route every method. */
export const mountIdentity = async (app: FastifyInstance, deps: IdentityEndpointDeps): Promise<void> => {
  const isProxy = peerIsTrusted(deps.settings.trustProxy);
  const clientOf = clientReader(senderReader(deps.settings.trustProxy));
  for (const method of furtherMethods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.headers(emptyHeaders);
    });
    scope.route({
      method: scope.supportedMethods,
      url,
      exposeHeadRoute: false,
      // Before the body, which is never read, and its media type, which does not matter.
      onRequest: (request, reply) => answer({ ...deps, clientOf }, request, reply, isProxy(request.raw)),
      handler: (_request, reply) => reply,
    });
  });
};

const answer = async (
  deps: IdentityEndpointDeps & { readonly clientOf: ReturnType<typeof clientReader> },
  request: FastifyRequest,
  reply: FastifyReply,
  isFromProxy: boolean,
): Promise<FastifyReply> => {
  const question = readQuestion(queryOf(request), deps.application);
  const asked = { request, question, isFromProxy, method: originalMethod(request, question, isFromProxy) };
  const client = { headers: request.headers, ip: deps.clientOf(request, question) };
  const accepted = { mayChange: mayChange(asked), machines: question.machines };
  const { actor, refusal } = await identify(deps, client, presentedAccess(request), accepted);
  if (actor === null) {
    if (refusal.code !== 'FORBIDDEN' && question.signin && isNavigation(asked))
      return reply.redirect(signInPage(deps, asked), 302);
    if (refusal.code !== 'FORBIDDEN') reply.header('www-authenticate', 'Bearer');
    throw refusal;
  }
  requireAnswered(actor, deps.application, question);
  return reply.headers(headersOf(actor)).send(bodyOf(actor));
};

// The questions about the actor.

/**
 * @throws Refusal MEMBERSHIP_REQUIRED: there is no membership, and one or an organization's scope is asked for;
 *   SECOND_FACTOR_REQUIRED: the organization requires one for them; FORBIDDEN: scopes are missing
 */
const requireAnswered = (actor: Actor, application: Application, { scopes, membership }: IdentityQuestion): void => {
  const needsMembership = membership || scopes.some((scope) => application.hasScope(scope));
  if (needsMembership && actor.membership === null) throw membershipRequired();
  if (needsMembership && actor.membership?.needsSecondFactor === true) throw secondFactorRequired();
  if (scopes.length === 0) return;
  const held = scopesOfActor(actor);
  const missing = scopes.filter((scope) => !held.has(scope));
  if (missing.length > 0) throw scopesRefused(actor, missing);
};

// The original request.

/** The method of the original request: its own says something only when it is not GET, which a question always is. */
const originalMethod = (
  { method, headers }: FastifyRequest,
  question: IdentityQuestion,
  isFromProxy: boolean,
): string | null => {
  if (question.method !== null) return question.method;
  const forwarded = isFromProxy ? [headers['x-forwarded-method'], headers['x-original-method']] : [];
  const [named, ...others] = new Set(forwarded.flatMap((name) => name ?? []));
  if (others.length > 0) return null;
  return named ?? (method === 'GET' ? null : method);
};

/** An upgrade is a GET but may change state later; a method that is not known may be any. */
const mayChange = ({ method, request }: Asked): boolean =>
  method === null || !isReadingMethod(method) || request.headers.upgrade !== undefined;

/**
 * The address of the client that the request is for; null where no trusted party names it. A back end names it in the
 * parameter `client_ip`, and is believed if its own address is one of TRUST_PROXY. A proxy that asks before it forwards
 * names it in X-Forwarded-For. That header names a back end that asks through a proxy just as well: such a question has
 * the parameter `method`, and nothing of what a proxy says of the original request.
 */
const clientReader =
  (senderOf: ReturnType<typeof senderReader>) =>
  ({ raw, headers }: FastifyRequest, { clientIp, method }: IdentityQuestion): string | null => {
    const { address, isForwarded, isTrusted } = senderOf(raw);
    if (clientIp !== null) return isTrusted ? storableAddress(clientIp) : null;
    const isOfBackEnd = method !== null && ofOriginalRequest.every((name) => headers[name] === undefined);
    return isForwarded && !isOfBackEnd ? storableAddress(address) : null;
  };

const ofOriginalRequest = ['x-forwarded-uri', 'x-forwarded-method', 'x-original-method'];

// The way to the sign-in page, for browsers that navigate.

const isNavigation = ({ request: { headers, method: own }, method }: Asked): boolean =>
  (method ?? own) === 'GET' && headers.authorization === undefined && acceptsHtml(headers.accept);

const acceptsHtml = (accept = ''): boolean =>
  accept.split(',').some((range) => range.split(';', 1)[0]?.trim().toLowerCase() === 'text/html');

const signInPage = (deps: IdentityEndpointDeps, asked: Asked): string => {
  const page = `${deps.settings.frontendUrl}/signin`;
  const back = returnUrlOf(forwardedUrl(asked), returnOrigins(deps));
  return back === null ? page : `${page}?redirect=${encodeURIComponent(back)}`;
};

const forwardedUrl = ({ request: { headers }, isFromProxy }: Asked): string | null => {
  const [scheme, host, path] = ['proto', 'host', 'uri'].map((part) => headers[`x-forwarded-${part}`]);
  const isWhole = typeof scheme === 'string' && typeof host === 'string' && typeof path === 'string';
  return isFromProxy && isWhole && path.startsWith('/') ? `${scheme}://${host}${path}` : null;
};

// The answer. Ids, roles and scopes are ASCII, and can be values of headers.

const emptyHeaders = {
  'x-auth-user-id': '',
  'x-auth-actor-kind': '',
  'x-auth-actor-id': '',
  'x-auth-organization-id': '',
  'x-auth-role': '',
  'x-auth-scopes': '',
  'cache-control': 'no-store',
} as const;

const headersOf = (actor: Actor): Partial<Record<keyof typeof emptyHeaders, string>> => {
  const { kind, id } = actingPartyOf(actor);
  const membership = shownMembership(actor);
  return {
    'x-auth-user-id': isServiceAccount(actor) ? '' : actor.user.id,
    'x-auth-actor-kind': kind,
    'x-auth-actor-id': id,
    'x-auth-organization-id': membership?.organization.id ?? '',
    'x-auth-role': membership?.role ?? '',
    'x-auth-scopes': [...scopesOfActor(actor)].join(' '),
  };
};

const bodyOf = (actor: Actor) => {
  const { id, email, name, emailValidatedAt } = actor.user;
  const { id: credentialId, audience, authMethod, sessionFamilyId, expiresAt } = actor.credential;
  return {
    actor: actingPartyOf(actor),
    user: isServiceAccount(actor)
      ? null
      : { id, email, name, emailValidatedAt, isSuperAdmin: isActingSuperAdmin(actor) },
    membership: bodyOfMembership(actor),
    scopes: [...scopesOfActor(actor)],
    ...needsSecondFactor(actor),
    credential: { id: credentialId, kind: credentialKindOf(actor), audience, authMethod, sessionFamilyId, expiresAt },
  };
};

/** A service account has an organization, and neither a membership nor a role. */
const bodyOfMembership = (actor: Actor) => {
  const membership = shownMembership(actor);
  return membership !== null && isServiceAccount(actor) ? { ...membership, id: null, role: null } : membership;
};

const credentialKindOf = ({ machine }: Actor): CredentialKind => (machine === null ? 'user_session' : 'machine');
