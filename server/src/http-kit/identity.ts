/**
 * `Identity` for routes outside GraphQL (contract/requests.md#identity-of-an-added-route): by Bearer or auth_access, as
 * in GraphQL. Results are copies, so that a route cannot change the actor that other requests share.
 */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import {
  type Actor,
  awaitsSecondFactor,
  isActingSuperAdmin,
  isServiceAccount,
  kindOf,
  noRole,
  scopesOfActor,
  usableMembership,
} from '../domain/access/actor.ts';
import { membershipRequired, scopesMissing, secondFactorRequired } from '../domain/access/authorize.ts';
import type { Application } from '../domain/scopes/application.ts';
import { isPlatformScope } from '../domain/scopes/scopes.ts';
import type { ActingParty, Identity, Membership, NeedsSecondFactor, Actor as ShownActor } from '../gatehouse.d.ts';
import { type IdentifyDeps, identify, presentedAccess, publicRefusalOf } from './authenticate-request.ts';
import { senderReader } from './request-hooks.ts';

interface IdentityDeps extends IdentifyDeps {
  readonly application: Application;
  readonly settings: IdentifyDeps['settings'] & Pick<Config, 'trustProxy'>;
}

export const createIdentity = (deps: IdentityDeps): Identity => {
  const senderOf = senderReader(deps.settings.trustProxy);
  const resolve = async (given: IncomingMessage | FastifyRequest, machines: boolean): Promise<ShownActor> => {
    const request = nodeRequestOf(given);
    const { headers } = request;
    const access = presentedAccess({ headers, cookies: fastifyCookie.parse(headers.cookie ?? '') });
    const accepted = { mayChange: mayChange(request), machines };
    const { actor, refusal } = await identify(deps, { headers, ip: senderOf(request).address }, access, accepted);
    if (actor === null) throw refusal;
    return shownActor(actor);
  };
  return {
    resolveActor: (request, { machines = false } = {}) =>
      resolve(request, machines).catch((error: unknown) => {
        // Callers handle refusals only; an unavailable database is one.
        throw publicRefusalOf(error) ?? error;
      }),
    requireMembership,
    requireScopes: (actor, ...names) => requireScopes(deps.application, actor, names),
  };
};

/**
 * Express extends Node's request, a stream; Fastify wraps it as `raw`. Importing the class of the request from
 * node:http would load Node's client for fetch and WebSocket at each start.
 */
const nodeRequestOf = (request: IncomingMessage | FastifyRequest): IncomingMessage =>
  request instanceof Readable || !('raw' in request) ? request : request.raw;

/** An upgrade is a GET but may change state later: treated as unsafe. */
const mayChange = ({ method = '', headers }: IncomingMessage): boolean =>
  !isReadingMethod(method) || headers.upgrade !== undefined;

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether requests with this method change nothing (RFC 9110, section 9.2.1). Names of methods are case-sensitive. */
export const isReadingMethod = (method: string): boolean => readingMethods.has(method);

/** The actor for callers outside the service. */
export const shownActor = (actor: Actor): ShownActor => {
  const acting = actingPartyOf(actor);
  const { id, emailValidatedAt, name } = actor.user;
  return {
    id,
    email: acting.email ?? '',
    emailValidatedAt: emailValidatedAt === null ? null : new Date(emailValidatedAt),
    name,
    isSuperAdmin: isActingSuperAdmin(actor),
    currentMembership: shownMembership(actor),
    scopes: [...scopesOfActor(actor)],
    ...needsSecondFactor(actor),
    kind: acting.kind,
    actor: acting,
  };
};

/** Who acts with a credential, for callers outside the service. */
export const actingPartyOf = (actor: Actor): ActingParty => {
  const { id, name, email } = actor.user;
  return { kind: kindOf(actor), id, name, email: isServiceAccount(actor) ? null : email };
};

/** The scopes that the actor would also have in a session with a second factor; empty where there are none. */
export const needsSecondFactor = (actor: Actor): { readonly needsSecondFactor?: NeedsSecondFactor } => {
  const [membership, platform] = [actor.membership?.needsSecondFactor === true, awaitsSecondFactor(actor)];
  return membership || platform ? { needsSecondFactor: { membership, platform } } : {};
};

/**
 * For callers outside the service: none while it needs a second factor, because they may decide by the role, or by the
 * organization alone. A role that the application no longer has is MEMBER; that of a service account is empty.
 */
export const shownMembership = (actor: Actor): Membership | null => {
  const membership = usableMembership(actor);
  if (membership === null) return null;
  const { id, role, organization } = membership;
  return {
    id,
    role: role === noRole ? noRole : actor.application.shownRole(role),
    organization: { id: organization.id, name: organization.name },
  };
};

const requireMembership: Identity['requireMembership'] = ({ currentMembership, needsSecondFactor }) => {
  if (currentMembership === null)
    throw needsSecondFactor?.membership === true ? secondFactorRequired() : membershipRequired();
  return currentMembership;
};

const requireScopes = (application: Application, actor: ShownActor, needed: readonly string[]): void => {
  for (const name of needed) requireKnown(application, name);
  if (needed.some((name) => application.hasScope(name))) requireMembership(actor);
  const missing = needed.filter((scope) => !actor.scopes.includes(scope));
  if (missing.length === 0) return;
  // Scopes of an organization that needs a second factor were refused with its membership.
  throw actor.needsSecondFactor?.platform === true && missing.every(isPlatformScope)
    ? secondFactorRequired()
    : scopesMissing(missing);
};

const requireKnown = (application: Application, name: string): void => {
  if (application.hasScope(name) || isPlatformScope(name)) return;
  throw new TypeError(`"${name}" is no scope of this application.`);
};
