/** Personal tokens: creation, rotation and end (contract/machine-credentials.md#personal-token). */
import { describe, expect, it } from 'vitest';
import { ageAuthentication } from '../support/actors/credentials.ts';
import {
  createPersonalToken,
  dataOf,
  type Issued,
  inDays,
  plainToken,
  refusalOf,
  rotate,
  runWith,
  type ShownToken,
  setPolicy,
  tokenOperations,
} from '../support/actors/machines/token-operations.ts';
import { forgetFactor, withCodes } from '../support/actors/second-factors.ts';
import { addTo, newMember, newOwner, runAs } from '../support/actors/tenants.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { operations } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const create = (person: Parameters<typeof runAs>[1], input: object) =>
  runAs(service, person, tokenOperations.createPersonalToken, { input: { ...plainToken, ...input } });

const tokenOf = async (person: Parameters<typeof runAs>[1], id: string): Promise<ShownToken> => {
  const tokens = dataOf<ShownToken[]>(await runAs(service, person, tokenOperations.myTokens));
  const found = tokens.find((token) => token.id === id);
  if (found === undefined) throw new Error('The token is not listed');
  return found;
};

const noteUses = (): Promise<void> => service.flush();

describe('createPersonalToken', () => {
  // Contract: machine-credentials#stored-credential — createPersonalToken: bound to the active organization, its secret
  //   once
  it('returns the secret once, and stores nothing but its hash', async () => {
    const owner = await newOwner(service);
    const { secret, token } = await createPersonalToken(service, owner);
    expect(secret).toMatch(/^gate_p_[A-Za-z0-9_-]{49}$/);
    expect(token).toMatchObject({
      kind: 'PERSONAL',
      name: plainToken.name,
      scopes: ['MEMBERS_VIEW'],
      status: 'ACTIVE',
      organizationId: owner.organizationId,
      userId: owner.userId,
      userEmail: owner.email,
      lastCharacters: secret.slice(-4),
      serviceAccount: null,
      lastUsedAt: null,
    });
    expect(await refusalOf(service, secret)).toBeNull();
    const stored = JSON.stringify(await service.sql('SELECT * FROM credentials WHERE id = $1', [token.credentialId]));
    expect(stored).not.toContain(secret);
    expect(dataOf<ShownToken[]>(await runAs(service, owner, tokenOperations.myTokens)).map(({ id }) => id)).toEqual([
      token.id,
    ]);
  });

  it('has no parameter for another person', async () => {
    const [owner, other] = [await newOwner(service), await newOwner(service)];
    await expectRefusal(service, 'BAD_USER_INPUT', () => create(owner, { userId: other.userId }));
    expect(dataOf(await runAs(service, other, tokenOperations.myTokens))).toEqual([]);
  });

  it.each([
    ['no name', { name: ' ' }, 'name'],
    ['a name of 10,000 characters', { name: 'x'.repeat(10_000) }, 'name'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an unknown scope', { scopes: ['MEMBERS_SEE'] }, 'scopes'],
    ['a scope of super admins', { scopes: ['sessions:view'] }, 'scopes'],
    ['an expiry in the past', { expiresAt: inDays(-1) }, 'expiresAt'],
    ['an expiry beyond the policy', { expiresAt: inDays(367) }, 'expiresAt'],
  ])('refuses %s', async (_what, input, field) => {
    const owner = await newOwner(service);
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => create(owner, input));
    expect(Object.keys(answer.extensions?.['fields'] ?? {})).toEqual([field]);
  });

  it('needs an expiry', async () => {
    const owner = await newOwner(service);
    const { expiresAt: _, ...input } = plainToken;
    await expectRefusal(service, 'BAD_USER_INPUT', () =>
      runAs(service, owner, tokenOperations.createPersonalToken, { input }),
    );
  });

  it('lists the scopes that the person does not hold', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const scopes = ['MEMBERS_VIEW', 'MEMBERS_REMOVE'];
    // The answer names the scope that was asked for.
    const answer = await expectNothingStored(service, () => create(member, { scopes }));
    expect(answer).toMatchObject({ code: 'FORBIDDEN', extensions: { missingScopes: ['MEMBERS_REMOVE'] } });
  });

  // Contract: machine-credentials#recent-authentication — To create a token, the person must have authenticated within
  //   the last 10 minutes
  it('needs a recent authentication', async () => {
    const owner = await newOwner(service);
    await ageAuthentication(service, owner.tokens.accessToken, '11 minutes');
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => create(owner, {}));
  });

  it('is refused for a fifty-first live token, also in a race', async () => {
    const owner = await newOwner(service);
    for (let made = 0; made < 48; made += 1) await createPersonalToken(service, owner);
    const answers = await Promise.all([1, 2, 3, 4].map(() => create(owner, {})));
    expect(answers.filter(({ code }) => code === null)).toHaveLength(2);
    expect(answers.filter(({ code }) => code === 'LIMIT_REACHED')).toHaveLength(2);
    await expectRefusal(service, 'LIMIT_REACHED', () => create(owner, {}));
    const [first] = dataOf<ShownToken[]>(await runAs(service, owner, tokenOperations.myTokens));
    await runAs(service, owner, tokenOperations.revokeToken, { id: first?.id });
    expect((await create(owner, {})).code).toBeNull();
  });

  it('stands alone in its request', async () => {
    const owner = await newOwner(service);
    const twice = `mutation ($input: CreatePersonalTokenInput!) {
      a: createPersonalToken(input: $input) { secret } b: createPersonalToken(input: $input) { secret } }`;
    const act = () => runAs(service, owner, twice, { input: plainToken });
    await expectRefusal(service, 'OPERATION_TOO_COSTLY', act);
  });
});

describe('rotateToken', () => {
  const rotated = async (person: Parameters<typeof rotate>[1], input: object): Promise<Issued> =>
    dataOf(await rotate(service, person, { ...input }));

  // Contract: machine-credentials#rotation-of-a-token — rotateToken: the old secret lives until the overlap ends
  it('gives a new secret, and lets the one of before live on', async () => {
    const owner = await newOwner(service);
    const { secret, token } = await createPersonalToken(service, owner);
    const next = await rotated(owner, { tokenId: token.id });
    expect(next.token).toMatchObject({ id: token.id, status: 'ACTIVE', lastCharacters: next.secret.slice(-4) });
    expect(next.token.credentialId).not.toBe(token.credentialId);
    expect(next.token.previousSecretEndsAt).not.toBeNull();
    expect([await refusalOf(service, secret), await refusalOf(service, next.secret)]).toEqual([null, null]);
    const [again, before] = [next.token.expiresAt, token.expiresAt].map((at) => new Date(at).getTime());
    expect(Math.abs((again ?? 0) - (before ?? 0))).toBeLessThan(60_000);
  });

  it('ends the old secret at once without an overlap', async () => {
    const owner = await newOwner(service);
    const { secret, token } = await createPersonalToken(service, owner);
    const next = await rotated(owner, { tokenId: token.id, overlapSeconds: 0 });
    expect(await refusalOf(service, secret)).toBe('UNAUTHENTICATED');
    expect(await refusalOf(service, next.secret)).toBeNull();
    expect(next.token.previousSecretEndsAt).toBeNull();
  });

  it('replaces a new secret that was never used: a lost answer is repaired by rotating again', async () => {
    const owner = await newOwner(service);
    const { secret, token } = await createPersonalToken(service, owner);
    const lost = await rotated(owner, { tokenId: token.id });
    const found = await rotated(owner, { tokenId: token.id });
    expect(await refusalOf(service, secret)).toBeNull();
    expect(await refusalOf(service, lost.secret)).toBe('UNAUTHENTICATED');
    expect(await refusalOf(service, found.secret)).toBeNull();
  });

  it('ends the older secret where the new one was used', async () => {
    const owner = await newOwner(service);
    const { secret, token } = await createPersonalToken(service, owner);
    const second = await rotated(owner, { tokenId: token.id });
    expect(await refusalOf(service, second.secret)).toBeNull();
    const third = await rotated(owner, { tokenId: token.id });
    expect(await refusalOf(service, secret)).toBe('UNAUTHENTICATED');
    expect([await refusalOf(service, second.secret), await refusalOf(service, third.secret)]).toEqual([null, null]);
  });

  it('leaves two live secrets at most, however many jobs rotate in parallel', async () => {
    const owner = await newOwner(service);
    const { token } = await createPersonalToken(service, owner);
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => rotate(service, owner, { tokenId: token.id })));
    expect(answers.map(({ code }) => code)).toEqual([null, null, null, null, null, null]);
    const [row] = await service.sql<{ live: number }>(
      `SELECT count(*)::integer AS live FROM credentials
       WHERE session_family_id = $1 AND revoked_at IS NULL AND expires_at > now()`,
      [token.id],
    );
    expect(row?.live).toBe(2);
  });

  it('revokes nothing when an old secret comes back, which is logged', async () => {
    const owner = await newOwner(service);
    const { secret, token } = await createPersonalToken(service, owner);
    await refusalOf(service, secret);
    const next = await rotated(owner, { tokenId: token.id, overlapSeconds: 0 });
    await expectRefusal(service, 'UNAUTHENTICATED', () => runWith(service, secret));
    expect(await refusalOf(service, next.secret)).toBeNull();
    expect(service.logs.some((line) => line.includes('token.old_secret_refused'))).toBe(true);
  });

  it('shortens the life of the old secret for who has it in their cache, too', async () => {
    const owner = await newOwner(service);
    const { secret, token } = await createPersonalToken(service, owner);
    const expiryOf = async (): Promise<string> => {
      const response = await fetch(`${service.url}/auth/identity?machine=allowed`, {
        headers: { authorization: `Bearer ${secret}` },
      });
      return ((await response.json()) as { credential: { expiresAt: string } }).credential.expiresAt;
    };
    const before = await expiryOf();
    await rotated(owner, { tokenId: token.id, overlapSeconds: 60 });
    expect(new Date(before).getTime() - new Date(await expiryOf()).getTime()).toBeGreaterThan(86_400_000);
  });

  it('needs a session with a second factor where the organization of the token requires one', async () => {
    const owner = await withCodes(service, await newOwner(service));
    const { secret, token } = await createPersonalToken(service, owner);
    await runAs(service, owner, operations.setSecondFactorPolicy, { required: true });
    await forgetFactor(service, owner);
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', () => rotate(service, owner, { tokenId: token.id }));
    expect(await refusalOf(service, secret)).toBeNull();
  });

  it.each([
    ['an expiry in the past', { expiresAt: inDays(-1) }, 'expiresAt'],
    ['an expiry beyond the policy', { expiresAt: inDays(367) }, 'expiresAt'],
    ['a negative overlap', { overlapSeconds: -1 }, 'overlapSeconds'],
    ['an overlap of more than a week', { overlapSeconds: 604_801 }, 'overlapSeconds'],
  ])('refuses %s', async (_what, input, field) => {
    const owner = await newOwner(service);
    const { secret, token } = await createPersonalToken(service, owner);
    const act = () => rotate(service, owner, { tokenId: token.id, ...input });
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', act);
    expect(Object.keys(answer.extensions?.['fields'] ?? {})).toEqual([field]);
    expect(await refusalOf(service, secret)).toBeNull();
  });

  it('does not find what was revoked, has expired, or is unknown', async () => {
    const owner = await newOwner(service);
    const [revoked, expired] = [await createPersonalToken(service, owner), await createPersonalToken(service, owner)];
    await runAs(service, owner, tokenOperations.revokeToken, { id: revoked.token.id });
    await service.sql(
      `UPDATE credentials SET issued_at = now() - interval '2 days', expires_at = now() WHERE id = $1`,
      [expired.token.credentialId],
    );
    for (const tokenId of [revoked.token.id, expired.token.id, owner.userId, 'no id']) {
      await expectRefusal(service, 'NOT_FOUND', () => rotate(service, owner, { tokenId }));
    }
  });

  it('is for the person of the token alone', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const stranger = await newOwner(service);
    const { token } = await createPersonalToken(service, member);
    await expectRefusal(service, 'FORBIDDEN', () => rotate(service, owner, { tokenId: token.id }));
    await expectRefusal(service, 'NOT_FOUND', () => rotate(service, stranger, { tokenId: token.id }));
    const other = await newMember(service, owner.organizationId);
    await expectRefusal(service, 'NOT_FOUND', () => rotate(service, other, { tokenId: token.id }));
    await ageAuthentication(service, member.tokens.accessToken, '11 minutes');
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => rotate(service, member, { tokenId: token.id }));
  });
});

describe('revokeToken', () => {
  it('ends both secrets, and says since when however often it is called', async () => {
    const owner = await newOwner(service);
    const { secret, token } = await createPersonalToken(service, owner);
    const next = dataOf<Issued>(await rotate(service, owner, { tokenId: token.id }));
    const revoke = () => runAs(service, owner, tokenOperations.revokeToken, { id: token.id });
    const first = dataOf<{ revokedCredentials: number; revokedAt: string }>(await revoke());
    expect(first.revokedCredentials).toBe(2);
    expect(await refusalOf(service, secret)).toBe('UNAUTHENTICATED');
    expect(await refusalOf(service, next.secret)).toBe('UNAUTHENTICATED');
    expect(dataOf(await revoke())).toMatchObject({ revokedCredentials: 0, revokedAt: first.revokedAt });
    expect(await tokenOf(owner, token.id)).toMatchObject({ status: 'REVOKED', revokedAt: first.revokedAt });
  });

  // Contract: machine-credentials#who-may-manage-tokens — A personal token is revoked by its person or by those with
  //   TOKENS_MANAGE
  it('is also for those who manage tokens, and for no other', async () => {
    const owner = await newOwner(service);
    const [member, other] = [
      await newMember(service, owner.organizationId),
      await newMember(service, owner.organizationId),
    ];
    const { secret, token } = await createPersonalToken(service, member);
    const revokeAs = (person: Parameters<typeof runAs>[1]) =>
      runAs(service, person, tokenOperations.revokeToken, { id: token.id });
    await expectRefusal(service, 'NOT_FOUND', () => revokeAs(other));
    const stranger = await newOwner(service);
    await expectRefusal(service, 'NOT_FOUND', () => revokeAs(stranger));
    expect(await refusalOf(service, secret)).toBeNull();
    expect(dataOf(await revokeAs(owner))).toMatchObject({ revokedCredentials: 1 });
    expect(await refusalOf(service, secret)).toBe('UNAUTHENTICATED');
  });
});

describe('A personal token', () => {
  it('follows its organization, never the switcher', async () => {
    const owner = await newOwner(service);
    const elsewhere = await newOwner(service);
    await addTo(service, owner.userId, elsewhere.organizationId, 'ADMIN');
    const { secret } = await createPersonalToken(service, owner);
    await runAs(service, owner, operations.switchOrganization, { id: elsewhere.organizationId });
    const { data } = await runWith(service, secret, '{ members { nodes { email } } }');
    expect(data).toEqual({ members: { nodes: [{ email: owner.email }] } });
  });

  it('creates nothing: no token, no account, no policy', async () => {
    const owner = await newOwner(service);
    const scopes = ['TOKENS_MANAGE', 'MEMBERS_VIEW'];
    const { secret } = await createPersonalToken(service, owner, { scopes });
    const acts = [
      [tokenOperations.createPersonalToken, { input: plainToken }],
      [tokenOperations.createServiceAccount, { input: { name: 'X', scopes: ['MEMBERS_VIEW'] } }],
      [tokenOperations.setTokenPolicy, { input: { personalTokens: 'APPROVAL' } }],
      [tokenOperations.organizationTokens, {}],
      [tokenOperations.myTokens, {}],
    ] as const;
    for (const [query, variables] of acts) {
      await expectRefusal(service, 'FORBIDDEN', () => runWith(service, secret, query, variables));
    }
  });

  it('ends with the membership for good, and with signing out everywhere', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const [removed, ended] = [await createPersonalToken(service, member), await createPersonalToken(service, owner)];
    const remove = 'mutation ($id: ID!) { removeMember(memberId: $id) }';
    expect((await runAs(service, owner, remove, { id: member.memberId })).code).toBeNull();
    expect(await refusalOf(service, removed.secret)).toBe('UNAUTHENTICATED');
    await addTo(service, member.userId, owner.organizationId);
    expect(await refusalOf(service, removed.secret)).toBe('UNAUTHENTICATED');
    await runAs(service, owner, operations.signOutEverywhere);
    expect(await refusalOf(service, ended.secret)).toBe('UNAUTHENTICATED');
  });

  it('finds no membership of its person elsewhere', async () => {
    const owner = await newOwner(service);
    const elsewhere = await newOwner(service);
    const memberId = await addTo(service, owner.userId, elsewhere.organizationId);
    const { secret } = await createPersonalToken(service, owner, { scopes: ['MEMBERS_VIEW', 'MEMBERS_REMOVE'] });
    const remove = 'mutation ($id: ID!) { removeMember(memberId: $id) }';
    await expectRefusal(service, 'NOT_FOUND', () => runWith(service, secret, remove, { id: memberId }));
    const own = await expectRefusal(service, 'FORBIDDEN', () =>
      runWith(service, secret, remove, { id: owner.memberId }),
    );
    expect(own.text).toContain('Tokens of machines cannot be used for it.');
  });

  it('that has expired stays expired when everything of its person ends', async () => {
    const owner = await newOwner(service);
    const { token } = await createPersonalToken(service, owner);
    await service.sql(
      `UPDATE credentials SET issued_at = now() - interval '2 days', expires_at = now() - interval '1 second' WHERE id = $1`,
      [token.credentialId],
    );
    await runAs(service, owner, tokenOperations.revokeToken, { id: token.id });
    expect((await tokenOf(owner, token.id)).status).toBe('EXPIRED');
  });

  it('is listed with its last use', async () => {
    const owner = await newOwner(service);
    const { secret, token } = await createPersonalToken(service, owner);
    await refusalOf(service, secret);
    await noteUses();
    const used = await tokenOf(owner, token.id);
    expect(used).toMatchObject({ lastUsedIp: '127.0.0.1' });
    expect(used.lastUsedAt).not.toBeNull();
    await rotate(service, owner, { tokenId: token.id, overlapSeconds: 0 });
    // The secret that was used is gone, and its last use is kept.
    expect(await tokenOf(owner, token.id)).toMatchObject({ lastUsedAt: used.lastUsedAt, lastUsedIp: '127.0.0.1' });
  });
});

describe('The policy of an organization', () => {
  // Contract: machine-credentials#policy-of-an-organization — a policy change blocks at once and revokes nothing
  it('blocks at once, destroys nothing, and lets tokens work again', async () => {
    const owner = await newOwner(service);
    const { secret, token } = await createPersonalToken(service, owner);
    const blocked = [
      { personalTokens: 'FORBIDDEN' },
      { maxTokenLifetimeDays: 29 },
      { allowedNetworks: ['192.0.2.0/24'] },
    ];
    const sentences = [
      'The organization does not allow personal tokens now.',
      'This token was given a longer life than the organization allows now: rotate it.',
      'The organization does not accept its tokens from this network.',
    ];
    const opened = [{ personalTokens: 'ALLOWED' }, { maxTokenLifetimeDays: 366 }, { allowedNetworks: [] }];
    for (const [at, input] of blocked.entries()) {
      expect((await setPolicy(service, owner, input)).code).toBeNull();
      const refused = await expectRefusal(service, 'FORBIDDEN', () => runWith(service, secret));
      expect(refused.text).toContain(`"message":"${sentences[at]}"`);
      const { status } = await tokenOf(owner, token.id);
      expect(status).toBe('allowedNetworks' in input ? 'ACTIVE' : 'BLOCKED');
      expect((await setPolicy(service, owner, opened[at] ?? {})).code).toBeNull();
      expect(await refusalOf(service, secret)).toBeNull();
    }
  });

  it('blocks the old secret of a token that is too long, also after a rotation', async () => {
    const owner = await newOwner(service);
    const { secret, token } = await createPersonalToken(service, owner, { expiresAt: inDays(300) });
    await setPolicy(service, owner, { maxTokenLifetimeDays: 30 });
    const next = dataOf<Issued>(await rotate(service, owner, { tokenId: token.id }));
    await expectRefusal(service, 'FORBIDDEN', () => runWith(service, secret));
    expect(await refusalOf(service, next.secret)).toBeNull();
  });

  it('lets tokens that wait for a decision work while it asks for none', async () => {
    const owner = await newOwner(service);
    await setPolicy(service, owner, { personalTokens: 'APPROVAL' });
    const { secret, token } = await createPersonalToken(service, owner);
    await setPolicy(service, owner, { personalTokens: 'ALLOWED' });
    expect(await refusalOf(service, secret)).toBeNull();
    expect((await tokenOf(owner, token.id)).status).toBe('ACTIVE');
    await setPolicy(service, owner, { personalTokens: 'APPROVAL' });
    await expectRefusal(service, 'FORBIDDEN', () => runWith(service, secret));
  });

  it('lets new tokens wait for a decision, and those of before go on', async () => {
    const owner = await newOwner(service);
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    const before = await createPersonalToken(service, admin);
    await setPolicy(service, owner, { personalTokens: 'APPROVAL' });
    const [first, second] = [await createPersonalToken(service, admin), await createPersonalToken(service, admin)];
    expect(first.token.status).toBe('PENDING');
    await expectRefusal(service, 'FORBIDDEN', () => runWith(service, first.secret));
    expect(await refusalOf(service, before.secret)).toBeNull();
    const decide = (person: Parameters<typeof runAs>[1], id: string, approve: boolean) =>
      runAs(service, person, tokenOperations.decideToken, { id, approve });
    await expectRefusal(service, 'FORBIDDEN', () => decide(admin, first.token.id, true));
    expect(dataOf(await decide(owner, first.token.id, true))).toMatchObject({ status: 'ACTIVE' });
    expect(dataOf(await decide(owner, second.token.id, false))).toMatchObject({ status: 'REVOKED' });
    expect(await refusalOf(service, first.secret)).toBeNull();
    expect(await refusalOf(service, second.secret)).toBe('UNAUTHENTICATED');
    await expectRefusal(service, 'NOT_FOUND', () => decide(owner, first.token.id, true));
    await expectRefusal(service, 'NOT_FOUND', () => decide(owner, second.token.id, true));
  });

  it.each([
    ['a text that is no network', { allowedNetworks: ['somewhere'] }, 'allowedNetworks'],
    ['a network of every address', { allowedNetworks: ['0.0.0.0/0'] }, 'allowedNetworks'],
    ['another one', { allowedNetworks: ['2001:db8::/32', '::/0'] }, 'allowedNetworks'],
    ['every IPv4 address, as they are mapped', { allowedNetworks: ['::ffff:0:0/96'] }, 'allowedNetworks'],
    ['more than these', { allowedNetworks: ['::ffff:0:0/95'] }, 'allowedNetworks'],
    [
      'too many networks',
      { allowedNetworks: Array.from({ length: 51 }, (_, at) => `192.0.2.${at}`) },
      'allowedNetworks',
    ],
    ['no days', { maxTokenLifetimeDays: 0 }, 'maxTokenLifetimeDays'],
    ['more days than a year has', { maxTokenLifetimeDays: 367 }, 'maxTokenLifetimeDays'],
  ])('refuses %s', async (_what, input, field) => {
    const owner = await newOwner(service);
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => setPolicy(service, owner, input));
    expect(Object.keys(answer.extensions?.['fields'] ?? {})).toEqual([field]);
  });

  it('is for those who manage tokens, with a recent authentication', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    await expectRefusal(service, 'FORBIDDEN', () => setPolicy(service, member, { personalTokens: 'APPROVAL' }));
    await ageAuthentication(service, owner.tokens.accessToken, '11 minutes');
    const act = () => setPolicy(service, owner, { personalTokens: 'APPROVAL' });
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', act);
  });
});
