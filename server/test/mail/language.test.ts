/** The language of a mail: that of the recipient's account, else that of the request that caused it. */
import { describe, expect, it } from 'vitest';
import { inviteByMail } from '../support/actors/invitations.ts';
import { newOwner, runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import {
  bearer,
  goodPassword,
  newAddress,
  operations,
  post,
  register,
  registerAndSignIn,
} from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const signUp = (email: string, acceptLanguage?: string) =>
  post(
    service.url,
    operations.signUp,
    { input: { email, name: 'Ada Marlow', password: goodPassword } },
    acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage },
  );

const newestSubject = async (email: string): Promise<string | undefined> => (await service.mailsTo(email))[0]?.subject;

type Person = Parameters<typeof runAs>[1];

const choose = (person: Person, language: string | null) =>
  runAs(service, person, operations.setLanguage, { language });

const stored = (email: string) => service.sql.value<string>('SELECT language FROM users WHERE email = $1', [email]);

const change = (person: Person, acceptLanguage: string) =>
  post(
    service.url,
    operations.changePassword,
    { input: { currentPassword: goodPassword, newPassword: goodPassword } },
    { ...bearer(person.tokens), 'accept-language': acceptLanguage },
  );

describe('setLanguage', () => {
  // Contract: account#name-and-language — setLanguage
  it('stores the choice, which me and the export show, and null clears it', async () => {
    const person = await registerAndSignIn(service);
    const me = async () => (await runAs(service, person, '{ me { language } }')).data;
    const exported = async () => (await runAs(service, person, operations.exportMyData)).data;
    expect(await me()).toMatchObject({ me: { language: null } });
    expect((await choose(person, 'pt')).data).toEqual({ setLanguage: { language: 'pt' } });
    expect(await stored(person.email)).toBe('pt');
    expect(await me()).toMatchObject({ me: { language: 'pt' } });
    expect(JSON.stringify(await exported())).toMatch(/language[\\" ]+:[\\" ]+pt\b/);
    expect((await choose(person, null)).data).toEqual({ setLanguage: { language: null } });
    expect(await stored(person.email)).toBeNull();
    expect(await me()).toMatchObject({ me: { language: null } });
  });

  // Contract: account#name-and-language — setLanguage refuses a language that does not exist
  it.each(['', ' ', 'xx', 'DE', 'pt-BR', 'constructor', '<b>de</b>', 'de\u0000', 'x'.repeat(10_000)])(
    'refuses %j, and names the field',
    async (language) => {
      const person = await registerAndSignIn(service);
      const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => choose(person, language));
      expect(answer.extensions).toMatchObject({ fields: { language: 'Choose one of en, de, es, fr, pt, ja, ar.' } });
    },
  );

  it('shows none for a language that this release does not have', async () => {
    const person = await registerAndSignIn(service);
    await service.sql('UPDATE users SET language = $2 WHERE email = $1', [person.email, 'tlh']);
    expect((await runAs(service, person, '{ me { language } }')).data).toEqual({ me: { language: null } });
    await change(person, 'fr');
    expect(await newestSubject(person.email)).toBe('Le mot de passe de votre compte a été modifié');
  });
});

describe('The language of a mail', () => {
  // Contract: account#language-of-a-mail — A mail to a person without an account has the language of the request
  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'Bestätigen Sie Ihre E-Mail-Adresse'],
    ['ko, ar;q=0.5', 'أكّد عنوان بريدك الإلكتروني'],
    ['ja-JP,ja;q=0.9,en;q=0.8', 'メールアドレスを確認してください'],
    ['ko', 'Confirm your e-mail address'],
    ['q=abc', 'Confirm your e-mail address'],
    [`de${',x'.repeat(5000)}`, 'Confirm your e-mail address'],
    [undefined, 'Confirm your e-mail address'],
  ])('is that of the sign-up: %j', async (acceptLanguage, subject) => {
    const email = newAddress();
    await signUp(email, acceptLanguage);
    expect(await newestSubject(email)).toBe(subject);
  });

  // Contract: account#language-of-a-mail — A mail has the language of its recipient's account
  it('is that of the account, whatever the request asks for', async () => {
    const person = await registerAndSignIn(service);
    await change(person, 'fr');
    expect(await newestSubject(person.email)).toBe('Le mot de passe de votre compte a été modifié');
    await choose(person, 'es');
    await change(person, 'fr');
    expect(await newestSubject(person.email)).toBe('Se cambió la contraseña de tu cuenta');
    await choose(person, null);
    await change(person, 'fr');
    expect(await newestSubject(person.email)).toBe('Le mot de passe de votre compte a été modifié');
  });

  it('is that of the owner of an address with which another person signs up', async () => {
    const person = await registerAndSignIn(service);
    await choose(person, 'de');
    await service.sql(`UPDATE users SET account_mail_sent_at = now() - interval '2 hours' WHERE email = $1`, [
      person.email,
    ]);
    await signUp(person.email, 'fr');
    expect(await newestSubject(person.email)).toBe('Sie haben bereits ein Konto');
  });

  // Contract: account#language-of-a-mail — An invitation has the language of the inviter, unless the account has its
  //   own
  it('of an invitation is that of the invited account, else that of the inviter', async () => {
    const owner = await newOwner(service);
    const known = await registerAndSignIn(service);
    await choose(known, 'ar');
    await choose(owner, 'de');
    const silent = await register(service);
    const unknown = newAddress();
    for (const email of [known.email, silent, unknown]) await inviteByMail(service, owner.tokens, email);
    expect(await newestSubject(known.email)).toMatch(/^دعوة للانضمام إلى/);
    expect(await newestSubject(silent)).toMatch(/^Einladung zu „/);
    expect(await newestSubject(unknown)).toMatch(/^Einladung zu „/);
  });

  it('is that of the account to each of its addresses, while the address changes', async () => {
    const person = await registerAndSignIn(service);
    await choose(person, 'pt');
    const newEmail = newAddress();
    await runAs(service, person, operations.requestEmailChange, { newEmail });
    const [confirmation] = await service.mailsTo(newEmail);
    expect(confirmation?.subject).toBe('Confirme seu novo endereço de e-mail');
    expect(await newestSubject(person.email)).toBe('Um novo endereço de e-mail foi pedido para sua conta');
    const token = /\/account\/email\/([0-9a-f]{64})/.exec(confirmation?.text ?? '')?.[1];
    expect((await runAs(service, person, operations.confirmEmailChange, { token })).code).toBeNull();
    expect(await newestSubject(person.email)).toBe('O endereço de e-mail da sua conta foi alterado');
    // The former address is reserved: its notice is in the language of the account that had it.
    await signUp(person.email, 'fr');
    expect(await newestSubject(person.email)).toBe('Este endereço está reservado para uma conta');
  });

  it('is that of the account also when the account is deleted', async () => {
    const person = await registerAndSignIn(service);
    await choose(person, 'fr');
    await runAs(service, person, operations.deleteAccount, { email: person.email });
    expect(await newestSubject(person.email)).toBe('Votre compte a été supprimé');
  });
});

const own = serviceFixture({}, 'none', {
  application: {
    messages: {
      de: { mails: { 'verification.subject': 'Willkommen bei Acme', 'verification.body': 'Eins: {at}.\n\nZwei.' } },
      fr: { mails: { 'verification.subject': 'Bienvenue' } },
    },
  },
});

describe('A text that the application replaces', () => {
  // Contract: application#replaced-texts — Texts of mails are replaced by language and key
  it('is sent in its language, beside the texts that it does not replace', async () => {
    const send = async (language: string) => {
      const email = newAddress();
      const input = { email, name: 'Ada Marlow', password: goodPassword };
      await post(own.url, operations.signUp, { input }, { 'accept-language': language });
      return (await own.mailsTo(email))[0];
    };
    const [german, french, english] = [await send('de'), await send('fr'), await send('en')];
    expect(german?.subject).toBe('Willkommen bei Acme');
    expect(german?.text).toMatch(/^Guten Tag,\n\nEins: \d+\. [^\n]+ UTC\.\n\nZwei\.\n\nMeine Adresse bestätigen:\n/);
    expect(french?.subject).toBe('Bienvenue');
    expect(french?.text).toContain('un compte a été demandé');
    expect(english?.subject).toBe('Confirm your e-mail address');
  });
});
