/** A change of address against everything else that wants one of its two addresses at the same moment. */
import { describe, expect, it } from 'vitest';
import {
  changeAddress,
  confirmChange,
  confirmTokenOf,
  requestChange,
  undoChange,
} from '../../support/actors/email-changes.ts';
import { invite } from '../../support/actors/invitations.ts';
import { newOwner } from '../../support/actors/tenants.ts';
import { range } from '../../support/checks/concurrency.ts';
import {
  type Answer,
  goodPassword,
  newAddress,
  operations,
  post,
  registerAndSignIn,
} from '../../support/clients/clients.ts';
import { serviceFixture } from '../../support/gatehouse/gatehouse.ts';
import {
  exchange,
  newIdentity,
  newSecret,
  providerSettings,
  returningBrowser,
} from '../../support/servers/external.ts';

const service = serviceFixture(providerSettings);

const rounds = 10;

const signUp = (email: string): Promise<Answer> =>
  post(service.url, operations.signUp, { input: { email, name: 'A Stranger', password: goodPassword } });

/** Ids of the accounts with an address: rows that were only invited are none. */
const accountsWith = (email: string): Promise<string[]> =>
  service.sql.column<string>(
    'SELECT id FROM users WHERE email = $1 AND (password_hash IS NOT NULL OR email_validated_at IS NOT NULL)',
    [email],
  );

const failures = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status >= 500);

describe('A change of address', () => {
  it.each(range(rounds))('gives the former address to no other account at its confirmation (round %i)', async () => {
    const person = await registerAndSignIn(service);
    const newEmail = newAddress();
    await requestChange(service, person, newEmail);
    const token = await confirmTokenOf(service, newEmail);
    const inviter = await newOwner(service);
    const [confirmed, ...others] = await Promise.all([
      confirmChange(service, person.tokens, token),
      ...range(3).map(() => signUp(person.email)),
      invite(service, inviter.tokens, person.email),
    ]);
    expect(confirmed.code).toBeNull();
    expect(failures(others)).toEqual([]);
    expect(await accountsWith(person.email)).toEqual([]);
    expect(await accountsWith(newEmail)).toHaveLength(1);
  });

  it.each(range(rounds))('is requested for each other’s address by two people at once (round %i)', async () => {
    const [left, right] = [await registerAndSignIn(service), await registerAndSignIn(service)];
    await service.sql(`UPDATE users SET account_mail_sent_at = account_mail_sent_at - interval '2 hours'`);
    const answers = await Promise.all([
      requestChange(service, left, right.email),
      requestChange(service, right, left.email),
    ]);
    expect(answers.map(({ code }) => code)).toEqual([null, null]);
    for (const { email } of [left, right]) {
      const subjects = (await service.mailsTo(email)).map(({ subject }) => subject);
      expect(subjects).toContain('You already have an account');
      expect(await accountsWith(email)).toHaveLength(1);
    }
  });

  it.each(range(rounds))('gets the new address, or a sign-up gets it, and never both (round %i)', async () => {
    const person = await registerAndSignIn(service);
    const newEmail = newAddress();
    await requestChange(service, person, newEmail);
    const token = await confirmTokenOf(service, newEmail);
    const inviter = await newOwner(service);
    const [confirmed, ...others] = await Promise.all([
      confirmChange(service, person.tokens, token),
      signUp(newEmail),
      invite(service, inviter.tokens, newEmail),
    ]);
    expect(['LINK_NOT_OPEN', null]).toContain(confirmed.code);
    expect(failures(others)).toEqual([]);
    expect(await accountsWith(newEmail)).toHaveLength(1);
    expect(await accountsWith(person.email)).toHaveLength(confirmed.code === null ? 0 : 1);
  });

  it.each(range(rounds))('is undone while others request the former address (round %i)', async () => {
    const person = await registerAndSignIn(service);
    const [id] = await accountsWith(person.email);
    const { undoToken, newEmail } = await changeAddress(service, person);
    const inviter = await newOwner(service);
    const [undone, ...others] = await Promise.all([
      undoChange(service, undoToken),
      ...range(2).map(() => signUp(person.email)),
      invite(service, inviter.tokens, person.email),
      undoChange(service, undoToken),
    ]);
    expect([undone.code, others.at(-1)?.code].filter((code) => code === null)).toHaveLength(1);
    expect(failures(others)).toEqual([]);
    expect(await accountsWith(person.email)).toEqual([id]);
    expect(await accountsWith(newEmail)).toEqual([]);
  });

  it.each(range(rounds))('is confirmed while the provider vouches for the former address (round %i)', async () => {
    const person = await registerAndSignIn(service);
    const newEmail = newAddress();
    await requestChange(service, person, newEmail);
    const token = await confirmTokenOf(service, newEmail);
    const secret = await newSecret(service, newIdentity({ email: person.email }));
    const [confirmed, exchanged] = await Promise.all([
      confirmChange(service, person.tokens, token),
      exchange(returningBrowser(service, secret)),
    ]);
    expect(confirmed.code).toBeNull();
    expect([null, 'EXCHANGE_REFUSED']).toContain(exchanged.code);
    expect(await accountsWith(person.email)).toEqual([]);
  });
});
