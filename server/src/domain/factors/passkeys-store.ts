/** SQL of passkeys and of the handles under which authenticators store them; the notice of useless ones. */
import { statement } from '../../platform/database/database.ts';
import type { Deps, Settings } from '../access/deps.ts';

/** A passkey as its owner sees it: the source object of the GraphQL type Passkey. */
export interface PasskeyRow {
  readonly id: string;
  readonly name: string;
  /** Whether it is stored on several devices, as it reported last. */
  readonly isBackedUp: boolean;
  /** The passkey works only while this is the service's. */
  readonly relyingPartyId: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const ownColumns = `id, name, is_backed_up AS "isBackedUp", relying_party_id AS "relyingPartyId",
     created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

/** Oldest first. */
export const listPasskeys = statement<PasskeyRow, [userId: string]>(
  'passkeys.list_of_user',
  `SELECT ${ownColumns} FROM passkeys WHERE user_id = $1 ORDER BY created_at, id`,
);

/** A passkey as the options of a ceremony name it. */
export interface CredentialDescriptorRow {
  readonly credentialId: Buffer;
  readonly transports: readonly string[];
}

/** The passkeys of a user that work at a relying party. */
export const listDescriptors = statement<CredentialDescriptorRow, [userId: string, relyingPartyId: string]>(
  'passkeys.list_descriptors',
  `SELECT credential_id AS "credentialId", transports FROM passkeys
   WHERE user_id = $1 AND relying_party_id = $2 ORDER BY created_at, id`,
);

/** The user handle of a person's passkeys: the existing one, else the given one from now on. */
export const giveUserHandle = statement<{ readonly userHandle: Buffer }, [userId: string, fresh: Buffer]>(
  'passkeys.give_user_handle',
  `UPDATE users SET passkey_user_handle = coalesce(passkey_user_handle, $2) WHERE id = $1
   RETURNING passkey_user_handle AS "userHandle"`,
);

/** Inserts a passkey; no row when its credential id is registered already, by whomever. */
export const insertPasskey = statement<
  PasskeyRow,
  [
    id: string,
    userId: string,
    credentialId: Buffer,
    publicKey: Buffer,
    signatureCounter: number,
    transports: readonly string[],
    relyingPartyId: string,
    isBackupEligible: boolean,
    isBackedUp: boolean,
    name: string,
  ]
>(
  'passkeys.insert',
  `INSERT INTO passkeys (id, user_id, credential_id, public_key, signature_counter, transports, relying_party_id,
     is_backup_eligible, is_backed_up, name)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   ON CONFLICT (credential_id) DO NOTHING
   RETURNING ${ownColumns}`,
);

export const setPasskeyName = statement<PasskeyRow, [id: string, userId: string, name: string]>(
  'passkeys.set_name',
  `UPDATE passkeys SET name = $3 WHERE id = $1 AND user_id = $2 RETURNING ${ownColumns}`,
);

export const findOwnPasskey = statement<PasskeyRow, [id: string, userId: string]>(
  'passkeys.find_own',
  `SELECT ${ownColumns} FROM passkeys WHERE id = $1 AND user_id = $2`,
);

/**
 * Removes a passkey unless it works here and is the last way to sign in: no password, identity at the configured
 * provider or other passkey that works. The caller holds the user's row, so that none of these changes.
 */
export const deletePasskey = statement<
  { readonly id: string },
  [id: string, userId: string, relyingPartyId: string, issuer: string | null]
>(
  'passkeys.delete',
  `DELETE FROM passkeys p USING users u
   WHERE p.id = $1 AND p.user_id = $2 AND u.id = p.user_id AND (
     p.relying_party_id <> $3 OR u.password_hash IS NOT NULL
     OR EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = u.id AND i.issuer = $4)
     OR EXISTS (SELECT 1 FROM passkeys o WHERE o.user_id = u.id AND o.id <> p.id AND o.relying_party_id = $3))
   RETURNING p.id`,
);

/** Whether a user can sign in with a passkey. @param relyingPartyId the service's; null where it has no passkeys */
export const hasUsablePasskey = statement<{ readonly has: boolean }, [userId: string, relyingPartyId: string | null]>(
  'passkeys.has_usable',
  'SELECT EXISTS (SELECT 1 FROM passkeys WHERE user_id = $1 AND relying_party_id = $2) AS has',
);

/** How many passkeys a user has, with those that work at another relying party only. */
export const countPasskeys = statement<{ readonly passkeys: number }, [userId: string]>(
  'passkeys.count_of_user',
  'SELECT count(*)::integer AS passkeys FROM passkeys WHERE user_id = $1',
);

/** How many passkeys work at another relying party only. */
const countUnusablePasskeys = statement<{ readonly passkeys: number }, [relyingPartyId: string | null]>(
  'passkeys.count_useless',
  'SELECT count(*)::integer AS passkeys FROM passkeys WHERE relying_party_id IS DISTINCT FROM $1',
);

/**
 * Logs how many passkeys were created with another relying party id and do not work any more. Never throws: it is a
 * notice at the start, and the start does not depend on it.
 */
export const logUnusablePasskeys = async ({
  database,
  logger,
  settings,
}: Deps<'database' | 'logger'> & Settings<'relyingParty'>): Promise<void> => {
  try {
    const { passkeys } = await database.one(countUnusablePasskeys, [settings.relyingParty?.id ?? null]);
    if (passkeys === 0) return;
    const line = { event: 'passkeys.other_relying_party', passkeys } as const;
    logger.warn(line, 'Some passkeys were created with another WEBAUTHN_RP_ID and do not work with this one');
  } catch (error) {
    const line = { event: 'passkeys.not_counted', err: error } as const;
    logger.warn(line, 'The passkeys of other relying parties were not counted');
  }
};
