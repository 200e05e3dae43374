/** Doctor check of mail: whether the mail server accepts this configuration's login. Sends no mail. */
import type { Config } from '../../config/config.ts';
import { isMailEncrypted } from '../../config/problems.ts';
import { present } from '../../kernel/collections.ts';
import { verifySmtp } from '../../platform/mail/transport.ts';
import { type Finding, findingsOn } from './findings.ts';

const { ok, warning, error } = findingsOn('mail');

export const checkMail = async (config: Config): Promise<Finding[]> => {
  const { smtpUrl, smtpEhloName: ehloName } = config;
  if (smtpUrl === undefined) return [ok('Mail goes to the development mailbox, /dev/mailbox; SMTP_URL is not set.')];
  const server = placeOf(smtpUrl);
  const found = await verifySmtp({ url: smtpUrl, ehloName }).then(
    () => ok(`The mail server at ${server} accepts this configuration.`),
    (thrown: unknown) => failedVerification(thrown, server),
  );
  return present(found, encryptionFinding(smtpUrl, config), senderFinding(config));
};

const placeOf = (url: string): string => {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname}:${port || (protocol === 'smtps:' ? '465' : '587')}`;
};

/** Chosen by the step that failed. Omits the reply of the server, which may quote what was sent. */
const failedVerification = (thrown: unknown, server: string): Finding => {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const status = thrown instanceof Error && 'responseCode' in thrown ? ` (${Number(thrown.responseCode)})` : '';
  switch (code) {
    case 'EAUTH':
    case 'ENOAUTH':
      return error(
        `The mail server at ${server} refused the user or the password${status}.`,
        'Correct user and password in SMTP_URL; characters such as @ and / are percent-encoded there.',
      );
    case 'ETLS':
      return error(
        `The TLS handshake with the mail server at ${server} failed.`,
        'Use smtps:// for a port that begins with TLS, usually 465, and smtp:// for one that upgrades, usually 587; its certificate must name the host in SMTP_URL.',
      );
    case 'EDNS':
      return error(`The host name of the mail server ${server} cannot be resolved.`, 'Correct the host in SMTP_URL.');
    default:
      return error(
        `The mail server at ${server} cannot be reached, or does not speak SMTP there${status}.`,
        'Correct host and port in SMTP_URL, start the server, or open the firewall; use smtps:// only for a port that begins with TLS.',
      );
  }
};

const encryptionFinding = (url: string, { isHardened }: Config): Finding | null => {
  const hasPassword = new URL(url).username !== '';
  if (isMailEncrypted(url) || !(isHardened || hasPassword)) return null;
  return warning(
    `SMTP_URL is smtp://${hasPassword ? ' with a password' : ''}: an attacker on the network could prevent the encryption of the connection, and read the links in mails.`,
    'Use smtps://, or add ?requireTLS=true to SMTP_URL; then SMTP_PLAINTEXT is not needed.',
  );
};

const senderFinding = ({ isHardened, mailFrom }: Config): Finding | null => {
  const domain = mailFrom.address.slice(mailFrom.address.indexOf('@') + 1).toLowerCase();
  const isOwn =
    domain.includes('.') && !/(^|\.)(example|test|invalid|localhost)$|^example\.(com|net|org)$/.test(domain);
  if (!isHardened || isOwn) return null;
  return warning(
    'MAIL_FROM is at a reserved domain, so mail servers will refuse the mails or mark them as spam.',
    'Set MAIL_FROM to an address at a domain of yours whose SPF and DKIM records allow the mail server.',
  );
};
