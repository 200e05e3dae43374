/** Sign-ins by an external provider after its callback: the rows that the callback leaves, without a provider. */
import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import {
  type LinkIdentityDeps,
  type LinkOutcome,
  type LinkRequest,
  linkIdentity,
} from '../../../src/domain/external-sign-in/link-identity.ts';
import { exchangeHashOf, openExchange } from '../../../src/domain/external-sign-in/open-exchange.ts';
import { Keyring } from '../../../src/kernel/secrets.ts';
import { createLogger } from '../../../src/platform/observability/logger.ts';
import type { ProvidedIdentity } from '../../../src/platform/oidc/identity-provider.ts';
import { unlimited } from '../../../src/platform/rate-limit/rate-limits.ts';
import { type Answer, Browser, newAddress, operations } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';

export const issuer = 'https://provider.example';

/** Of a service with a provider, which gets no request. */
export const providerSettings = {
  GOOGLE_CLIENT_ID: 'tests',
  GOOGLE_CLIENT_SECRET: 'known-to-the-provider-alone',
  GOOGLE_ISSUER: issuer,
  GOOGLE_DISPLAY_NAME: 'Example ID',
};

/** A new person whom the provider vouches for. */
export const newIdentity = (change: Partial<ProvidedIdentity> = {}): ProvidedIdentity => ({
  issuer,
  subject: randomUUID(),
  email: newAddress(),
  isEmailVerified: true,
  isEmailAuthoritative: true,
  name: 'Outside Person',
  authenticatedAt: Date.now() / 1000,
  ...change,
});

type Secretive = Pick<Service, 'database'> & { readonly config: Pick<Service['config'], 'secrets'> };

/** The helper session of the browsers of `returningBrowser`. */
export const markerOfTests = 'm'.repeat(43);

/** The key of the row of a secret from {@link newSecret}. */
export const hashOfTests = (secret: string): Buffer => exchangeHashOf({ secret, marker: markerOfTests });

/** The secret that the callback would have set as the browser's cookie, for a browser with this marker. */
export const newSecret = async (
  { database, config }: Secretive,
  identity: ProvidedIdentity,
  marker = markerOfTests,
): Promise<string> => (await openExchange({ database, keyring: new Keyring(config.secrets) }, identity, marker)).secret;

export const returningBrowser = (
  service: Pick<Service, 'url'>,
  secret: string,
  browser = new Browser(service),
): Browser => {
  browser.cookies.set('auth_exchange', secret);
  browser.cookies.set('exchange_marker', markerOfTests);
  return browser;
};

export const exchange = (browser: Browser, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  browser.run(operations.exchangeAuthTokens, {}, headers);

/** The whole sign-in of a person whom the provider vouches for; throws when it is refused. */
export const signInExternally = async (
  service: Secretive & Pick<Service, 'url'>,
  identity: ProvidedIdentity,
): Promise<{ readonly browser: Browser; readonly user: SignedInUser }> => {
  const browser = returningBrowser(service, await newSecret(service, identity));
  return { browser, user: userOf(await exchange(browser)) };
};

export interface SignedInUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly hasPassword: boolean;
  readonly hasExternalIdentity: boolean;
  readonly emailValidatedAt: string | null;
  readonly isSuperAdmin: boolean;
  readonly memberships: readonly { readonly role: string }[];
  readonly externalIdentity: { readonly email: string | null; readonly linkedAt: string } | null;
}

/** The person in an answer of exchangeAuthTokens. Throws when it was refused. */
export const userOf = (answer: Answer): SignedInUser => {
  if (answer.code !== null) throw new Error(`Refused: ${answer.text}`);
  const { data } = JSON.parse(answer.text) as { data: { exchangeAuthTokens: { user: SignedInUser } } };
  return data.exchangeAuthTokens.user;
};

export const clearsExchangeCookie = ({ setCookies }: Answer): boolean =>
  setCookies.some((line) => /^auth_exchange=;.*(Max-Age=0|Expires=Thu, 01 Jan 1970)/i.test(line));

export const isWaiting = async ({ sql }: Pick<Service, 'sql'>, secret: string): Promise<boolean> => {
  const rows = await sql('SELECT 1 FROM external_exchanges WHERE secret_hash = $1', [hashOfTests(secret)]);
  return rows.length > 0;
};

export const passLifeOf = async ({ sql }: Pick<Service, 'sql'>, secret: string): Promise<void> => {
  await sql(`UPDATE external_exchanges SET expires_at = now() - interval '1 second' WHERE secret_hash = $1`, [
    hashOfTests(secret),
  ]);
};

type Linkable = Pick<Service, 'database' | 'mail'> & { readonly config: LinkIdentityDeps['settings'] };

/** Returns from the provider in link mode, as the callback does. @param limits by default none */
export const link = (
  { database, mail, config }: Linkable,
  request: LinkRequest,
  identity: ProvidedIdentity,
  limits: LinkIdentityDeps['limits'] = unlimited,
  logger: LinkIdentityDeps['logger'] = createLogger('silent', new PassThrough()),
): Promise<LinkOutcome> => linkIdentity({ database, mail, logger, limits, settings: config }, request, identity);

/** The identities of an address' account, one line each. */
export const identitiesOf = ({ sql }: Pick<Service, 'sql'>, email: string): Promise<string[]> =>
  sql.column<string>(
    `SELECT concat_ws(' ', i.issuer, i.subject, i.email) AS line
     FROM external_identities i JOIN users u ON u.id = i.user_id WHERE u.email = $1 ORDER BY 1`,
    [email],
  );
