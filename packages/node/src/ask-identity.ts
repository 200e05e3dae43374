/** Asks `/auth/identity` who makes a request. Keeps nothing: every request is decided anew. */
import type { ReadRequest } from './incoming-request.ts';
import { isRefusalCode, Refusal, unavailable } from './refusal.ts';
import type { Actor, ActorKind, NeedsSecondFactor } from './types.ts';

/** Where and how the service is asked. */
export interface Service {
  readonly baseUrl: string;
  readonly timeoutMilliseconds: number;
}

/** The options of a question beside the request. */
interface Asked {
  /** Whether a machine credential is accepted too. */
  readonly machines?: boolean | undefined;
  /** The address of the client. Default: as the request has it. */
  readonly clientIp?: string | undefined;
}

/**
 * In place of an address that is not known; the service then knows that the one of the question is not the client's.
 */
const unknownClient = 'unknown';

/**
 * @throws Refusal with the code of the service; UNAVAILABLE when it does not answer, or anything but what it documents
 */
export const askIdentity = async (
  { baseUrl, timeoutMilliseconds }: Service,
  request: ReadRequest,
  { machines = false, clientIp = request.clientIp ?? unknownClient }: Asked = {},
): Promise<Actor> => {
  const query = new URLSearchParams({
    method: methodOf(request),
    client_ip: clientIp,
    ...(machines ? { machine: 'allowed' } : {}),
  });
  const { status, body } = await exchange(`${baseUrl}/auth/identity?${query}`, {
    headers: { ...credentialsOf(request), accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMilliseconds),
  });
  if (status === 200 && isIdentity(body)) return actorOf(body);
  throw refusalIn(status, body) ?? unavailable(`${baseUrl}/auth/identity answered ${status}`);
};

/** A request and its JSON; never a cached answer, and no redirect. @throws Refusal UNAVAILABLE */
export const exchange = async (
  url: string,
  request: RequestInit,
): Promise<{ readonly status: number; readonly body: unknown }> => {
  try {
    const response = await fetch(url, { ...request, redirect: 'error', cache: 'no-store' });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    throw unavailable(error);
  }
};

/** An upgrade may change state later; like a request whose method is not known, it is no reading request. */
const methodOf = ({ method, header }: ReadRequest): string =>
  method === undefined || header('upgrade') !== null ? 'CONNECT' : method;

/** Authorization, else the cookie auth_access, with Origin and Referer, which decide on the cookie. */
const credentialsOf = ({ header }: ReadRequest): Record<string, string> => {
  const authorization = header('authorization');
  if (authorization !== null) return { authorization };
  const sent = {
    cookie: accessCookiesIn(header('cookie') ?? ''),
    origin: header('origin'),
    referer: header('referer'),
  };
  if (sent.cookie === '') return {};
  return Object.fromEntries(Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== null));
};

/** Every copy, because the service refuses a repeated one. */
const accessCookiesIn = (cookies: string): string =>
  cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.split('=', 1)[0]?.trim() === 'auth_access')
    .join('; ');

// The answer of the service (contract/application.md#answer-of-the-identity-endpoint).

interface IdentityAnswer {
  readonly actor: {
    readonly kind: ActorKind;
    readonly id: string;
    readonly name: string;
    readonly email: string | null;
  };
  readonly user: { readonly emailValidatedAt: string | null; readonly isSuperAdmin: boolean } | null;
  readonly membership: {
    readonly id: string | null;
    readonly role: string | null;
    readonly organization: { readonly id: string; readonly name: string };
  } | null;
  readonly scopes: readonly string[];
  readonly needsSecondFactor?: NeedsSecondFactor;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isIdentity = (body: unknown): body is IdentityAnswer => {
  if (!isRecord(body)) return false;
  const { actor, user, membership, scopes } = body;
  const isWhole = isRecord(actor) && typeof actor['id'] === 'string' && typeof actor['kind'] === 'string';
  const hasOrganization = membership === null || (isRecord(membership) && isRecord(membership['organization']));
  return isWhole && hasOrganization && (user === null || isRecord(user)) && Array.isArray(scopes);
};

const actorOf = ({ actor, user, membership, scopes, needsSecondFactor }: IdentityAnswer): Actor => ({
  id: actor.id,
  email: actor.email ?? '',
  emailValidatedAt: typeof user?.emailValidatedAt === 'string' ? new Date(user.emailValidatedAt) : null,
  name: actor.name,
  isSuperAdmin: user?.isSuperAdmin === true,
  currentMembership:
    membership === null
      ? null
      : { id: membership.id ?? '', role: membership.role ?? '', organization: membership.organization },
  scopes,
  ...(needsSecondFactor === undefined ? {} : { needsSecondFactor }),
  kind: actor.kind,
  actor,
});

/** Only the documented refusals count: another server's 401 says nothing of the caller. */
const refusalIn = (status: number, body: unknown): Refusal | null => {
  const error = isRecord(body) ? body['error'] : null;
  if (!isRecord(error)) return null;
  const { code, message, missingScopes } = error;
  if (!isRefusalCode(code)) return null;
  const details = Array.isArray(missingScopes) ? { missingScopes: missingScopes.map(String) } : {};
  const headers: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  const refusal = new Refusal(code, String(message), { details, headers });
  return refusal.status === status ? refusal : null;
};
