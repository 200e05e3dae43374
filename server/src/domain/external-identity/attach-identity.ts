/** An identity becomes a way to sign in to an account that is there already, and its person is told. */
import type { Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { MailQueue } from '../../platform/mail/outbox.ts';
import { getAddressee } from '../users/users-store.ts';
import { insertIdentity } from './identities-store.ts';
import type { KnownIdentity } from './known-identity.ts';
import { type Linking, linkedMail } from './mails.ts';

export interface TellDeps {
  readonly mail: MailQueue;
  readonly logger: Logger;
  readonly settings: {
    readonly frontendUrl: string;
    /** Null where there is none any more. */
    readonly externalProvider: { readonly displayName: string } | null;
  };
}

/** In mails, for who has an identity of a provider that is not configured any more. */
export const providerName = ({ externalProvider }: TellDeps['settings']): string =>
  externalProvider?.displayName ?? 'the outside provider';

/** The caller holds the identity's lock and the person's row, and has decided by what it read after that. */
export const attachIdentity = async (
  { mail, logger, settings }: TellDeps,
  transaction: Transaction,
  userId: string,
  { issuer, subject, email }: KnownIdentity,
  linking: Linking,
): Promise<void> => {
  const isByAddress = linking === 'by_address';
  const inserted = await transaction.one(insertIdentity, [issuer, subject, userId, email, isByAddress]);
  const addressee = await transaction.one(getAddressee, [userId]);
  const letter = {
    to: addressee.email,
    name: addressee.name,
    provider: providerName(settings),
    email,
    at: inserted.linkedAt,
  };
  await mail.enqueue(transaction, linkedMail(settings.frontendUrl, { ...letter, ...inserted }, linking));
  transaction.afterCommit(() =>
    logger.info(
      { event: 'auth.external_identity_linked', userId, linking },
      'An external identity became a way to sign in to an account',
    ),
  );
};
