/** Operations that end everything of a person: however much that is, all of it ends, or nothing does. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type Database, DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { bindingDeadline, Deadline, waitLimits } from '../../src/platform/database/deadlines.ts';
import { connect, multiplyGrant } from '../support/actors/connected-clients.ts';
import { familyOf } from '../support/actors/credentials.ts';
import { changeAddress } from '../support/actors/email-changes.ts';
import { isAccepted } from '../support/actors/grants.ts';
import { newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { type Answer, operations, post } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { watchService } from '../support/gatehouse/watched-gatehouse.ts';

/** More than one statement takes, of families and of rows of the audit. */
const grants = 501;

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

/** Milliseconds that each transaction had; null without a deadline. */
const deadlines: (number | null)[] = [];

const notingDeadlines = (database: Database): Database => ({
  ...database,
  transaction: (work) => {
    const deadline = bindingDeadline();
    deadlines.push(deadline instanceof Deadline ? deadline.millis : null);
    return database.transaction(work);
  },
});

const watched = fixture(() => watchService({ ...service, database: notingDeadlines(service.database) }));

/** A person with so many grants of one client for their organization. */
const connected = async () => {
  const person = await newOwner(service);
  const connection = await connect(service, person);
  await multiplyGrant(service, connection.id, grants - 1);
  return { person, connection };
};

/** Ids of the families with a live row. */
const liveOf = async ({ userId }: Tenant): Promise<readonly string[]> =>
  (
    await service.sql<{ family: string }>(
      `SELECT DISTINCT session_family_id AS family FROM credentials WHERE user_id = $1 AND revoked_at IS NULL`,
      [userId],
    )
  ).map(({ family }) => family);

const endedAudits = (clientId: string): Promise<readonly unknown[]> =>
  service.sql(
    `SELECT details::jsonb ->> 'reason' AS reason, count(*)::integer AS rows,
       count(DISTINCT details::jsonb ->> 'sessionFamilyId')::integer AS grants
     FROM organization_audits WHERE event = 'MCP_CLIENT_ENDED' AND client_id = $1 GROUP BY 1`,
    [clientId],
  );

/** An operation on a person; what it needs is prepared first. */
type Ending = (person: Tenant) => Promise<() => Promise<Answer>>;

const byPerson =
  (query: string, variables: object = {}): Ending =>
  async (person) =>
  () =>
    runAs(watched, person, query, { ...variables });

const bySuperAdmin =
  (query: string, variables: object = {}): Ending =>
  async ({ userId: id }) =>
  () =>
    runAs(watched, root, query, { id, ...variables });

const undoing: Ending = async (person) => {
  const { undoToken: token } = await changeAddress(service, person);
  return () => post(watched.url, operations.undoEmailChange, { token });
};

/** Of a session by the provider, after a link by the address of an account with a password. */
const reviewing: Ending = async (person) => {
  const { userId, email } = person;
  await service.sql(`UPDATE users SET password_hash = 'a hash' WHERE id = $1`, [userId]);
  await service.sql(`UPDATE credentials SET auth_method = 'google' WHERE user_id = $1 AND client_id IS NULL`, [userId]);
  await service.sql(
    `INSERT INTO external_identities (issuer, subject, user_id, email, password_in_question)
     VALUES ('https://issuer.example', $1::text, $1::uuid, $2, true)`,
    [userId, email],
  );
  return () => runAs(watched, person, operations.reviewPassword, { keep: false });
};

const newPassword = 'Another.horse8';

const endings: readonly (readonly [name: string, reason: string, keepsOwn: boolean, ending: Ending])[] = [
  ['signOutEverywhere', 'signed_out_everywhere', false, byPerson(operations.signOutEverywhere)],
  ['revokeUserSessions', 'revoked_by_super_admin', false, bySuperAdmin(operations.revokeUserSessions)],
  ['suspendUser', 'suspended', false, bySuperAdmin(operations.suspendUser, { reason: 'Stolen' })],
  ['undoEmailChange', 'email_change_undone', false, undoing],
  ['changePassword', 'password_changed', true, byPerson(operations.changePassword, { input: { newPassword } })],
  ['reviewPassword', 'password_removed', true, reviewing],
];

describe('Everything of a person with very many grants', () => {
  beforeEach(() => deadlines.splice(0));

  // Contract: credentials#sign-out — sign out everywhere: every credential of the person, however many there are
  it.each(endings)('is ended by %s, each grant with its row in the audit', async (_name, reason, keepsOwn, ending) => {
    const { person, connection } = await connected();
    const { clientId } = connection;
    const other = await connect(service, await newOwner(service), { clientId });
    const end = await ending(person);
    expect((await end()).code).toBeNull();
    expect(new Set(deadlines)).toEqual(new Set([waitLimits.bulkMillis]));
    expect(await liveOf(person)).toEqual(keepsOwn ? [await familyOf(service, person.tokens.refreshToken)] : []);
    expect(await endedAudits(clientId)).toEqual([{ reason, rows: grants, grants }]);
    expect(await isAccepted(service, connection)).toBe(false);
    expect(await isAccepted(service, other)).toBe(true);
  });

  it('goes with the account, and leaves rows without details in the audit', async () => {
    const { person, connection } = await connected();
    const end = await byPerson(operations.deleteAccount, { email: person.email })(person);
    expect((await end()).code).toBeNull();
    expect(new Set(deadlines)).toEqual(new Set([waitLimits.bulkMillis]));
    expect(await service.sql('SELECT id FROM credentials WHERE user_id = $1', [person.userId])).toEqual([]);
    expect(await endedAudits(connection.clientId)).toEqual([{ reason: null, rows: grants, grants: 0 }]);
  });

  it('is counted, and dated at one instant, which a repeated revocation returns', async () => {
    const { person } = await connected();
    const end = await bySuperAdmin(operations.revokeUserSessions)(person);
    const answer = await end();
    const { revokeUserSessions: receipt } = answer.data as Record<string, { readonly revokedAt: string }>;
    expect(receipt).toMatchObject({ success: true, revokedCredentials: 2 * (grants + 1) });
    const instants = await service.sql<{ at: Date }>(
      'SELECT DISTINCT revoked_at AS at FROM credentials WHERE user_id = $1',
      [person.userId],
    );
    expect(instants.map(({ at }) => at.toISOString())).toEqual([receipt?.revokedAt]);
    expect((await end()).data).toEqual({ revokeUserSessions: { ...receipt, revokedCredentials: 0 } });
  });

  // Contract: credentials#whole-or-not-at-all — Every operation happens whole or not at all
  it.each(['credentials.revoke_refused_families', 'organization_audits.append'])(
    'goes on as before when %s fails',
    async (statement) => {
      const { person, connection } = await connected();
      watched.failWith(new DatabaseUnavailable('cut off'), statement);
      await expectNothingStored(service, async () =>
        expect((await runAs(watched, person, operations.signOutEverywhere)).code).toBe('UNAVAILABLE'),
      );
      watched.failWith(null);
      expect(await isAccepted(service, connection)).toBe(true);
    },
  );
});
