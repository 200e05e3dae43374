/** Operation: keeps what the provider said, for the portal to exchange (specification, "External sign-in handoff" 1). */
import type { Keyring } from '../../kernel/secrets.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ProvidedIdentity } from '../../platform/identity-provider.ts';
import { decideEntrance, type EntranceDecision } from './decide-entrance.ts';
import {
  exchangeHashOf,
  exchangeLifeSeconds,
  type FoundPerson,
  newExchangeSecret,
  sealExchange,
} from './exchange-secret.ts';
import { insertExchange } from './exchanges-store.ts';
import { ExternalRefusal } from './external-refusal.ts';
import { knownIdentityOf } from './known-identity.ts';

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
  const decision = await decideEntrance(database, identity);
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

const foundBy = (decision: EntranceDecision): FoundPerson | null =>
  'person' in decision ? { ...decision.person, isOwner: decision.kind === 'sign_in' } : null;
