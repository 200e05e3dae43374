/**
 * The exchange that a callback opens: how the provider's identity resolves to an account, the one-time secret, and the
 * sealed row under its hash (specification, "External sign-in handoff").
 */

import { randomBytes } from 'node:crypto';
import { isRecord } from '../../kernel/records.ts';
import { type Keyring, sha256 } from '../../kernel/secrets.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { rowsAtOnce } from '../../platform/jobs/scheduled-jobs.ts';
import type { ProvidedIdentity } from '../../platform/oidc/identity-provider.ts';
import {
  ExternalRefusal,
  type ExternalRefusalCode,
  isKnownIdentity,
  type KnownIdentity,
  knownIdentityOf,
} from './attempt.ts';
import { findMatchingAccount, findOwner, type MatchingAccountRow, type PersonRow } from './identities-store.ts';

// Operation: keeps what the provider said, for the portal to exchange (specification, "External sign-in handoff" 1).

export interface OpenExchangeDeps {
  readonly database: Database;
  readonly keyring: Keyring;
}

/** A secret that lets in once, and how long. */
export interface NewExchange {
  /** Raw: it goes to the browser's cookie and nowhere else. */
  readonly secret: string;
  readonly lifeSeconds: number;
}

/**
 * Nothing of the person is created here, and nobody is signed in: that waits for the exchange.
 * @param marker raw, of the browser that began the sign-in: without it the exchange is not found
 * @throws ExternalRefusal EMAIL_MISSING, EMAIL_UNVERIFIED, ACCOUNT_HAS_OTHER_IDENTITY, ACCOUNT_EXISTS, when it is plain
 *   already that the exchange would be refused; PROVIDER_REFUSED
 */
export const openExchange = async (
  { database, keyring }: OpenExchangeDeps,
  provided: ProvidedIdentity,
  marker: string,
): Promise<NewExchange> => {
  const identity = knownIdentityOf(provided);
  const decision = await resolveAccount(database, identity);
  if (decision.kind === 'refuse') throw new ExternalRefusal(decision.code);
  const secret = newExchangeSecret();
  const hash = exchangeHashOf({ secret, marker });
  await database.execute(insertExchange, [
    hash,
    sealExchange(keyring, hash, { identity, found: foundBy(decision) }),
    exchangeLifeSeconds,
  ]);
  return { secret, lifeSeconds: exchangeLifeSeconds };
};

const foundBy = (decision: AccountResolution): FoundPerson | null =>
  'person' in decision ? { ...decision.person, isOwner: decision.kind === 'sign_in' } : null;

// What becomes of somebody whom the provider vouches for. Callback and exchange decide by this and nothing else.

export type AccountResolution =
  /** The identity is this person's. */
  | { readonly kind: 'sign_in'; readonly person: PersonRow }
  /** The address is this person's, and the provider says that it is the identity's too. */
  | { readonly kind: 'link'; readonly person: PersonRow; readonly isUnverified: boolean }
  | { readonly kind: 'create'; readonly email: string }
  | { readonly kind: 'refuse'; readonly code: ExternalRefusalCode };

/** Decides as things are now; who acts on it holds the rows that it depends on. */
export const resolveAccount = async (
  queryable: Pick<Queryable, 'maybeOne'>,
  identity: KnownIdentity,
): Promise<AccountResolution> => {
  const { issuer, subject, email } = identity;
  const owner = await queryable.maybeOne(findOwner, [issuer, subject]);
  if (owner !== null) return { kind: 'sign_in', person: owner };
  if (email === null) return { kind: 'refuse', code: 'EMAIL_MISSING' };
  if (!identity.isEmailVerified) return { kind: 'refuse', code: 'EMAIL_UNVERIFIED' };
  const account = await queryable.maybeOne(findMatchingAccount, [email, issuer]);
  const decision = account === null || account.neverCame ? create(email) : decisionFor(account, identity);
  if (decision.kind !== 'refuse') return decision;
  // Without the identity's lock, which the callback does not hold, it may be this identity that was linked meanwhile.
  const now = await queryable.maybeOne(findOwner, [issuer, subject]);
  return now === null ? decision : { kind: 'sign_in', person: now };
};

const create = (email: string): AccountResolution => ({ kind: 'create', email });

/**
 * Somebody new may have an address that was somebody else's: an account that knows the issuer's person for its own is
 * not given to another one, and an account whose address was proven here needs a provider that knows whose it is now.
 */
const decisionFor = (
  { userId, credentialsRevision, isUnverified, hasIdentityOfIssuer }: MatchingAccountRow,
  { isEmailAuthoritative }: KnownIdentity,
): AccountResolution => {
  if (hasIdentityOfIssuer) return { kind: 'refuse', code: 'ACCOUNT_HAS_OTHER_IDENTITY' };
  if (!isUnverified && !isEmailAuthoritative) return { kind: 'refuse', code: 'ACCOUNT_EXISTS' };
  return { kind: 'link', person: { userId, credentialsRevision }, isUnverified };
};

// The one-time secret of an exchange, and what waits under it: sealed, and bound to the hash under which it
// waits, so that a dump of the database tells nothing and what is written into it opens nothing.

/** Whom the callback found, as they were then. */
export interface FoundPerson extends PersonRow {
  /** The identity was theirs; otherwise the address is. */
  readonly isOwner: boolean;
}

/** An identity as the callback found it. */
export interface OpenedExchange {
  readonly identity: KnownIdentity;
  /** Null for nobody. */
  readonly found: FoundPerson | null;
}

/** From the callback until the portal must have fetched the session. */
export const exchangeLifeSeconds = 120;

const shape = /^[A-Za-z0-9_-]{43}$/;
const purpose = 'external exchange';

export const newExchangeSecret = (): string => randomBytes(32).toString('base64url');

/** Whether a text can be such a secret at all. Asks nobody. */
export const isWellFormedExchangeSecret = (text: string): boolean => shape.test(text);

/** What opens an exchange: the secret, in the browser that began the sign-in. Both raw. */
export interface ExchangeKey {
  readonly secret: string;
  readonly marker: string;
}

/** Where the exchange waits. With another marker the secret finds nothing, and nothing is burned. */
export const exchangeHashOf = ({ secret, marker }: ExchangeKey): Buffer => sha256(`${secret} ${marker}`);

export const sealExchange = (keyring: Keyring, hash: Buffer, exchange: OpenedExchange): Buffer =>
  keyring.seal(purpose, hash.toString('hex'), JSON.stringify(exchange));

/** Null for what was not sealed here, under this hash, or by a version that wrote something else. */
export const openSealedExchange = (keyring: Keyring, hash: Buffer, sealed: Buffer): OpenedExchange | null => {
  const text = keyring.open(purpose, hash.toString('hex'), sealed);
  return text === null ? null : parseExchange(JSON.parse(text));
};

const parseExchange = (value: unknown): OpenedExchange | null => {
  if (!isRecord(value)) return null;
  const { identity, found } = value;
  if (!isKnownIdentity(identity)) return null;
  return found === null || isFoundPerson(found) ? { identity, found } : null;
};

const isFoundPerson = (value: unknown): value is FoundPerson =>
  isRecord(value) &&
  typeof value['userId'] === 'string' &&
  typeof value['credentialsRevision'] === 'number' &&
  typeof value['isOwner'] === 'boolean';

// SQL of the table `external_exchanges`: what the provider said of somebody, until the portal fetches the session.

export const insertExchange = statement<unknown, [secretHash: Buffer, sealedIdentity: Buffer, lifeSeconds: number]>(
  'external_exchanges.insert',
  `INSERT INTO external_exchanges (secret_hash, sealed_identity, expires_at)
   VALUES ($1, $2, now() + $3 * interval '1 second')`,
);

/** The one statement that decides who gets an exchange. In another browser the hash is another, and the row stays. */
export const consumeExchange = statement<{ readonly sealedIdentity: Buffer }, [secretHash: Buffer]>(
  'external_exchanges.consume',
  `DELETE FROM external_exchanges WHERE secret_hash = $1 AND expires_at > now()
   RETURNING sealed_identity AS "sealedIdentity"`,
);

export const purgeExchanges = statement(
  'external_exchanges.purge',
  `DELETE FROM external_exchanges WHERE secret_hash = ANY (ARRAY(
     SELECT secret_hash FROM external_exchanges WHERE expires_at < now()
     ORDER BY expires_at LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED))`,
);
