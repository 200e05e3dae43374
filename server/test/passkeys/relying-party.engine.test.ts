/** The relying party of passkeys: its id, its pages, and what becomes of passkeys when it changes. */
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ConfigRefused, readConfig } from '../../src/config/config.ts';
import { logUnusablePasskeys } from '../../src/domain/factors/passkeys-store.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { Authenticator } from '../support/actors/authenticator.ts';
import { addOneTimeCodes } from '../support/actors/one-time-codes.ts';
import {
  newPasskeyPerson,
  passkeySettings,
  registerPasskey,
  sendAssertion,
  signInAssertion,
  signInWithPasskey,
} from '../support/actors/passkeys.ts';
import { newOwner, runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { goodPassword, operations, post, registerAndSignIn, signIn } from '../support/clients/clients.ts';
import { testFixture } from '../support/fixture.ts';
import { serviceFixture, startService, testSecret } from '../support/gatehouse/gatehouse.ts';
import { newIdentity, providerSettings, signInExternally } from '../support/servers/external.ts';

const problemsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig({ NODE_ENV: 'test', ...environment }, () => testSecret);
    return [];
  } catch (error) {
    if (error instanceof ConfigRefused) return error.problems;
    throw error;
  }
};

const idOf = (frontendUrl: string, more: Record<string, string> = {}): string | null =>
  readConfig({ NODE_ENV: 'test', FRONTEND_URL: frontendUrl, ...more }, () => testSecret).relyingPartyId;

describe('WEBAUTHN_RP_ID', () => {
  // Contract: account#relying-party — the host of FRONTEND_URL or a parent of it that is no public suffix
  it('is the host of FRONTEND_URL by default, and none for an IP address', () => {
    expect(idOf('https://id.example.com')).toBe('id.example.com');
    expect(idOf('http://localhost:4000')).toBe('localhost');
    expect(idOf('http://127.0.0.1:4000')).toBeNull();
    expect(idOf('http://[::1]:4000')).toBeNull();
    expect(readConfig({ NODE_ENV: 'test', PORT: '4100' }, () => testSecret).relyingPartyId).toBe('localhost');
  });

  it.each([
    ['https://id.example.com', 'example.com'],
    ['https://id.example.com', 'id.example.com'],
    ['https://a.b.example.co.uk', 'example.co.uk'],
    ['http://gatehouse:4000', 'gatehouse'],
  ])('of %s may be %s', (url, id) => {
    expect(idOf(url, { WEBAUTHN_RP_ID: id })).toBe(id);
  });

  it.each([
    ['https://id.example.com', 'com'],
    ['https://id.example.co.uk', 'co.uk'],
    ['https://me.github.io', 'github.io'],
    ['http://app.localhost:4000', 'localhost'],
    ['https://id.example.com', 'example.org'],
    ['https://id.example.com', 'ample.com'],
    ['https://id.example.com', 'www.id.example.com'],
    ['https://id.example.com', 'EXAMPLE.com'],
    ['https://id.example.com', '.example.com'],
    ['https://id.example.com', 'https://example.com'],
    ['http://127.0.0.1:4000', '127.0.0.1'],
    ['http://127.0.0.1:4000', 'localhost'],
  ])('of %s may not be %s', (url, id) => {
    const problems = problemsOf({ FRONTEND_URL: url, WEBAUTHN_RP_ID: id });
    expect(problems).toEqual([expect.stringMatching(/^WEBAUTHN_RP_ID must /)]);
  });
});

describe('Pages that passkeys are used on', () => {
  const front = 'https://id.example.com';
  const service = serviceFixture({ FRONTEND_URL: front, WEBAUTHN_RP_ID: 'example.com' }, 'none', {
    application: { origins: ['https://app.example.com', 'https://example.org'] },
  });

  // Contract: account#relying-party — only pages of FRONTEND_URL and of `origins` below it count
  it.each([front, 'https://app.example.com'])('are those of %s', async (origin) => {
    const { tokens } = await registerAndSignIn(service);
    const authenticator = new Authenticator(origin);
    expect((await registerPasskey(service, tokens, authenticator)).code).toBeNull();
    expect((await signInWithPasskey(service, authenticator)).code).toBeNull();
  });

  it.each(['https://example.org', 'https://example.com', 'https://www.example.com', 'http://id.example.com', 'base'])(
    'are not those of %s',
    async (named) => {
      const origin = named === 'base' ? service.url : named;
      const { tokens, authenticator } = await newPasskeyPerson(service);
      expect((await registerPasskey(service, tokens, new Authenticator(origin))).code).toBe('BAD_USER_INPUT');
      const response = await signInAssertion(service, authenticator, { origin });
      await expectRefusal(service, 'INVALID_CREDENTIALS', () => sendAssertion(service, response));
    },
  );
});

describe('A service at an IP address', () => {
  const service = serviceFixture();

  // Contract: account#relying-party — an address that is an IP has no passkeys: the operations are absent
  it('has no operations on passkeys, and no types of them', async () => {
    const { tokens } = await newOwner(service);
    const asked = await runAs(service, { tokens }, operations.myPasskeys);
    expect([asked.status, asked.code]).toEqual([400, 'BAD_USER_INPUT']);
    expect((await post(service.url, operations.signInWithPasskeyOptions)).status).toBe(400);
    const types = await post(service.url, '{ __schema { types { name } } }');
    expect(types.text).not.toMatch(/"(Passkey|PasskeyOptions|RegisterPasskeyInput)"/);
    expect(types.text).toContain('"SecondFactorState"');
  });

  it('accepts no passkey as a proof', async () => {
    const { tokens } = await newOwner(service);
    const { authenticator } = await newPasskeyPerson(await testFixture(startService(passkeySettings)));
    const passkey = authenticator.get({ challenge: 'A'.repeat(43) });
    await expectRefusal(service, 'INVALID_CREDENTIALS', () =>
      runAs(service, { tokens }, operations.reauthenticate, { input: { passkey } }),
    );
  });
});

describe('A changed relying party', () => {
  const service = serviceFixture(passkeySettings);

  // Contract: account#changed-relying-party-id — changing it makes passkeys useless: each keeps its own
  it('leaves the passkeys of before in the list, and refuses them', async () => {
    const { tokens, authenticator } = await newPasskeyPerson(service);
    const response = await signInAssertion(service, authenticator);
    await service.sql(`UPDATE passkeys SET relying_party_id = 'id.example.com'`);
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => sendAssertion(service, response));
    const list = await runAs(service, { tokens }, operations.myPasskeys);
    expect(list.text).toContain('"relyingPartyId":"id.example.com"');
  });

  /** A person whose only passkey works no longer, in a session that knows their password alone. */
  const personOfBefore = async () => {
    const person = await newPasskeyPerson(service);
    await service.sql(
      `UPDATE passkeys SET relying_party_id = 'id.example.com' WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [person.email],
    );
    return { ...person, tokens: await signIn(service, person.email) };
  };

  // Contract: account#changed-relying-party-id — changing it makes passkeys useless: they are no second factor
  it('leaves no second factor in them, and the person adds another', async () => {
    const { tokens } = await personOfBefore();
    const factors = await runAs(service, { tokens }, operations.mySecondFactor);
    expect(factors.data).toMatchObject({ mySecondFactor: { methods: [], passkeys: 0, sessionHasSecondFactor: false } });
    const authenticator = new Authenticator(service.portalUrl);
    expect((await registerPasskey(service, tokens, authenticator)).code).toBeNull();
    expect((await signInWithPasskey(service, authenticator)).code).toBeNull();
    const after = await runAs(service, { tokens }, operations.mySecondFactor);
    expect(after.data).toMatchObject({
      mySecondFactor: { methods: ['PASSKEY'], passkeys: 1, sessionHasSecondFactor: true },
    });
  });

  it('lets the person set up one-time codes, which then are the second factor of the session', async () => {
    const { email, tokens } = await personOfBefore();
    const { recoveryCodes } = await addOneTimeCodes(service, tokens);
    expect(recoveryCodes).toHaveLength(10);
    const factors = await runAs(service, { tokens }, operations.mySecondFactor);
    expect(factors.data).toMatchObject({ mySecondFactor: { sessionHasSecondFactor: true } });
    const refused = await post(service.url, operations.signIn, { input: { email, password: goodPassword } });
    expect(refused.extensions['methods']).toEqual(['RECOVERY_CODE', 'TOTP']);
  });

  it('lets the person remove them, also without another way to sign in', async () => {
    const { email, tokens, passkeyId } = await personOfBefore();
    await service.sql('UPDATE users SET password_hash = NULL WHERE email = $1', [email]);
    const stranger = await registerAndSignIn(service);
    await expectRefusal(service, 'NOT_FOUND', () =>
      runAs(service, stranger, operations.removePasskey, { id: passkeyId }),
    );
    expect((await runAs(service, { tokens }, operations.removePasskey, { id: passkeyId })).code).toBeNull();
    expect(await service.sql('SELECT FROM passkeys WHERE id = $1', [passkeyId])).toEqual([]);
  });

  it('counts them among the twenty of a person', async () => {
    const { email, tokens } = await personOfBefore();
    await service.sql(
      `INSERT INTO passkeys (id, user_id, credential_id, public_key, signature_counter, transports, relying_party_id,
         is_backed_up, name)
       SELECT gen_random_uuid(), u.id, uuid_send(gen_random_uuid()), '', 0, '{}', 'id.example.com', false, 'Key'
       FROM users u, generate_series(1, 19) WHERE u.email = $1`,
      [email],
    );
    await expectRefusal(service, 'LIMIT_REACHED', () => runAs(service, { tokens }, operations.registerPasskeyOptions));
  });

  it('changes nothing for a passkey that works: a session of before adds and removes none', async () => {
    const { email, passkeyId } = await newPasskeyPerson(service);
    const tokens = await signIn(service, email);
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', () =>
      runAs(service, { tokens }, operations.registerPasskeyOptions),
    );
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', () =>
      runAs(service, { tokens }, operations.removePasskey, { id: passkeyId }),
    );
  });
});

describe('The last way to sign in', () => {
  const service = serviceFixture({ ...providerSettings, ...passkeySettings });

  const remove = (tokens: Parameters<typeof runAs>[1]['tokens'], id: string) =>
    runAs(service, { tokens }, operations.removePasskey, { id });

  // Contract: account#last-way-to-sign-in — the last way to sign in cannot be removed: FORBIDDEN
  it('is a passkey of a person without password and identity, and stays', async () => {
    const { email, tokens, passkeyId } = await newPasskeyPerson(service);
    await service.sql('UPDATE users SET password_hash = NULL WHERE email = $1', [email]);
    await expectRefusal(service, 'FORBIDDEN', () => remove(tokens, passkeyId));
    const second = new Authenticator(service.portalUrl);
    expect((await registerPasskey(service, tokens, second)).code).toBeNull();
    // One that works elsewhere does not count.
    await service.sql(`UPDATE passkeys SET relying_party_id = 'id.example.com' WHERE credential_id = $1`, [
      Buffer.from(second.credentialId, 'base64url'),
    ]);
    await expectRefusal(service, 'FORBIDDEN', () => remove(tokens, passkeyId));
    await service.sql(`UPDATE passkeys SET relying_party_id = 'localhost'`);
    expect((await remove(tokens, passkeyId)).code).toBeNull();
    const [mail] = await service.mailsTo(email);
    expect(mail?.subject).toBe('A passkey was removed from your account');
  });

  it('is one of two passkeys that are removed at once', async () => {
    const { email, tokens, passkeyId } = await newPasskeyPerson(service);
    await service.sql('UPDATE users SET password_hash = NULL WHERE email = $1', [email]);
    const added = await registerPasskey(service, tokens, new Authenticator(service.portalUrl));
    const { data } = JSON.parse(added.text) as { data: { registerPasskey: { id: string } } };
    const answers = await Promise.all([passkeyId, data.registerPasskey.id].map((id) => remove(tokens, id)));
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual(['FORBIDDEN', 'OK']);
  });

  it('is not removed by another person', async () => {
    const { passkeyId } = await newPasskeyPerson(service);
    const other = await newPasskeyPerson(service);
    await expectRefusal(service, 'NOT_FOUND', () => remove(other.tokens, passkeyId));
  });

  // Contract: account#last-way-to-sign-in — a passkey counts for unlinkExternalIdentity
  it('is not the identity of a person with a passkey, who may unlink it', async () => {
    const identity = newIdentity({ authenticatedAt: Date.now() / 1000 });
    const { browser } = await signInExternally(service, identity);
    await expectRefusal(service, 'FORBIDDEN', () => browser.run(operations.unlinkExternalIdentity));
    const authenticator = new Authenticator(service.portalUrl);
    const begun = await browser.run(operations.registerPasskeyOptions);
    const { data } = JSON.parse(begun.text) as { data: { registerPasskeyOptions: { publicKey: string } } };
    const response = authenticator.create(JSON.parse(data.registerPasskeyOptions.publicKey) as { challenge: string });
    await browser.run(operations.registerPasskey, { input: { name: 'Phone', response } });
    await service.sql(`UPDATE passkeys SET relying_party_id = 'id.example.com'`);
    await expectRefusal(service, 'FORBIDDEN', () => browser.run(operations.unlinkExternalIdentity));
    await service.sql(`UPDATE passkeys SET relying_party_id = 'localhost'`);
    expect((await browser.run(operations.unlinkExternalIdentity)).code).toBeNull();
    expect((await signInWithPasskey(service, authenticator)).code).toBeNull();
  });
});

describe('The start', () => {
  const service = serviceFixture(passkeySettings);

  // Contract: account#changed-relying-party-id — the start says how many
  it('says how many passkeys have another relying party', async () => {
    await newPasskeyPerson(service);
    await service.sql(`UPDATE passkeys SET relying_party_id = 'id.example.com'`);
    const lines: string[] = [];
    const log = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(chunk.toString());
        done();
      },
    });
    const { database } = service;
    const relyingParty = { id: 'localhost', origins: [service.portalUrl] };
    const start = (): Promise<void> =>
      logUnusablePasskeys({ database, logger: createLogger('info', log), settings: { relyingParty } });
    await start();
    expect(lines.join('')).toContain('"event":"passkeys.other_relying_party","passkeys":1');
    await service.sql(`UPDATE passkeys SET relying_party_id = 'localhost'`);
    await start();
    expect(lines).toHaveLength(1);
  });
});
