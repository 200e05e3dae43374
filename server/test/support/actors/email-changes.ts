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
