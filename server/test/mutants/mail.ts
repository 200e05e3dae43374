/** Faults in mails: when one is queued, how it is stored, and how hostile text gets into it. */
import type { Fault } from './mutant.ts';

const verification = ['server/test/accounts/email-verification.engine.test.ts'];

export const mail: readonly Fault[] = [
  {
    rule: 'A mail is queued in the transaction that causes it.',
    file: 'server/src/platform/mail/outbox.ts',
    find: 'await transaction.execute(insertMail, [id, sealed]);',
    replace: 'setImmediate(() => void deps.database.execute(insertMail, [id, sealed]));',
    tests: ['server/test/mail/outbox.engine.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A worker claims no more mails than its limit, by any plan of the statement.',
    file: 'server/src/platform/mail/outbox.ts',
    find: `WHERE id = ANY (ARRAY(
     SELECT id FROM mail_outbox WHERE next_attempt_at <= now()
     ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED))`,
    replace: `WHERE id IN (
     SELECT id FROM mail_outbox WHERE next_attempt_at <= now()
     ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    tests: ['server/test/mail/outbox.engine.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A mail that cannot be opened waits for the right secret.',
    file: 'server/src/platform/mail/outbox.ts',
    find: 'if (ageSeconds > abandonAfterSeconds) await database.execute(deleteMail, [id]);',
    replace: 'if (ageSeconds >= 0) await database.execute(deleteMail, [id]);',
    tests: ['server/test/mail/outbox.engine.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A sent mail is deleted from the queue.',
    file: 'server/src/platform/mail/outbox.ts',
    find: `this.#sent.add(mail.id);
    await this.#forget(mail.id);`,
    replace: '',
    tests: ['server/test/mail/outbox.engine.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A permanently refused mail is not retried.',
    file: 'server/src/platform/mail/outbox.ts',
    find: 'if (isFinal) await database.execute(deleteMail, [mail.id]);',
    replace: '',
    tests: ['server/test/mail/outbox.engine.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'The log of a failed mail does not quote the answer of the mail server.',
    file: 'server/src/platform/mail/outbox.ts',
    find: 'return `${error.name} ${code} ${status}`.trimEnd();',
    replace: 'return `${error.name} ${code} ${status} ${error.message}`.trimEnd();',
    tests: ['server/test/mail/outbox.engine.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A name in a mail is not markup.',
    file: 'server/src/platform/mail/message.ts',
    find: "text.replaceAll(/[&<>\"']/g, (sign) => escapes[sign] ?? '');",
    replace: "text.replaceAll(/[&>\"']/g, (sign) => escapes[sign] ?? '');",
    tests: ['server/test/mail/mail.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A name in a mail becomes no link.',
    file: 'server/src/platform/mail/message.ts',
    find: 'text.replaceAll(dotInsideWord, `$&${wordJoiner}`);',
    replace: 'text.replaceAll(wordJoiner, dotInsideWord.source.slice(0, 0));',
    tests: ['server/test/mail/mail.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A name with a line break starts no header and no paragraph.',
    file: 'server/src/platform/mail/message.ts',
    find: String.raw`text.replaceAll(/\s+/g, ' ').trim();`,
    replace: 'text.trim();',
    tests: ['server/test/mail/mail.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'An address gets one mail about its account in an hour.',
    file: 'server/src/domain/users/users-store.ts',
    find: "account_mail_sent_at <= now() - interval '1 hour')",
    replace: "account_mail_sent_at <= now() - interval '1 second')",
    tests: verification,
    command: 'npm test',
  },
  {
    rule: 'The owner of a registered address is informed of a sign-up with it.',
    file: 'server/src/domain/accounts/verify-email.ts',
    find: 'if (owner !== null) return alreadyRegisteredMail(',
    replace: "if (owner !== null && owner.email === '') return alreadyRegisteredMail(",
    tests: verification,
    command: 'npm test',
  },
  {
    rule: 'The link of a mail carries only a redirect to the front ends.',
    file: 'server/src/domain/accounts/sign-up.ts',
    find: 'redirect: redirectOf(input.redirect, returnOrigins(deps)) };',
    replace: "redirect: redirectOf('/', returnOrigins(deps)) === null ? null : (input.redirect ?? null) };",
    tests: verification,
    command: 'npm test',
  },
  {
    rule: 'A verification link works for 24 hours.',
    file: 'server/src/domain/users/users-store.ts',
    find: `WHERE email_validation_token_hash = $1 AND email_validation_expires_at > now()
     AND (`,
    replace: `WHERE email_validation_token_hash = $1
     AND (`,
    tests: verification,
    command: 'npm test',
  },
  {
    rule: 'An invitation is open for seven days.',
    file: 'server/src/domain/invitations/invitations-store.ts',
    find: "const life = `now() + interval '7 days'`;",
    replace: "const life = `now() + interval '8 days'`;",
    tests: ['server/test/invitations/invite-member.test.ts'],
    command: 'npm test',
  },
  {
    rule: "A mail has the language of its recipient's account.",
    file: 'server/src/platform/mail/outbox.ts',
    find: '(await findLanguage?.(transaction, accounts)) ??',
    replace: '(await findLanguage?.(transaction, accounts.slice(1))) ??',
    tests: ['server/test/mail/language.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A mail to a person without a choice has the language of the request.',
    file: 'server/src/platform/mail/outbox.ts',
    find: 'acceptedLanguage(workInProgress()?.acceptLanguage) ??',
    replace: 'acceptedLanguage(workInProgress()?.correlationId) ??',
    tests: ['server/test/mail/language.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A name in a mail begins no paragraph.',
    file: 'server/src/platform/mail/compose.ts',
    find: String.raw`text.replaceAll(/\s+/g, ' ').trim();`,
    replace: 'text.trim();',
    tests: ['server/test/mail/texts.pure.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A text that the application replaces has only the placeholders of its mail.',
    file: 'server/src/kernel/placeholders.ts',
    find: 'if (kind === undefined) return unknownPlaceholder(',
    replace: "if (kind === undefined && name === '') return unknownPlaceholder(",
    tests: ['server/test/application/definition.pure.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A person chooses only a language that exists.',
    file: 'server/src/domain/sessions/own-account.ts',
    find: 'if (typed !== null && !isLanguage(typed)) {',
    replace: "if (typed === '') {",
    tests: ['server/test/mail/language.test.ts'],
    command: 'npm test',
  },
];
