/**
 * Clients that very many people share: what revokes one, lists it and redeems for it takes no lock or row of each
 * person.
 */
import { describe, expect, it } from 'vitest';
import { requireLiveSession } from '../../src/domain/access/authorize.ts';
import { LastSeenRecorder } from '../../src/domain/credentials/last-seen.ts';
import { rotateCredentialPairOfClient } from '../../src/domain/credentials/rotate-pair.ts';
import { revokedClientsJob } from '../../src/domain/oauth/clients.ts';
import { shareLiveClient } from '../../src/domain/oauth/clients-store.ts';
import { statement } from '../../src/platform/database/database.ts';
import { rowsAtOnce } from '../../src/platform/jobs/scheduled-jobs.ts';
import { connect as connectTo, multiplyGrant } from '../support/actors/connected-clients.ts';
import { actorOfGrant, isAccepted } from '../support/actors/grants.ts';
import { newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { operations } from '../support/clients/clients.ts';
import { connect, newClient, newCode, redeem, refreshAs } from '../support/clients/oauth.ts';
import { embedded, postgresOnly } from '../support/database/engines.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { withProductionLimits } from '../support/gatehouse/wait-limits.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

/**
 * With those of the connection itself, more credentials than a count of the list goes to, and than one transaction
 * ends.
 */
const families = embedded ? 600 : 5_200;
const counted = 10_000;

const revoke = async (id: string, dryRun = false): Promise<unknown> => {
  const mutation = `mutation ($id: ID!, $dryRun: Boolean!) {
    revokeMcpClient(clientId: $id, dryRun: $dryRun) { success revokedCredentials } }`;
  return (await runAs(service, root, mutation, { id, dryRun })).data?.['revokeMcpClient'];
};

const ended = (revokedCredentials: number) => ({ success: true, revokedCredentials });

/** Runs the job to its end; returns how many families each batch ended. */
const runJob = async (): Promise<readonly number[]> => {
  const batches: number[] = [];
  for (let ended = 1; ended > 0; batches.push(ended)) ended = await revokedClientsJob.purge(service.database);
  return batches;
};

const liveOf = (clientId: string): Promise<number | undefined> =>
  service.sql.value('SELECT count(*)::integer FROM credentials WHERE client_id = $1 AND revoked_at IS NULL', [
    clientId,
  ]);

const listed = async (search: string): Promise<unknown> => {
  const { data } = await runAs(service, root, operations.mcpClients, { search });
  return (data?.['mcpClients'] as { readonly nodes: readonly unknown[] } | undefined)?.nodes[0];
};

describe('The revocation of a client', () => {
  // Contract: organization-mcp#reach-of-super-admins — revokeMcpClient, however many people share the client
  it('ends thousands of families, each with its row in the audit, as its dry run counted', async () => {
    const connected = await connectTo(service, await newOwner(service), { clientName: 'Shared by very many' });
    const { clientId } = connected;
    await multiplyGrant(service, connected.id, families);
    const all = 2 * (families + 1);
    expect(await listed('very many')).toMatchObject({ activeCredentials: Math.min(all, counted) });
    expect(await expectNothingStored(service, () => revoke(clientId, true))).toEqual(ended(all));
    expect(await isAccepted(service, connected)).toBe(true);
    expect(await revoke(clientId)).toEqual(ended(all));
    expect(await isAccepted(service, connected)).toBe(false);
    expect(await liveOf(clientId)).toBe(0);
    const audits = await service.sql.value(
      `SELECT count(*)::integer FROM organization_audits WHERE event = 'MCP_CLIENT_ENDED' AND client_id = $1`,
      [clientId],
    );
    expect(audits).toBe(families + 1);
    expect(await expectNothingStored(service, () => revoke(clientId))).toEqual(ended(0));
  });

  it('is decided by its own row: nothing accepts a credential whose row is live', async () => {
    const connected = await connectTo(service, await newOwner(service));
    const { clientId, tokens } = connected;
    const actor = await actorOfGrant(service, connected);
    await requireLiveSession(service.database, actor);
    await service.sql('UPDATE oauth_clients SET revoked_at = now() WHERE id = $1', [clientId]);
    expect(await isAccepted(service, connected)).toBe(false);
    await expect(requireLiveSession(service.database, actor)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const lifetimes = { accessTtlSeconds: 900, refreshTtlSeconds: 900, signInHistoryDays: 0 };
    const rotation = { ...tokens, clientId, scopes: null, audiences: ['mcp_organization'] };
    await expectNothingStored(service, () =>
      expect(
        rotateCredentialPairOfClient(
          { database: service.database, logger: silentLogger, lifetimes },
          { ...rotation, caller: { ip: null, userAgent: null } },
        ),
      ).rejects.toMatchObject({ code: 'REFRESH_REFUSED' }),
    );
    expect(await liveOf(clientId)).toBe(2);
    // An interrupted call left them, and the next one goes on.
    expect(await revoke(clientId)).toEqual(ended(2));
    expect(await liveOf(clientId)).toBe(0);
  });

  // Contract: organization-mcp#reach-of-super-admins — revokeMcpClient, also where the process ends in between
  it('is finished by the job where a process left it, with the same rows in the audit; a live client goes on', async () => {
    const owner = await newOwner(service);
    const [left, live] = [await connectTo(service, owner), await connectTo(service, owner)];
    await multiplyGrant(service, left.id, 2 * rowsAtOnce);
    const revokedAgo = (interval: string): Promise<unknown> =>
      service.sql('UPDATE oauth_clients SET revoked_at = now() - $2::interval WHERE id = $1', [
        left.clientId,
        interval,
      ]);
    const total = 2 * (2 * rowsAtOnce + 1);
    // The call itself may still be running.
    await revokedAgo('50 seconds');
    expect(await expectNothingStored(service, runJob)).toEqual([0]);
    expect(await liveOf(left.clientId)).toBe(total);
    await revokedAgo('61 seconds');
    const batches = await runJob();
    expect(Math.max(...batches)).toBeLessThanOrEqual(rowsAtOnce);
    expect(batches.reduce((sum, ended) => sum + ended)).toBe(total / 2);
    expect(await liveOf(left.clientId)).toBe(0);
    expect(await isAccepted(service, live)).toBe(true);
    const audits = await service.sql(
      `SELECT client_id AS client, actor_id AS actor, details::jsonb ->> 'reason' AS reason, count(*)::integer AS rows,
         count(DISTINCT details::jsonb ->> 'sessionFamilyId')::integer AS families
       FROM organization_audits WHERE event = 'MCP_CLIENT_ENDED' AND organization_id = $1 GROUP BY 1, 2, 3`,
      [owner.organizationId],
    );
    const rows = { rows: total / 2, families: total / 2 };
    expect(audits).toEqual([{ client: left.clientId, actor: null, reason: 'client_revoked', ...rows }]);
    expect(await expectNothingStored(service, runJob)).toEqual([0]);
  });

  it.skipIf(embedded)(`counts at once, while another transaction holds a row${postgresOnly}`, async () => {
    const connection = await connect(service);
    const { clientId } = connection;
    await service.database.transaction(async (transaction) => {
      await transaction.many(holdRows, [clientId]);
      expect(await withProductionLimits(() => revoke(clientId))).toBeUndefined();
      expect((await refreshAs(service, connection)).body['error']).toBe('invalid_client');
    });
    expect(await liveOf(clientId)).toBe(2);
    expect(await revoke(clientId)).toEqual(ended(2));
  });
});

const holdRows = statement<unknown, [clientId: string]>(
  'test.hold_rows',
  'SELECT id FROM credentials WHERE client_id = $1 FOR NO KEY UPDATE',
);

describe('The list of clients', () => {
  it('keeps the last use of a client when the credential has ended', async () => {
    const connected = await connectTo(service, await newOwner(service), { clientName: 'Used before' });
    const lastSeen = new LastSeenRecorder(service.database, silentLogger);
    lastSeen.note((await actorOfGrant(service, connected)).credential.id, null);
    await lastSeen.flush();
    const used = await listed('Used before');
    expect(used).toMatchObject({ activeCredentials: 2, lastUsedAt: expect.any(String) as unknown });
    const { lastUsedAt } = used as { readonly lastUsedAt: string };
    await revoke(connected.clientId);
    expect(await listed('Used before')).toMatchObject({ activeCredentials: 0, lastUsedAt });
  });
});

describe('A redemption', () => {
  const authorizedAt = (id: string): Promise<Date | null | undefined> =>
    service.sql.value('SELECT last_authorized_at FROM oauth_clients WHERE id = $1', [id]);
  const authorizedAgo = (id: string, seconds: number): Promise<unknown> =>
    service.sql(`UPDATE oauth_clients SET last_authorized_at = now() - $2 * interval '1 second' WHERE id = $1`, [
      id,
      seconds,
    ]);
  const redeemFor = async (clientId: string): Promise<number> =>
    (await redeem(service, await newCode(service, { clientId, userId: root.userId }))).status;

  it('notes the first authorization of its client, and then one a minute', async () => {
    const clientId = await newClient(service);
    expect(await authorizedAt(clientId)).toBeNull();
    expect(await redeemFor(clientId)).toBe(200);
    expect(await authorizedAt(clientId)).not.toBeNull();
    for (const [seconds, isNoted] of [
      [20, false],
      [61, true],
    ] as const) {
      await authorizedAgo(clientId, seconds);
      const before = await authorizedAt(clientId);
      expect(await redeemFor(clientId)).toBe(200);
      expect((await authorizedAt(clientId))?.getTime() !== before?.getTime()).toBe(isNoted);
    }
  });

  it.skipIf(embedded)(`does not wait for another one of its client${postgresOnly}`, async () => {
    const { clientId } = await connect(service);
    await authorizedAgo(clientId, 3600);
    const code = await newCode(service, { clientId, userId: root.userId });
    await service.database.transaction(async (transaction) => {
      await transaction.maybeOne(shareLiveClient, [clientId]);
      expect((await redeem(service, code)).status).toBe(200);
    });
  });
});
