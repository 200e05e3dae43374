/** Query mcpToolAuditsCsv: the record of tool calls as a file. */
import { describe, expect, it } from 'vitest';
import { ToolAudits } from '../../src/domain/audit/tool-audits.ts';
import { newId } from '../../src/kernel/ids.ts';
import { newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { newCall } from '../support/actors/tool-calls.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { operations } from '../support/clients/clients.ts';
import { fixture, serviceFixture } from '../support/fixture.ts';

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
