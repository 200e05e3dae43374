/** What is kept of a person: its export, and the deletion of an account, with everything that goes and stays. */
import { describe, expect, it } from 'vitest';
import { ageAuthentication, me } from '../support/actors/credentials.ts';
import { inviteTo, newMember, newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  Browser,
  goodPassword,
  operations,
  post,
  registerAndSignIn,
  signIn,
  type Tokens,
} from '../support/clients/clients.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import {
  checkoutCompleted,
  deliver,
  newProviderId,
  subscriptionEvent,
  webhookSecret,
} from '../support/servers/payments.ts';

const service = serviceFixture({ STRIPE_WEBHOOK_SECRET: webhookSecret });

interface Person {
  readonly email: string;
  readonly tokens: Tokens;
}

const remove = ({ email, tokens }: Person, typed = email): Promise<Answer> =>
  runAs(service, { tokens }, operations.deleteAccount, { email: typed });

const exported = async (person: Pick<Person, 'tokens'>): Promise<Record<string, unknown>> => {
  const answer = await runAs(service, person, operations.exportMyData);
  const { data } = JSON.parse(answer.text) as { data: { exportMyData: { json: string } } };
  return JSON.parse(data.exportMyData.json) as Record<string, unknown>;
};

/** Every stored row as text, without the mails of the tests. */
const storedText = async (): Promise<string> =>
  (await everythingStored(service)).filter((row) => !row.startsWith('[')).join('\n');

describe('deleteAccount', () => {
  // Contract: account#deletion-of-an-account — deleteAccount ends sessions, removes personal data, and frees the
  //   address
  it('leaves nothing of the person but a mail to them, and the address can sign up again', async () => {
    const person = await registerAndSignIn(service);
    const other = await signIn(service, person.email);
    const id =
      (await service.sql<{ id: string }>('SELECT id FROM users WHERE email = $1', [person.email]))[0]?.id ?? '';
    expect((await remove(person)).data).toEqual({ deleteAccount: { success: true } });
    for (const { accessToken } of [person.tokens, other]) {
      expect((await me(service, accessToken)).code).toBe('UNAUTHENTICATED');
    }
    const text = await storedText();
    expect(text).not.toContain(person.email);
    expect(text).not.toContain(id);
    expect((await service.mailsTo(person.email)).map(({ subject }) => subject)).toContain('Your account was deleted');
    const refused = await post(service.url, operations.signIn, {
      input: { email: person.email, password: goodPassword },
    });
    expect(refused.code).toBe('INVALID_CREDENTIALS');
    expect(service.logs.join('')).toContain('"event":"auth.account_deleted"');
  });

  it('takes organizations without another member, and leaves the others', async () => {
    const person = await registerAndSignIn(service);
    const shared = await newOwner(service);
    const { userId } = await membershipIn(person, shared);
    const own = await organizationsOf(userId);
    expect(own).toHaveLength(2);
    expect((await remove(person)).code).toBeNull();
    const left = await service.sql<{ id: string }>('SELECT id FROM organizations WHERE id = ANY ($1)', [own]);
    expect(left.map(({ id }) => id)).toEqual([shared.organizationId]);
    const members = await service.sql('SELECT 1 FROM organization_members WHERE user_id = $1', [userId]);
    expect(members).toEqual([]);
  });

  it('clears the cookies of the browser', async () => {
    const { email } = await registerAndSignIn(service);
    const browser = new Browser(service);
    await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    expect((await browser.run(operations.deleteAccount, { email })).code).toBeNull();
    expect(browser.cookies.has('auth_access')).toBe(false);
  });

  it.each([
    ['another address', (person: Person) => remove(person, 'somebody@example.com'), 'BAD_USER_INPUT'],
    ['no address', (person: Person) => remove(person, ''), 'BAD_USER_INPUT'],
  ] as const)('refuses %s', async (_, act, code) => {
    const person = await registerAndSignIn(service);
    await expectRefusal(service, code, () => act(person));
  });

  it('refuses a session whose person did not authenticate recently', async () => {
    const person = await registerAndSignIn(service);
    await ageAuthentication(service, person.tokens.accessToken, '11 minutes');
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => remove(person));
  });

  it('refuses a super admin', async () => {
    const admin = await newSuperAdmin(service, []);
    await expectRefusal(service, 'FORBIDDEN', () => remove(admin));
  });

  // Contract: account#deletion-of-an-account — deleteAccount refuses the last owner of an organization with other
  //   members
  it('refuses the last owner of an organization with other members, until another is an owner', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    await expectRefusal(service, 'LAST_OWNER', () => remove(owner));
    await runAs(service, owner, operations.changeMemberRole, { id: member.memberId, role: 'OWNER' });
    expect((await remove(owner)).code).toBeNull();
    expect((await me(service, member.tokens.accessToken)).code).toBeNull();
  });

  it('counts an invited person as no member', async () => {
    const owner = await newOwner(service);
    const invited = await newOwner(service);
    await inviteTo(service, invited.userId, owner.organizationId);
    expect((await remove(owner)).code).toBeNull();
  });

  // Contract: account#deletion-of-an-account — deleteAccount refuses while the payment provider bills an organization
  //   that would go
  it('refuses while the payment provider bills an organization that would go', async () => {
    const owner = await newOwner(service);
    const [customer, id] = [newProviderId('cus'), newProviderId('sub')];
    await deliver(service, checkoutCompleted(customer, owner.organizationId));
    await deliver(service, subscriptionEvent({ id, customer, status: 'active' }));
    await expectRefusal(service, 'SUBSCRIPTION_ACTIVE', () => remove(owner));
    await deliver(
      service,
      subscriptionEvent({ id, customer, status: 'canceled', type: 'deleted', created: 2_000_000_000 }),
    );
    expect((await remove(owner)).code).toBeNull();
  });

  it('has one winner among two at once', async () => {
    const person = await registerAndSignIn(service);
    const codes = (await Promise.all([remove(person), remove(person)])).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['UNAUTHENTICATED', null]));
  });
});

const membershipIn = async (person: Person, { organizationId }: Tenant): Promise<{ readonly userId: string }> => {
  const [row] = await service.sql<{ userId: string }>(
    `INSERT INTO organization_members (id, user_id, organization_id, role, joined_at)
     SELECT gen_random_uuid(), id, $2, 'MEMBER', now() FROM users WHERE email = $1 RETURNING user_id AS "userId"`,
    [person.email, organizationId],
  );
  if (row === undefined) throw new Error('No such person');
  return row;
};

const organizationsOf = async (userId: string): Promise<string[]> =>
  (
    await service.sql<{ id: string }>('SELECT organization_id AS id FROM organization_members WHERE user_id = $1', [
      userId,
    ])
  ).map(({ id }) => id);

describe('exportMyData', () => {
  // Contract: account#export-of-personal-data — exportMyData is JSON of all that is kept of the person, without secrets
  it('has the account, its sessions and memberships, and no secret', async () => {
    const person = await registerAndSignIn(service);
    const data = await exported(person);
    expect(Object.keys(data)).toEqual([
      'createdAt',
      'account',
      'externalIdentities',
      'emailChanges',
      'passkeys',
      'formerAuthenticators',
      'memberships',
      'credentials',
      'personalTokens',
      'signIns',
      'refusedSignIns',
      'suspensions',
      'consents',
      'organizationAudits',
      'mcpToolCalls',
    ]);
    expect(data).toMatchObject({
      account: { email: person.email, hasPassword: true },
      memberships: [{ role: 'OWNER' }],
      credentials: [{ audience: 'api' }, { audience: 'api' }],
      signIns: [{ method: 'password', outcome: 'success', ip: '127.0.0.1' }],
      suspensions: [],
    });
    const text = JSON.stringify(data);
    expect(text).not.toMatch(/\$2[aby]\$|gate_[arps]_|[Hh]ash/);
  });

  it('has suspensions that ended, without their reasons', async () => {
    const person = await registerAndSignIn(service);
    await service.sql(
      `INSERT INTO suspensions (id, user_id, suspended_at, suspended_by, reason, reinstated_at)
       SELECT gen_random_uuid(), id, now(), gen_random_uuid(), 'For super admins', now() FROM users WHERE email = $1`,
      [person.email],
    );
    const data = await exported(person);
    expect(data).toMatchObject({
      suspensions: [{ suspendedAt: expect.any(String) as unknown, reinstatedAt: expect.any(String) as unknown }],
    });
    expect(JSON.stringify(data)).not.toContain('For super admins');
  });

  it('has nothing of other people', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const text = JSON.stringify(await exported(owner));
    expect(text).not.toContain(member.email);
    expect(text).not.toContain(member.userId);
  });

  it('has every row of long lists, in pages', async () => {
    const person = await registerAndSignIn(service);
    await service.sql(
      `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision,
         audience, auth_method, expires_at, family_expires_at, revoked_at, revocation_reason)
       SELECT gen_random_uuid(), sha256(n::text::bytea), 'user_session', gen_random_uuid(), gen_random_uuid(), id, 0,
         'api', 'password', now(), now(), now(), 'rotated'
       FROM users, generate_series(1, 2500) AS n WHERE email = $1`,
      [person.email],
    );
    const { credentials } = await exported(person);
    expect(new Set((credentials as { id: string }[]).map(({ id }) => id)).size).toBe(2502);
  });

  it('refuses a session whose person did not authenticate recently', async () => {
    const person = await registerAndSignIn(service);
    await ageAuthentication(service, person.tokens.accessToken, '11 minutes');
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => runAs(service, person, operations.exportMyData));
  });
});
