/** Query mcpToolAuditsCsv: the record of tool calls as a file. */
import { describe, expect, it } from 'vitest';
import { ToolAudits } from '../../src/domain/audit/tool-audits.ts';
import { appendToolAudits } from '../../src/domain/audit/tool-audits-store.ts';
import { newId } from '../../src/kernel/ids.ts';
import { newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { newCall } from '../support/actors/tool-calls.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { operations } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service, ['mcp:audit:view']));

const exportAs = async (filter: object | null): Promise<{ csv: string; rows: number; isCut: boolean }> => {
  const answer = await runAs(service, root, operations.mcpToolAuditsCsv, { filter });
  if (answer.code !== null) throw new Error(answer.text);
  return (JSON.parse(answer.text) as { data: { mcpToolAuditsCsv: { csv: string; rows: number; isCut: boolean } } }).data
    .mcpToolAuditsCsv;
};

describe('mcpToolAuditsCsv', () => {
  it('has a heading and the calls of the filter, newest first, over several pages', async () => {
    const clientId = newId();
    const audits = new ToolAudits(service.database);
    const calls = range(205).map(() => newCall({ actorUserId: root.userId, clientId }));
    for (const call of calls) await audits.append(call);
    await audits.append(newCall({ actorUserId: root.userId }));
    const { csv, rows, isCut } = await exportAs({ clientId });
    const [heading, ...lines] = csv.trimEnd().split('\r\n');
    expect(heading).toBe(
      'createdAt,actorUserId,actorEmail,clientId,clientName,tool,outcome,correlationId,argumentDigest,credentialId',
    );
    expect([rows, lines.length, isCut]).toEqual([205, 205, false]);
    expect(lines.map((line) => line.split(',')[7])).toEqual(calls.map(({ correlationId }) => correlationId).reverse());
    expect(lines[0]).toContain(`,${root.userId},${root.email},${clientId},,`);
  });

  it('has ten thousand calls at most, the newest, and says that more match', async () => {
    const clientId = newId();
    const record = (calls: readonly number[]): Promise<unknown> =>
      service.database.many(appendToolAudits, [
        calls.map(() => newId()),
        calls.map(() => root.userId),
        calls.map(() => newId()),
        calls.map(() => clientId),
        calls.map(() => 'user_get'),
        calls.map(() => 'success' as const),
        calls.map(correlationOf),
        calls.map(() => 'd'.repeat(43)),
      ]);
    const correlationOf = (place: number): string => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
    for (const part of range(20)) await record(range(500).map((place) => part * 500 + place));
    const whole = await exportAs({ clientId });
    expect([whole.rows, whole.isCut]).toEqual([10_000, false]);
    await record([10_000]);
    const cut = await exportAs({ clientId });
    const lines = cut.csv.trimEnd().split('\r\n').slice(1);
    expect([cut.rows, lines.length, cut.isCut]).toEqual([10_000, 10_000, true]);
    expect([lines[0], lines.at(-1)].map((line) => line?.split(',')[7])).toEqual([10_000, 1].map(correlationOf));
  });

  it('never has a name that a spreadsheet would run as a formula', async () => {
    const clientId = newId();
    await service.sql(`INSERT INTO oauth_clients (id, name, redirect_uris) VALUES ($1, $2, '{}')`, [
      clientId,
      '=HYPERLINK("https://evil.test")',
    ]);
    await new ToolAudits(service.database).append(newCall({ actorUserId: root.userId, clientId }));
    const { csv } = await exportAs({ clientId });
    expect(csv).toContain(`,"'=HYPERLINK(""https://evil.test"")",`);
  });

  it('refuses a filter as the list does, and a person without the scope', async () => {
    const { extensions } = await expectRefusal(service, 'BAD_USER_INPUT', () =>
      runAs(service, root, operations.mcpToolAuditsCsv, { filter: { clientId: 'none' } }),
    );
    expect(Object.keys(extensions['fields'] ?? {})).toEqual(['clientId']);
    const owner = await newOwner(service);
    await expectRefusal(service, 'FORBIDDEN', () => runAs(service, owner, operations.mcpToolAuditsCsv, {}));
  });
});
