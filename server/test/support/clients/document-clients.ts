/** Clients whose client_id is the URL of a metadata document: they begin and connect, and their documents grow old. */
import type { Service } from '../gatehouse/gatehouse.ts';
import { answerIn, askSuperAdmin, authorizationQuery, PageBrowser, redirectUri } from './authorization.ts';
import type { PageAnswer } from './cookie-jar.ts';
import { type ClientTokens, challengeOf, clientTokensOf, newVerifier, postForm, redemptionOf } from './oauth.ts';

/** Begins an authorization in a browser that is signed out. */
export const beginByDocument = (
  service: Pick<Service, 'url'>,
  url: string,
  changes: Parameters<typeof authorizationQuery>[1] = {},
): Promise<PageAnswer> => new PageBrowser(service).get(`/auth/mcp/authorize?${authorizationQuery(url, changes)}`);

/** A new super admin connects a client of this URL. */
export const connectByDocument = async (
  service: Service,
  url: string,
): Promise<{ readonly tokens: ClientTokens; readonly email: string }> => {
  const verifier = newVerifier();
  const asked = await askSuperAdmin(service, url, { code_challenge: challengeOf(verifier) });
  const { location } = await asked.browser.post(asked.path, { decision: 'approve', csrf_token: asked.csrf });
  const { code = '' } = answerIn(location);
  const answer = await postForm(service, 'token', redemptionOf({ code, clientId: url, redirectUri, verifier }));
  return { tokens: clientTokensOf(answer), email: asked.email };
};

export interface DocumentRow {
  readonly id: string;
  readonly name: string;
  readonly uris: readonly string[];
}

export const documentRowOf = async ({ sql }: Pick<Service, 'sql'>, url: string): Promise<DocumentRow | undefined> => {
  const query = 'SELECT id, name, redirect_uris AS uris FROM oauth_clients WHERE metadata_url = $1';
  return (await sql<DocumentRow>(query, [url]))[0];
};

/** Moves the instants of a document and of its last failure into the past. */
export const ageDocument = async ({ sql }: Pick<Service, 'sql'>, url: string, interval: string): Promise<void> => {
  const moved = [url, interval];
  await sql(
    'UPDATE oauth_clients SET document_fresh_until = document_fresh_until - $2::interval WHERE metadata_url = $1',
    moved,
  );
  await sql(
    'UPDATE oauth_document_failures SET failed_until = failed_until - $2::interval WHERE metadata_url = $1',
    moved,
  );
};
