/** The passkeys of a person: registration, list, names, and who may add one. */
import { describe, expect, it } from 'vitest';
import { Authenticator, type Forgery, optionsIn } from '../support/actors/authenticator.ts';
import { ageAuthentication } from '../support/actors/credentials.ts';
import {
  newPasskeyPerson,
  passkeyIdIn,
  passkeySettings,
  registerPasskey,
  signInWithPasskey,
} from '../support/actors/passkeys.ts';
import { runAs } from '../support/actors/tenants.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  goodPassword,
  operations,
  post,
  registerAndSignIn,
  signIn,
  type Tokens,
  tokensOf,
} from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture(passkeySettings);

const newAuthenticator = (): Authenticator => new Authenticator(service.portalUrl);

interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly lastUsedAt: string | null;
  readonly isBackedUp: boolean;
  readonly relyingPartyId: string;
}

const passkeysOf = async (tokens: Tokens): Promise<readonly Passkey[]> => {
  const { text } = await runAs(service, { tokens }, operations.myPasskeys);
  return (JSON.parse(text) as { data: { myPasskeys: readonly Passkey[] } }).data.myPasskeys;
};

const stateOf = async (tokens: Tokens): Promise<Record<string, unknown>> => {
  const { text } = await runAs(service, { tokens }, operations.mySecondFactor);
  return (JSON.parse(text) as { data: { mySecondFactor: Record<string, unknown> } }).data.mySecondFactor;
};

const begin = async (tokens: Tokens): Promise<ReturnType<typeof optionsIn>> =>
  optionsIn(await runAs(service, { tokens }, operations.registerPasskeyOptions));

const finish = (tokens: Tokens, response: string, name = 'Phone'): Promise<Answer> =>
  runAs(service, { tokens }, operations.registerPasskey, { input: { name, response } });

describe('registerPasskeyOptions', () => {
  // Contract: account#registration-of-a-passkey — discoverable, user verification required, attestation none, a user
  //   handle of random bytes
  it('asks for a discoverable passkey with user verification and without attestation', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const options = await begin(tokens);
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: email },
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [],
    });
    expect(Buffer.from(options.user?.id ?? '', 'base64url')).toHaveLength(32);
    expect((await begin(tokens)).user).toEqual(options.user);
    const [row] = await service.sql<{ age: number }>(
      `SELECT extract(epoch FROM max(expires_at) - now())::integer AS age FROM passkey_challenges`,
    );
    expect(row?.age).toBeGreaterThan(290);
    expect(row?.age).toBeLessThanOrEqual(300);
  });

  it('stores no challenge in clear', async () => {
    const { tokens } = await registerAndSignIn(service);
    const { challenge } = await begin(tokens);
    const rows = await service.sql('SELECT to_jsonb(c)::text AS row FROM passkey_challenges c');
    expect(JSON.stringify(rows)).not.toContain(challenge);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(challenge, 'base64url').toString('hex'));
  });
});

describe('registerPasskey', () => {
  // Contract: account#notifications-by-mail — A passkey that is added is reported to its owner by mail
  it('adds a passkey, tells its owner by mail, and gives this session its second instant', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    expect(await stateOf(tokens)).toMatchObject({ passkeys: 0, sessionHasSecondFactor: false, methods: [] });
    const answer = await registerPasskey(service, tokens, newAuthenticator(), { isBackedUp: true });
    expect(answer.code).toBeNull();
    expect(await passkeysOf(tokens)).toEqual([
      expect.objectContaining({ name: 'Phone', isBackedUp: true, relyingPartyId: 'localhost', lastUsedAt: null }),
    ]);
    expect(await stateOf(tokens)).toMatchObject({ passkeys: 1, sessionHasSecondFactor: true, methods: ['PASSKEY'] });
    const [mail] = await service.mailsTo(email);
    expect(mail?.subject).toBe('A passkey was added to your account');
    expect(mail?.text).toContain('“Phone”');
    expect(service.logs.join('')).toContain('"event":"auth.passkey_added"');
    expect(
      await service.sql.value('SELECT transports AS value FROM passkeys WHERE id = $1', [passkeyIdIn(answer)]),
    ).toEqual(['internal', 'hybrid']);
  });

  it('accepts self attestation, which browsers leave in, when its signature is right', async () => {
    const { tokens } = await registerAndSignIn(service);
    const options = await begin(tokens);
    const statement = new Map<string, unknown>([
      ['alg', -7],
      ['sig', new Uint8Array(70)],
    ]);
    const forged = newAuthenticator().create(options, { attestation: ['packed', statement] });
    await expectRefusal(service, 'BAD_USER_INPUT', () => finish(tokens, forged));
    expect((await finish(tokens, newAuthenticator().create(options, { isSelfAttested: true }))).code).toBeNull();
  });

  const forgeries: readonly (readonly [string, Forgery])[] = [
    ['another origin', { origin: 'https://phishing.example' }],
    ['another relying party', { rpId: 'example.com' }],
    ['another ceremony', { type: 'webauthn.get' }],
    ['no user verification', { isUserVerified: false }],
    ['no user presence', { isUserPresent: false }],
    ['a frame of another origin', { clientData: { crossOrigin: true } }],
    ['a frame that is said in words', { clientData: { crossOrigin: 'true' } }],
    ['a top origin', { clientData: { topOrigin: 'https://phishing.example' } }],
    ['an attestation that was not requested', { attestation: ['apple', new Map([['x5c', []]])] }],
    [
      'an attestation with certificates',
      {
        attestation: [
          'packed',
          new Map<string, unknown>([
            ['x5c', []],
            ['alg', -7],
          ]),
        ],
      },
    ],
    ['an unknown attestation', { attestation: ['invented', new Map()] }],
    ['a key that is on no curve', { coseKey: keyOf(new Uint8Array(32).fill(255)) }],
    [
      'a key of another type',
      {
        coseKey: new Map([
          [1, 3],
          [3, -7],
          [-1, 1],
        ]),
      },
    ],
    [
      'a key of an algorithm that was not offered',
      {
        coseKey: new Map([
          [1, 2],
          [3, -35],
          [-1, 2],
        ]),
      },
    ],
    [
      'a weak RSA key',
      {
        coseKey: new Map<number, number | Uint8Array>([
          [1, 3],
          [3, -257],
          [-1, new Uint8Array(64).fill(3)],
          [-2, new Uint8Array([1, 0, 1])],
        ]),
      },
    ],
  ];

  // Contract: account#registration-of-a-passkey — a forged or malformed registration is BAD_USER_INPUT
  it.each(forgeries)('refuses %s', async (_what, forgery) => {
    const { tokens } = await registerAndSignIn(service);
    const options = await begin(tokens);
    const response = newAuthenticator().create(options, forgery);
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => finish(tokens, response));
    expect(Object.keys(answer.extensions['fields'] as object)).toEqual(['response']);
    // The challenge still works for the honest answer.
    expect((await finish(tokens, newAuthenticator().create(options))).code).toBeNull();
  });

  const malformed: readonly (readonly [string, string])[] = [
    ['nothing', ''],
    ['no JSON', '{"id":'],
    ['a text', '17'],
    ['an array', '[]'],
    ['a number', '1e400'],
    ['no response', '{"id":"AA","rawId":"AA","type":"public-key"}'],
    ['wrong types', '{"id":1,"rawId":{},"type":[],"response":"no"}'],
    [
      'client data that is no JSON',
      JSON.stringify({
        id: 'AA',
        rawId: 'AA',
        type: 'public-key',
        response: { clientDataJSON: 'AAAA', attestationObject: 'AA' },
      }),
    ],
    ['deep nesting', `${'['.repeat(8000)}${']'.repeat(8000)}`],
    ['a prototype', '{"__proto__":{"id":"AA"},"constructor":1}'],
    ['a huge text', JSON.stringify({ id: 'A'.repeat(90_000) })],
  ];

  it.each(malformed)('refuses %s as a response', async (_what, response) => {
    const { tokens } = await registerAndSignIn(service);
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => finish(tokens, response));
    expect(Object.keys(answer.extensions['fields'] as object)).toEqual(['response']);
  });

  it.each(['', '\u0000', '​', 'http://example.com', 'a'.repeat(101)])('refuses the name %j', async (name) => {
    const { tokens } = await registerAndSignIn(service);
    const response = newAuthenticator().create(await begin(tokens));
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => finish(tokens, response, name));
    expect(Object.keys(answer.extensions['fields'] as object)).toEqual(['name']);
  });

  it('refuses a passkey that is registered already, also for another person', async () => {
    const { authenticator } = await newPasskeyPerson(service);
    const { tokens } = await registerAndSignIn(service);
    const response = authenticator.create(await begin(tokens));
    await expectRefusal(service, 'BAD_USER_INPUT', () => finish(tokens, response));
  });
});

describe('A challenge of a registration', () => {
  // Contract: account#challenge-of-a-passkey — the challenge lives 5 minutes, works once, for its purpose and its
  //   person
  it('works once', async () => {
    const { tokens } = await registerAndSignIn(service);
    const options = await begin(tokens);
    expect((await finish(tokens, newAuthenticator().create(options))).code).toBeNull();
    await expectRefusal(service, 'CHALLENGE_REFUSED', () => finish(tokens, newAuthenticator().create(options)));
  });

  it('works for one of several answers at once', async () => {
    const { tokens } = await registerAndSignIn(service);
    const options = await begin(tokens);
    const answers = await inParallel(range(6), 6, () => finish(tokens, newAuthenticator().create(options)));
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual([
      ...Array<string>(5).fill('CHALLENGE_REFUSED'),
      'OK',
    ]);
    expect(await passkeysOf(tokens)).toHaveLength(1);
  });

  it('expires', async () => {
    const { tokens } = await registerAndSignIn(service);
    const options = await begin(tokens);
    await service.sql('UPDATE passkey_challenges SET expires_at = now()');
    await expectRefusal(service, 'CHALLENGE_REFUSED', () => finish(tokens, newAuthenticator().create(options)));
  });

  it('is neither made up, nor of another person, nor of another purpose', async () => {
    const { tokens } = await registerAndSignIn(service);
    const other = await registerAndSignIn(service);
    const options = await begin(tokens);
    const ofSignIn = optionsIn(await post(service.url, operations.signInWithPasskeyOptions));
    const ofSession = optionsIn(await runAs(service, { tokens }, operations.reauthenticateOptions));
    const refuse = (holder: Tokens, { challenge }: { readonly challenge: string }): Promise<Answer> =>
      expectRefusal(service, 'CHALLENGE_REFUSED', () =>
        finish(holder, newAuthenticator().create(options, { challenge })),
      );
    await refuse(tokens, { challenge: 'A'.repeat(43) });
    await refuse(other.tokens, options);
    await refuse(tokens, ofSignIn);
    await refuse(tokens, ofSession);
  });
});

describe('At most 20 passkeys', () => {
  // Contract: account#registration-of-a-passkey — 20 a person
  it('are a person’s, also when several are added at once', async () => {
    const { tokens } = await registerAndSignIn(service);
    await registerPasskey(service, tokens, newAuthenticator());
    await service.sql(
      `INSERT INTO passkeys (id, user_id, credential_id, public_key, signature_counter, transports, relying_party_id,
         is_backed_up, name)
       SELECT gen_random_uuid(), user_id, decode(md5(n::text || user_id::text), 'hex'), public_key, 0, '{}', relying_party_id, false, 'Key'
       FROM passkeys, generate_series(1, 18) AS n
       WHERE user_id = (SELECT user_id FROM passkeys ORDER BY created_at DESC LIMIT 1)`,
    );
    const options = await Promise.all(range(4).map(() => begin(tokens)));
    const answers = await Promise.all(options.map((each) => finish(tokens, newAuthenticator().create(each))));
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual([
      ...Array<string>(3).fill('LIMIT_REACHED'),
      'OK',
    ]);
    expect(await passkeysOf(tokens)).toHaveLength(20);
    await expectRefusal(service, 'LIMIT_REACHED', () => runAs(service, { tokens }, operations.registerPasskeyOptions));
  });
});

describe('A change of passkeys', () => {
  // Contract: account#recent-authentication — passkeys added or removed need a recent authentication
  it('is refused in a session whose authentication is old', async () => {
    const { tokens, passkeyId: id, authenticator } = await newPasskeyPerson(service);
    const response = newAuthenticator().create(await begin(tokens));
    await ageAuthentication(service, tokens.accessToken, '11 minutes');
    const as = (query: string, variables = {}): Promise<Answer> => runAs(service, { tokens }, query, variables);
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => as(operations.registerPasskeyOptions));
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => finish(tokens, response));
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => as(operations.removePasskey, { id }));
    expect((await as(operations.renamePasskey, { id, name: 'Old phone' })).code).toBeNull();
    const passkey = authenticator.get(optionsIn(await as(operations.reauthenticateOptions)));
    expect((await as(operations.reauthenticate, { input: { passkey } })).code).toBeNull();
    expect((await as(operations.removePasskey, { id })).code).toBeNull();
  });

  // Contract: account#changes-of-factors — a stolen password gets itself no factor
  it('is refused in a session that knows the password alone, once there is a passkey', async () => {
    const { email, passkeyId: id, authenticator } = await newPasskeyPerson(service);
    const tokens = await signIn(service, email);
    const as = (query: string, variables = {}): Promise<Answer> => runAs(service, { tokens }, query, variables);
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', () => as(operations.registerPasskeyOptions));
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', () => as(operations.removePasskey, { id }));
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', () => finish(tokens, '{}'));
    expect((await as(operations.reauthenticate, { input: { password: goodPassword } })).code).toBeNull();
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', () => as(operations.registerPasskeyOptions));
    const withPasskey = tokensOf(await signInWithPasskey(service, authenticator));
    expect((await registerPasskey(service, withPasskey, newAuthenticator())).code).toBeNull();
  });
});

describe('renamePasskey', () => {
  it('renames a passkey of the caller, and none of another person', async () => {
    const { tokens, passkeyId: id } = await newPasskeyPerson(service);
    const other = await registerAndSignIn(service);
    await runAs(service, { tokens }, operations.renamePasskey, { id, name: '  Old phone ' });
    expect((await passkeysOf(tokens)).map(({ name }) => name)).toEqual(['Old phone']);
    for (const unknown of [id, 'no id']) {
      await expectRefusal(service, 'NOT_FOUND', () =>
        runAs(service, other, operations.renamePasskey, { id: unknown, name: 'Mine' }),
      );
    }
    await expectRefusal(service, 'BAD_USER_INPUT', () =>
      runAs(service, { tokens }, operations.renamePasskey, { id, name: '' }),
    );
  });
});

function keyOf(coordinate: Uint8Array): Map<number, number | Uint8Array> {
  return new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, coordinate],
    [-3, coordinate],
  ]);
}
