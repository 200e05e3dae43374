/** What signs in to an account goes back to 72 hours before the request when a change of its address is undone. */
import { describe, expect, it } from 'vitest';
import { removeSecondFactorByOperator, setPasswordByOperator } from '../../src/domain/session-admin/operator-shell.ts';
import { cheapPasswords } from '../../src/testing/cheap-passwords.ts';
import {
  addFactors,
  ageAccount,
  ageLosses,
  changeAddress,
  confirmTokenOf,
  undoChange,
  undoTokenOf,
} from '../support/actors/email-changes.ts';
import { runAs } from '../support/actors/tenants.ts';
import {
  type Answer,
  goodPassword,
  newAddress,
  operations,
  post,
  registerAndSignIn,
  signIn,
  type Tokens,
} from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { identitiesOf, link, newIdentity, providerSettings, signInExternally } from '../support/servers/external.ts';

const service = serviceFixture(providerSettings);

const thiefsPassword = 'Another.1word';
const secondPassword = 'Yet.2another';

interface Account {
  readonly id: string;
  readonly email: string;
  readonly tokens: Tokens;
}

const idOf = async (email: string): Promise<string> =>
  (await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email])) ?? '';

const newAccount = async (): Promise<Account> => {
  const person = await registerAndSignIn(service);
  await ageAccount(service, person.email, '200 hours');
  return { ...person, id: await idOf(person.email) };
};

const signInWith = async (email: string, password: string): Promise<string | null> =>
  (await post(service.url, operations.signIn, { input: { email, password } })).code;

const changePassword = async (person: Pick<Account, 'tokens'>, currentPassword: string, newPassword: string) => {
  const answer = await runAs(service, person, operations.changePassword, { input: { currentPassword, newPassword } });
  expect(answer.code).toBeNull();
};

const linkTo = async ({ id, tokens }: Account): Promise<void> => {
  const session = 'SELECT session_family_id FROM credentials WHERE user_id = $1 LIMIT 1';
  const sessionFamilyId = (await service.sql.value<string>(session, [id])) ?? '';
  const request = { userId: id, sessionFamilyId, presentedTokens: [tokens.accessToken] };
  expect((await link(service, request, newIdentity())).kind).toBe('linked');
};

const tables = ['passkeys', 'totp_secrets', 'recovery_codes', 'external_identities'] as const;

/** Every column of every row that signs in to the account, beside its password. */
const authenticatorsOf = async (userId: string): Promise<unknown> => {
  const rows = tables.map((table) => `SELECT to_jsonb(t) AS row FROM ${table} t WHERE user_id = $1`);
  return service.sql(rows.join(' UNION ALL '), [userId]);
};

const deleteAuthenticators = async (userId: string): Promise<void> => {
  for (const table of tables) await service.sql(`DELETE FROM ${table} WHERE user_id = $1`, [userId]);
};

const changeAndUndo = async (person: Account): Promise<Answer> =>
  undoChange(service, (await changeAddress(service, person)).undoToken);

const formerOf = (userId: string): Promise<unknown> =>
  service.sql('SELECT FROM former_authenticators WHERE user_id = $1', [userId]);

describe('Undoing a change of address', () => {
  // Contract: account#undo-of-a-change — undoEmailChange does not give the account to who changed the password before
  //   the request
  it('puts back the password of before a person who changed it an hour before the request', async () => {
    const person = await newAccount();
    await changePassword(person, goodPassword, thiefsPassword);
    await ageLosses(service, '1 hour');
    await changeAndUndo(person);
    expect(await signInWith(person.email, thiefsPassword)).toBe('INVALID_CREDENTIALS');
    expect(await signInWith(person.email, goodPassword)).toBeNull();
    const [mail] = await service.mailsTo(person.email);
    expect(mail?.text).toContain('passkeys, one-time codes and connections to a provider of that time');
  });

  it('puts back the first of several passwords, replaced before and after the change', async () => {
    const person = await newAccount();
    await changePassword(person, goodPassword, thiefsPassword);
    await changePassword(person, thiefsPassword, secondPassword);
    const { undoToken } = await changeAddress(service, person);
    await changePassword(person, secondPassword, thiefsPassword);
    await undoChange(service, undoToken);
    expect(await signInWith(person.email, goodPassword)).toBeNull();
  });

  it('puts back that there was no password', async () => {
    const person = await newAccount();
    await service.sql('UPDATE users SET password_hash = NULL WHERE id = $1', [person.id]);
    await ageLosses(service, '100 hours');
    const input = { newPassword: thiefsPassword };
    expect((await runAs(service, person, operations.changePassword, { input })).code).toBeNull();
    await changeAndUndo(person);
    expect(await signInWith(person.email, thiefsPassword)).toBe('INVALID_CREDENTIALS');
    expect(await service.sql.value('SELECT password_hash FROM users WHERE id = $1', [person.id])).toBeNull();
  });

  it('leaves a password that was set more than 72 hours before the request', async () => {
    const person = await newAccount();
    await changePassword(person, goodPassword, secondPassword);
    await ageLosses(service, '72 hours');
    await changeAndUndo(person);
    expect(await signInWith(person.email, secondPassword)).toBeNull();
    expect(await signInWith(person.email, goodPassword)).toBe('INVALID_CREDENTIALS');
  });

  // Contract: account#undo-of-a-change — undoEmailChange restores the factors of 72 hours before the request
  it('puts back all columns of what was removed, and takes away what was added instead', async () => {
    const person = await newAccount();
    await addFactors(service, person.id, '100 hours');
    await linkTo(person);
    await service.sql(
      `UPDATE external_identities SET linked_at = now() - interval '100 hours', email = 'a@b.example' WHERE user_id = $1`,
      [person.id],
    );
    await service.sql('UPDATE passkeys SET last_used_at = now(), transports = $2 WHERE user_id = $1', [
      person.id,
      ['usb', 'nfc'],
    ]);
    const before = await authenticatorsOf(person.id);
    await deleteAuthenticators(person.id);
    await addFactors(service, person.id, '1 hour');
    await changeAndUndo(person);
    expect(await authenticatorsOf(person.id)).toEqual(before);
    expect(await formerOf(person.id)).toEqual([]);
  });

  it('puts back one-time codes that others replaced, and codes that were used stay used', async () => {
    const person = await newAccount();
    await addFactors(service, person.id, '100 hours');
    await service.sql('UPDATE recovery_codes SET used_at = now() WHERE user_id = $1', [person.id]);
    const before = await authenticatorsOf(person.id);
    await service.sql(
      `UPDATE totp_secrets SET sealed_secret = '\\x01', confirmed_at = now(), last_step = 7 WHERE user_id = $1`,
      [person.id],
    );
    await service.sql('DELETE FROM recovery_codes WHERE user_id = $1', [person.id]);
    await changeAndUndo(person);
    expect(await authenticatorsOf(person.id)).toEqual(before);
  });

  it('keeps nothing of a use of a code', async () => {
    const person = await newAccount();
    await addFactors(service, person.id);
    // A use seals the same secret again, with the key of now.
    await service.sql(`UPDATE totp_secrets SET last_step = 8, sealed_secret = '\\x08' WHERE user_id = $1`, [person.id]);
    expect(await formerOf(person.id)).toEqual([]);
  });

  it('leaves the provider with which a younger account began', async () => {
    const { browser, user } = await signInExternally(service, newIdentity());
    const newEmail = newAddress();
    await browser.run(operations.requestEmailChange, { newEmail });
    await browser.run(operations.confirmEmailChange, { token: await confirmTokenOf(service, newEmail) });
    await undoChange(service, await undoTokenOf(service, user.email));
    expect(await identitiesOf(service, user.email)).toHaveLength(1);
  });

  it('does not return to what was there between, when a later change is undone', async () => {
    const person = await newAccount();
    await changePassword(person, goodPassword, thiefsPassword);
    await changeAndUndo(person);
    await changeAndUndo({ ...person, tokens: await signIn(service, person.email) });
    expect(await signInWith(person.email, goodPassword)).toBeNull();
  });

  it('leaves what the operator did, also after the change', async () => {
    const person = await newAccount();
    await addFactors(service, person.id, '100 hours');
    await changePassword(person, goodPassword, thiefsPassword);
    const { newEmail, undoToken } = await changeAddress(service, person);
    const { database, mail, config } = service;
    const deps = { database, mail, settings: config, passwords: cheapPasswords, logger: silentLogger };
    const set = await setPasswordByOperator(deps, newEmail);
    await removeSecondFactorByOperator(deps, newEmail);
    await undoChange(service, undoToken);
    expect(await signInWith(person.email, set?.password ?? '')).toBeNull();
    expect(await authenticatorsOf(person.id)).toEqual([]);
  });
});

describe('What an account lost', () => {
  it('goes with the account', async () => {
    const person = await newAccount();
    await addFactors(service, person.id);
    await service.sql('DELETE FROM passkeys WHERE user_id = $1', [person.id]);
    expect((await runAs(service, person, operations.deleteAccount, { email: person.email })).code).toBeNull();
    expect(await formerOf(person.id)).toEqual([]);
  });

  it('is no password of an address that was not proven', async () => {
    const person = await newAccount();
    await service.sql(`UPDATE users SET email_validated_at = NULL, password_hash = 'x' WHERE id = $1`, [person.id]);
    await service.sql('DELETE FROM former_authenticators WHERE user_id = $1', [person.id]);
    await service.sql(`UPDATE users SET password_hash = 'y' WHERE id = $1`, [person.id]);
    expect(await formerOf(person.id)).toEqual([]);
  });
});
