/** Changes of an address over HTTP: requested, and followed by the links in their mails. */
import { type Answer, newAddress, operations, post, type Tokens } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { runAs } from './tenants.ts';

export interface Signed {
  readonly email: string;
  readonly tokens: Tokens;
}

export const requestChange = (service: Pick<Service, 'url'>, { tokens }: Pick<Signed, 'tokens'>, newEmail: string) =>
  runAs(service, { tokens }, operations.requestEmailChange, { newEmail });

export const confirmChange = (service: Pick<Service, 'url'>, tokens: Tokens, token: string): Promise<Answer> =>
  runAs(service, { tokens }, operations.confirmEmailChange, { token });

export const undoChange = (service: Pick<Service, 'url'>, token: string): Promise<Answer> =>
  post(service.url, operations.undoEmailChange, { token });

const tokensIn = async (service: Service, email: string, path: string): Promise<string[]> => {
  const pattern = new RegExp(`${path}/([0-9a-f]{64})$`, 'm');
  return (await service.mailsTo(email)).flatMap(({ text }) => pattern.exec(text)?.[1] ?? []);
};

/** The newest link in the mails to an address. Throws when there is none. */
const newestIn = async (service: Service, email: string, path: string): Promise<string> => {
  const [token] = await tokensIn(service, email, path);
  if (token === undefined) throw new Error(`No mail to ${email} has a link to ${path}`);
  return token;
};

/** Raw tokens of the links that confirm an address, newest first. */
export const confirmTokens = (service: Service, email: string): Promise<string[]> =>
  tokensIn(service, email, '/account/email');

export const confirmTokenOf = (service: Service, email: string): Promise<string> =>
  newestIn(service, email, '/account/email');

export const undoTokenOf = (service: Service, email: string): Promise<string> =>
  newestIn(service, email, '/account/email/undo');

export interface ChangedAddress {
  readonly newEmail: string;
  /** Raw tokens of the two links. */
  readonly confirmToken: string;
  readonly undoToken: string;
}

/** Changes the person's address by the mails; throws when that is refused. */
export const changeAddress = async (
  service: Service,
  person: Signed,
  newEmail = newAddress(),
): Promise<ChangedAddress> => {
  await requestChange(service, person, newEmail);
  const confirmToken = await confirmTokenOf(service, newEmail);
  const answer = await confirmChange(service, person.tokens, confirmToken);
  if (answer.code !== null) throw new Error(`Not confirmed: ${answer.text}`);
  return { newEmail, confirmToken, undoToken: await undoTokenOf(service, person.email) };
};

/** As if all that is stored of changes had happened this much earlier; what was added since stays as it is. */
export const ageChanges = async ({ sql }: Pick<Service, 'sql'>, interval: string): Promise<void> => {
  await sql(
    `UPDATE email_changes SET requested_at = requested_at - $1::interval, expires_at = expires_at - $1::interval,
       confirmed_at = confirmed_at - $1::interval, notice_sent_at = notice_sent_at - $1::interval`,
    [interval],
  );
};

/** As if the account had begun this much earlier. */
export const ageAccount = async ({ sql }: Pick<Service, 'sql'>, email: string, interval: string): Promise<void> => {
  await sql(
    `UPDATE users SET created_at = created_at - $2::interval, signed_up_at = signed_up_at - $2::interval WHERE email = $1`,
    [email, interval],
  );
};

/** As if all that accounts lost had gone this much earlier. */
export const ageLosses = async ({ sql }: Pick<Service, 'sql'>, interval: string): Promise<void> => {
  await sql('UPDATE former_authenticators SET replaced_at = replaced_at - $1::interval', [interval]);
};

/** A passkey, one-time codes with a recovery code, and an unconfirmed enrolment, added now or this long ago. */
export const addFactors = async ({ sql }: Pick<Service, 'sql'>, userId: string, age = '0 seconds'): Promise<void> => {
  const values = [userId, age];
  await sql(
    `INSERT INTO passkeys (id, user_id, credential_id, public_key, signature_counter, transports, relying_party_id,
       is_backup_eligible, is_backed_up, name, created_at)
     VALUES (gen_random_uuid(), $1, uuid_send(gen_random_uuid()), '', 0, '{}', 'localhost', true, false, 'Key',
       now() - $2::interval)`,
    values,
  );
  await sql(
    `INSERT INTO totp_secrets (user_id, sealed_secret, confirmed_at, last_step) VALUES ($1, '', now() - $2::interval, 0)`,
    values,
  );
  await sql(
    `INSERT INTO recovery_codes (user_id, code_hash, created_at) VALUES ($1, '', now() - $2::interval)`,
    values,
  );
  await sql(
    `INSERT INTO totp_enrolments (user_id, sealed_secret, expires_at) VALUES ($1, '', now()) ON CONFLICT DO NOTHING`,
    [userId],
  );
};
