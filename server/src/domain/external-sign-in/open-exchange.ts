/**
 * The exchange that a callback opens: how the provider's identity resolves to an account, the one-time secret, and the
 * sealed row under its hash (contract/accounts.md#account-of-an-identity).
 */
import { z } from 'zod';
import { type ExternalRefusalCode, externalRefusal } from '../../kernel/errors.ts';
import { type Keyring, randomSecret, sha256 } from '../../kernel/secrets.ts';
import { type Queryable, statement } from '../../platform/database/database.ts';
import { deletingExpired } from '../../platform/jobs/scheduled-jobs.ts';
import type { ProvidedIdentity } from '../../platform/oidc/identity-provider.ts';
import type { Deps } from '../access/deps.ts';
import { isReserved } from '../users/email-changes-store.ts';
import { type KnownIdentity, knownIdentity, knownIdentityOf } from './attempt.ts';
import { findMatchingAccount, findOwner, type MatchingAccountRow, type PersonRow } from './identities-store.ts';

/** The secret of a new exchange, valid once, and its lifetime. */
interface NewExchange {
  /** Raw: set as the browser's cookie and nowhere else. */
  readonly secret: string;
  readonly lifeSeconds: number;
}

/**
 * Stores an identity for the portal to exchange (contract/accounts.md#callback-of-the-provider); creates nothing else.
 * @param marker raw, of the browser that started the sign-in: without it the exchange is not found
 * @throws Refusal EMAIL_MISSING, EMAIL_UNVERIFIED, ACCOUNT_HAS_OTHER_IDENTITY, ACCOUNT_EXISTS, ACCOUNT_SUSPENDED: the
 *   exchange would be refused; PROVIDER_REFUSED: no valid identity
 */
export const openExchange = async (
  { database, keyring }: Deps<'database' | 'keyring'>,
  provided: ProvidedIdentity,
  marker: string,
): Promise<NewExchange> => {
  const identity = knownIdentityOf(provided);
  const decision = await resolveAccount(database, identity);
  if (decision.kind === 'refuse') throw externalRefusal(decision.code, null, { userId: decision.userId });
  const secret = randomSecret();
  const hash = exchangeHashOf({ secret, marker });
  await database.execute(insertExchange, [
    hash,
    sealExchange(keyring, hash, { identity, found: foundBy(decision) }),
    exchangeLifeSeconds,
  ]);
  return { secret, lifeSeconds: exchangeLifeSeconds };
};

const foundBy = (decision: AccountResolution): OpenedExchange['found'] => {
  if (!('person' in decision)) return null;
  const { userId, credentialsRevision } = decision.person;
  return { userId, credentialsRevision, isOwner: decision.kind === 'sign_in' };
};

// Account resolution for an identity that the provider vouches for. Callback and exchange decide by this alone.

export type AccountResolution =
  /** The identity belongs to this user. */
  | { readonly kind: 'sign_in'; readonly person: Person }
  /** The address belongs to this user, and the provider vouches that it is the identity's as well. */
  | { readonly kind: 'link'; readonly person: Person; readonly isUnverified: boolean }
  | { readonly kind: 'create'; readonly email: string }
  /** With the user whose account it is about, where there is one. */
  | { readonly kind: 'refuse'; readonly code: ExternalRefusalCode; readonly userId: string | null };

type Person = Omit<PersonRow, 'isSuspended'>;

/** Decides on the current rows; a caller that acts on the decision holds the rows that it depends on. */
export const resolveAccount = async (
  queryable: Pick<Queryable, 'maybeOne' | 'one'>,
  identity: KnownIdentity,
): Promise<AccountResolution> => {
  const { issuer, subject, email } = identity;
  const owner = await queryable.maybeOne(findOwner, [issuer, subject]);
  if (owner !== null) return signInOf(owner);
  if (email === null) return { kind: 'refuse', code: 'EMAIL_MISSING', userId: null };
  if (!identity.isEmailVerified) return { kind: 'refuse', code: 'EMAIL_UNVERIFIED', userId: null };
  const account = await queryable.maybeOne(findMatchingAccount, [email, issuer]);
  const decision =
    account === null || (account.isOnlyInvited && !account.isSuspended)
      ? await create(queryable, email)
      : decisionFor(account, identity);
  if (decision.kind !== 'refuse') return decision;
  // The callback does not hold the identity's lock, so this very identity may have been linked meanwhile.
  const now = await queryable.maybeOne(findOwner, [issuer, subject]);
  return now === null ? decision : signInOf(now);
};

const signInOf = ({ isSuspended, ...person }: PersonRow): AccountResolution =>
  isSuspended ? suspended(person) : { kind: 'sign_in', person };

const suspended = ({ userId }: Pick<PersonRow, 'userId'>): AccountResolution => ({
  kind: 'refuse',
  code: 'ACCOUNT_SUSPENDED',
  userId,
});

/** An address that is reserved has an account until its former owner can no longer put it back. */
const create = async (queryable: Pick<Queryable, 'one'>, email: string): Promise<AccountResolution> =>
  (await queryable.one(isReserved, [email])).held
    ? { kind: 'refuse', code: 'ACCOUNT_EXISTS', userId: null }
    : { kind: 'create', email };

/**
 * An address may have a new owner: no second identity of an issuer is linked, and an account verified here needs a
 * provider that is authoritative for the address.
 */
const decisionFor = (
  { userId, credentialsRevision, isUnverified, isSuspended, isOnlyInvited, hasIdentityOfIssuer }: MatchingAccountRow,
  { isEmailAuthoritative }: KnownIdentity,
): AccountResolution => {
  if (hasIdentityOfIssuer) return { kind: 'refuse', code: 'ACCOUNT_HAS_OTHER_IDENTITY', userId };
  if (!(isUnverified || isOnlyInvited || isEmailAuthoritative))
    return { kind: 'refuse', code: 'ACCOUNT_EXISTS', userId };
  if (isSuspended) return suspended({ userId });
  return { kind: 'link', person: { userId, credentialsRevision }, isUnverified };
};

// An exchange is sealed and bound to its secret's hash: neither a dump of the database nor a written row opens one.

const openedExchange = z
  .object({
    identity: knownIdentity,
    /** The user that the callback found, as of then; null when there was none. */
    found: z
      .object({
        userId: z.string(),
        credentialsRevision: z.number(),
        /** True when the identity was theirs; otherwise the address is. */
        isOwner: z.boolean(),
      })
      .readonly()
      .nullable(),
  })
  .readonly();
export type OpenedExchange = z.infer<typeof openedExchange>;

/** In seconds, from the callback until the portal must have exchanged the secret. */
const exchangeLifeSeconds = 120;

const shape = /^[A-Za-z0-9_-]{43}$/;
const purpose = 'external exchange';

/** Whether a text has the format of such a secret. Makes no look-up. */
export const isWellFormedExchangeSecret = (text: string): boolean => shape.test(text);

/** The key of an exchange: the secret, in the browser that started the sign-in. Both raw. */
export interface ExchangeKey {
  readonly secret: string;
  readonly marker: string;
}

/** The hash that the exchange is stored under: with another marker the secret finds and consumes nothing. */
export const exchangeHashOf = ({ secret, marker }: ExchangeKey): Buffer => sha256(`${secret} ${marker}`);

const sealExchange = (keyring: Keyring, hash: Buffer, exchange: OpenedExchange): Buffer =>
  keyring.seal(purpose, hash.toString('hex'), JSON.stringify(exchange));

/** Null when the value was not sealed here, not under this hash, or by a version with another format. */
export const openSealedExchange = (keyring: Keyring, hash: Buffer, sealed: Buffer): OpenedExchange | null => {
  const text = keyring.open(purpose, hash.toString('hex'), sealed);
  return text === null ? null : (openedExchange.safeParse(JSON.parse(text)).data ?? null);
};

// SQL of the table `external_exchanges`: the provider's identities until the portal exchanges them.

const insertExchange = statement<unknown, [secretHash: Buffer, sealedIdentity: Buffer, lifeSeconds: number]>(
  'external_exchanges.insert',
  `INSERT INTO external_exchanges (secret_hash, sealed_identity, expires_at)
   VALUES ($1, $2, now() + $3 * interval '1 second')`,
);

/** Consumes an exchange: this statement decides which request gets it. In another browser the hash differs. */
export const consumeExchange = statement<{ readonly sealedIdentity: Buffer }, [secretHash: Buffer]>(
  'external_exchanges.consume',
  `DELETE FROM external_exchanges WHERE secret_hash = $1 AND expires_at > now()
   RETURNING sealed_identity AS "sealedIdentity"`,
);

/** Whether an exchange waits for the portal. */
const isOpen = statement<{ readonly open: boolean }, [secretHash: Buffer]>(
  'external_exchanges.is_open',
  'SELECT EXISTS (SELECT 1 FROM external_exchanges WHERE secret_hash = $1 AND expires_at > now()) AS open',
);

/** Whether the portal can still exchange a secret. */
export const isExchangeOpen = async ({ database }: Deps<'database'>, key: ExchangeKey): Promise<boolean> =>
  (await database.one(isOpen, [exchangeHashOf(key)])).open;

export const purgeExchanges = deletingExpired('external_exchanges', 'secret_hash', 'expires_at', [
  'expires_at < now()',
]);
