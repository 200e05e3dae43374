/**
 * The deletion of a token beside what else writes it and its secrets: neither waits for the other, and no token is
 * lost.
 */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { purgeCredentials } from '../../../src/domain/credentials/sessions-store.ts';
import { purgeTokens } from '../../../src/domain/machine-tokens/token-jobs.ts';
import { TokenNetworks } from '../../../src/domain/machine-tokens/token-networks.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { type SeededToken, seedPersonalToken } from '../../machine-tokens/reported.ts';
import { seedPerson } from '../../support/actors/seeding.ts';
import { createTestDatabase } from '../../support/database/databases.ts';
import { isOnPostgres } from '../../support/database/engines.ts';
import { sqlOn } from '../../support/database/sql.ts';
import { fixture } from '../../support/fixture.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';

describe.runIf(isOnPostgres)('A token (PostgreSQL only: the embedded engine runs one transaction)', () => {
  const stored = fixture(createTestDatabase, (stored) => stored.drop());
  const database = fixture(() =>
    openDatabase({ url: stored.url, dataDirectory: stored.dataDirectory, logger: silentLogger }),
  );

  /** Another session of the database, which holds what it locks until it commits. */
  const other = fixture(
    async () => {
      const client = new pg.Client({ connectionString: stored.url });
      await client.connect();
      return client;
    },
    (client) => client.end(),
  );

  /** A person with a token of two live secrets. */
  const newHolder = async (): Promise<{ readonly userId: string; readonly token: SeededToken }> => {
    const userId = await seedPerson(database);
    const [member] = await sqlOn(database)<{ readonly id: string; readonly organizationId: string }>(
      'SELECT id, organization_id AS "organizationId" FROM organization_members WHERE user_id = $1',
      [userId],
    );
    const { id: memberId, organizationId } = member ?? { id: '', organizationId: '' };
    return {
      userId,
      token: await seedPersonalToken({ sql: sqlOn(database) }, { userId, memberId, organizationId }, true),
    };
  };

  const endLongAgo = ({ id }: SeededToken): Promise<unknown> =>
    sqlOn(database)(
      `UPDATE credentials SET issued_at = now() - interval '130 days', expires_at = now() - interval '100 days',
         family_expires_at = now() - interval '17 days' WHERE session_family_id = $1`,
      [id],
    );

  const tokensOf = (userId: string): Promise<string[]> =>
    sqlOn(database).column<string>('SELECT id FROM machine_tokens WHERE user_id = $1', [userId]);

  const secretsOf = async ({ id }: SeededToken): Promise<number> =>
    (await sqlOn(database)('SELECT FROM credentials WHERE session_family_id = $1', [id])).length;

  // Contract: machine-credentials#listed-tokens — The deletion of an account and that of ended tokens do not wait for
  //   each other
  it.each([0, 1])('is left by its purge while a deletion of the account holds the secret in slot %i', async (slot) => {
    const { userId, token } = await newHolder();
    await endLongAgo(token);
    await other.query('BEGIN');
    await other.query(
      `UPDATE credentials SET revoked_at = now(), revocation_reason = 'account_deleted'
       WHERE session_family_id = $1 AND slot = $2`,
      [token.id, slot],
    );
    expect(await database.execute(purgeTokens, [])).toBe(0);
    expect(await tokensOf(userId)).toEqual([token.id]);
    expect(await secretsOf(token)).toBe(2);
    await other.query('DELETE FROM users WHERE id = $1', [userId]);
    await other.query('COMMIT');
    expect(await tokensOf(userId)).toEqual([]);
    expect(await secretsOf(token)).toBe(0);
  });

  it('is deleted with both secrets once neither is held, and the purge of credentials leaves it findable', async () => {
    const { userId, token } = await newHolder();
    await endLongAgo(token);
    // Of the two secrets only the replaced one goes without the token.
    expect(await database.execute(purgeCredentials, [])).toBe(1);
    expect(await tokensOf(userId)).toEqual([token.id]);
    expect(await database.execute(purgeTokens, [])).toBe(1);
    expect(await tokensOf(userId)).toEqual([]);
    expect(await secretsOf(token)).toBe(0);
  });

  it('that is being deleted keeps no note of another one from being written', async () => {
    const [going, staying] = [await newHolder(), await newHolder()];
    const networks = new TokenNetworks(database, silentLogger);
    await other.query('BEGIN');
    await other.query('DELETE FROM machine_tokens WHERE id = $1', [going.token.id]);
    for (const { userId, token } of [going, staying]) {
      const machine = { kind: 'PERSONAL_TOKEN', id: token.id } as const;
      networks.note({ machine, user: { id: userId }, credential: { id: token.id } }, '192.0.2.7');
    }
    await networks.flush();
    await other.query('COMMIT');
    expect(
      await sqlOn(database).column('SELECT token_id FROM machine_token_networks WHERE token_id = ANY ($1::uuid[])', [
        [going.token.id, staying.token.id],
      ]),
    ).toEqual([staying.token.id]);
  });
});
