/** Clients of the authorization server, which register, redeem codes and refresh; and checks of refusals. */
import { hash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { insertCode } from '../../../src/domain/oauth/authorizations-store.ts';
import { platformScopes } from '../../../src/domain/scopes/scopes.ts';
import { sha256 } from '../../../src/kernel/secrets.ts';
import { newSuperAdmin, type Stored, type Tenant } from '../actors/tenants.ts';
import { expectNothingStored } from '../checks/refusals.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { type PlainResponse, postLikeFetch } from './plain-http.ts';

export interface OAuthAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Empty when the body is. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Every text of the request: a refusal must not echo any of it. */
  readonly sent: readonly string[];
}

const read = async (response: PlainResponse, sent: readonly string[]): Promise<OAuthAnswer> => {
  const text = await response.text();
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { status: response.status, headers: response.headers, text, body, sent };
};

/** Names and values of a form; several of one name are pairs. */
export type Form = Readonly<Record<string, string>> | readonly (readonly [string, string])[];
type HeaderMap = Readonly<Record<string, string>>;
type Served = Pick<Service, 'url'>;

/** Words of the protocol, which answers may contain too. */
const wordsOfProtocol = new Set(['authorization_code', 'refresh_token', 'password']);

const isPairs = (form: Form): form is readonly (readonly [string, string])[] => Array.isArray(form);
const pairsOf = (form: Form): readonly (readonly [string, string])[] => (isPairs(form) ? form : Object.entries(form));

export const postForm = async (
  { url }: Served,
  path: string,
  form: Form,
  headers: HeaderMap = {},
): Promise<OAuthAnswer> => {
  const parameters = pairsOf(form);
  const response = await postLikeFetch(
    `${url}/auth/mcp/${path}`,
    { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    parameters.map((pair) => pair.map(encodeURIComponent).join('=')).join('&'),
  );
  const values = parameters.map(([, value]) => value).filter((value) => !wordsOfProtocol.has(value));
  return read(response, values);
};

export const postText = async (
  { url }: Served,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  type: string | null,
  others: HeaderMap = {},
): Promise<OAuthAnswer> => {
  const headers = type === null ? others : { 'content-type': type, ...others };
  return read(await postLikeFetch(`${url}/auth/mcp/${path}`, headers, body), []);
};

export const register = (service: Served, metadata: unknown): Promise<OAuthAnswer> =>
  postText(service, 'register', JSON.stringify(metadata), 'application/json');

export const loopbackUri = 'http://127.0.0.1:43117/callback';

export const newClient = async (service: Served, metadata: object = {}): Promise<string> => {
  const { body, status } = await register(service, {
    client_name: 'Test Client',
    redirect_uris: [loopbackUri],
    ...metadata,
  });
  if (status !== 201 || typeof body['client_id'] !== 'string') throw new Error(`Not registered: ${status}`);
  return body['client_id'];
};

export const newVerifier = (): string => randomBytes(32).toString('base64url');
export const challengeOf = (verifier: string): string => hash('sha256', verifier, 'base64url');

export interface CodeInHand {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

export interface Consent {
  readonly clientId: string;
  readonly userId: string;
  readonly scopes?: readonly string[];
  readonly redirectUri?: string;
  /** Of a grant for an organization. */
  readonly audience?: string;
  readonly organizationId?: string;
  readonly membershipId?: string;
}

/** A code as a person's consent creates it, without the browser. */
export const newCode = async (
  { database }: Pick<Stored, 'database'>,
  { clientId, userId, scopes = platformScopes, redirectUri = loopbackUri, ...bound }: Consent,
): Promise<CodeInHand> => {
  const [code, verifier] = [randomBytes(32).toString('base64url'), newVerifier()];
  const challenge = challengeOf(verifier);
  const own = [sha256(code), clientId, redirectUri, challenge, userId, scopes, 60] as const;
  const { audience = 'mcp', organizationId = null, membershipId = null } = bound;
  await database.execute(insertCode, [...own, audience, organizationId, membershipId]);
  return { code, clientId, redirectUri, verifier };
};

export const redemptionOf = ({ code, clientId, redirectUri, verifier }: CodeInHand): Record<string, string> => ({
  grant_type: 'authorization_code',
  code,
  client_id: clientId,
  redirect_uri: redirectUri,
  code_verifier: verifier,
});

export const redeem = (service: Served, code: CodeInHand): Promise<OAuthAnswer> =>
  postForm(service, 'token', redemptionOf(code));

export interface ClientTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** The tokens in an answer of the token endpoint. Throws when there are none. */
export const clientTokensOf = ({ body, text }: OAuthAnswer): ClientTokens => {
  const { access_token: accessToken, refresh_token: refreshToken } = body;
  if (typeof accessToken === 'string' && typeof refreshToken === 'string') return { accessToken, refreshToken };
  throw new Error(`No tokens in ${text}`);
};

export interface Connection {
  readonly clientId: string;
  readonly person: Tenant;
  readonly tokens: ClientTokens;
}

/** @param scopes granted, and held by a super admin, by default a new one */
export const connect = async (
  service: Served & Stored,
  scopes: readonly string[] = platformScopes,
  known: { readonly person?: Tenant; readonly clientId?: string } = {},
): Promise<Connection> => {
  const person = known.person ?? (await newSuperAdmin(service, scopes));
  const clientId = known.clientId ?? (await newClient(service));
  const code = await newCode(service, { clientId, userId: person.userId, scopes });
  return { clientId, person, tokens: clientTokensOf(await redeem(service, code)) };
};

export const refreshOf = (clientId: string, refreshToken: string): Record<string, string> => ({
  grant_type: 'refresh_token',
  client_id: clientId,
  refresh_token: refreshToken,
});

export const refreshAs = (
  service: Served,
  { clientId, tokens }: Pick<Connection, 'clientId' | 'tokens'>,
  change: Record<string, string> = {},
): Promise<OAuthAnswer> => postForm(service, 'token', { ...refreshOf(clientId, tokens.refreshToken), ...change });

/** Texts this short could be in any answer by chance. */
const shortestTelltale = 4;

/** Expects a refusal as in RFC 6749, section 5.2, which quotes nothing. */
export const expectErrorAnswer = (answer: OAuthAnswer, status: number, error: string): void => {
  expect({ status: answer.status, error: answer.body['error'] }).toEqual({ status, error });
  expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description']);
  expect(answer.body['error_description']).toMatch(/^[\u0020\u0021\u0023-\u005b\u005d-\u007e]{10,}$/);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(answer.headers.getSetCookie()).toEqual([]);
  const echoes = answer.sent.filter((text) => text.length >= shortestTelltale && answer.text.includes(text));
  expect(echoes).toEqual([]);
};

/** Runs a request that must be refused with this error, and leave no trace. */
export const expectOAuthRefusal = async (
  service: Service,
  error: string,
  act: () => Promise<OAuthAnswer>,
): Promise<OAuthAnswer> => {
  const answer = await expectNothingStored(service, act);
  expectErrorAnswer(answer, error === 'invalid_client' ? 401 : 400, error);
  return answer;
};

export const familiesOfClient = (
  { sql }: Pick<Stored, 'sql'>,
  clientId: string,
): Promise<
  { family: string; kind: string; reason: string | null; scopes: string[]; audience: string; method: string }[]
> =>
  sql(
    `SELECT session_family_id AS family, kind, revocation_reason AS reason, scopes, audience, auth_method AS method
     FROM credentials WHERE client_id = $1 ORDER BY issued_at, session_family_id, kind DESC`,
    [clientId],
  );
