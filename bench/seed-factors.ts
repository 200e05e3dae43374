/** Rows of second factors for seeded people: a passkey each, and a secret of one-time codes. */
import { generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import type pg from 'pg';
import { sealTotpSecret } from '../server/src/domain/factors/check-code.ts';
import { newTotpSecret } from '../server/src/domain/factors/codes.ts';
import { newId } from '../server/src/kernel/ids.ts';
import { Keyring } from '../server/src/kernel/secrets.ts';
import type { CodeHolder, PasskeyHolder } from './load/job.ts';
import type { Seeded } from './seed.ts';
import { origin } from './servers/settings.ts';

/** Each person has their own network, so that none of its limits is reached. */
const networkOf = (number: number): string => `198.19.${number >> 8}.${number % 256}`;

/** Gives every person a passkey with a key of its own. */
export const seedPasskeys = async (client: pg.ClientBase, { emails }: Seeded): Promise<readonly PasskeyHolder[]> => {
  const fresh = emails.map((_email, number) => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const [credentialId, userHandle] = [randomBytes(32), randomBytes(64)];
    const coseKey = coseKeyOf(publicKey.export({ format: 'jwk' }));
    return { credentialId, userHandle, coseKey, privateKey: privateKey.export({ format: 'jwk' }), number };
  });
  await client.query(insertPasskeys, [
    emails,
    fresh.map(() => newId()),
    fresh.map(({ credentialId }) => credentialId),
    fresh.map(({ coseKey }) => coseKey),
    fresh.map(({ userHandle }) => userHandle),
    new URL(origin).hostname,
  ]);
  return fresh.map(({ credentialId, userHandle, privateKey, number }) => ({
    credentialId: credentialId.toString('base64url'),
    userHandle: userHandle.toString('base64url'),
    privateKey,
    from: networkOf(number),
  }));
};

/** COSE_Key of an ES256 key (RFC 9053, section 7.1.1): a map of type, algorithm, curve, x and y, in CBOR. */
const coseKeyOf = ({ x = '', y = '' }: JsonWebKey): Buffer =>
  Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);

const insertPasskeys = `WITH fresh AS (
    SELECT * FROM unnest($1::text[], $2::uuid[], $3::bytea[], $4::bytea[], $5::bytea[])
      AS fresh (email, id, credential_id, public_key, user_handle)),
  holder AS (
    UPDATE users SET passkey_user_handle = fresh.user_handle FROM fresh WHERE users.email = fresh.email
    RETURNING users.id, fresh.id AS passkey_id)
  INSERT INTO passkeys (id, user_id, credential_id, public_key, signature_counter, transports, relying_party_id,
    is_backed_up, name)
  SELECT fresh.id, holder.id, fresh.credential_id, fresh.public_key, 0, ARRAY['internal'], $6, true, 'Bench'
  FROM fresh JOIN holder ON holder.passkey_id = fresh.id`;

/**
 * Gives every person one-time codes.
 * @param gatehouseSecret of the server that will open the secrets
 */
export const seedCodes = async (
  client: pg.ClientBase,
  { emails, password }: Seeded,
  gatehouseSecret: string,
): Promise<readonly CodeHolder[]> => {
  const keyring = new Keyring([gatehouseSecret]);
  const { rows } = await client.query<{ id: string; email: string }>(
    'SELECT id, email FROM users WHERE email = ANY ($1)',
    [emails],
  );
  const holders = rows.map(({ email }, number) => ({
    email,
    password,
    secret: newTotpSecret(),
    from: networkOf(number),
  }));
  const sealed = rows.map(({ id }, number) => sealTotpSecret(keyring, id, holders[number]?.secret ?? ''));
  await client.query(insertSecrets, [rows.map(({ id }) => id), sealed]);
  return holders;
};

const insertSecrets = `INSERT INTO totp_secrets (user_id, sealed_secret, last_step)
  SELECT user_id, sealed_secret, 0 FROM unnest($1::uuid[], $2::bytea[]) AS fresh (user_id, sealed_secret)`;

/** Forgets which time steps were used, so that the people of the last run can sign in at once. */
export const forgetSteps = async (client: pg.ClientBase): Promise<void> => {
  await client.query('UPDATE totp_secrets SET last_step = 0');
};
