/** The record of tool calls (contract/incidents.md#record-of-tool-calls): written exactly once, never changed. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { appendToolAudit, recordedToolName, ToolAudits } from '../../src/domain/audit/tool-audits.ts';
import type { RecordedCall } from '../../src/domain/audit/tool-audits-store.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { SignInHistory } from '../../src/domain/sign-ins/sign-in-history.ts';
import { Keyring } from '../../src/kernel/secrets.ts';
import { platformSurface } from '../../src/mcp/platform-surface.ts';
import { ToolCall } from '../../src/mcp/tool-calls.ts';
import { DatabaseUnavailable, type Queryable } from '../../src/platform/database/database.ts';
import { Deadline, withinDeadline } from '../../src/platform/database/deadlines.ts';
import { toFailure } from '../../src/platform/database/failure.ts';
import { withContext } from '../../src/platform/observability/context.ts';
import { unlimited } from '../../src/platform/rate-limit/rate-limits.ts';
import { actorWith } from '../support/actors/actor.ts';
import { expectSoundChain, newCall, storedCalls } from '../support/actors/tool-calls.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const service = serviceFixture();

describe('A recorded tool call', () => {
  // Contract: incidents#record-of-tool-calls — MCP tool audit record: actor, credential id, tool, outcome, correlation
  //   id, argument digest
  it('is a row with every fact of it, durable when the caller continues', async () => {
    const call = newCall({ tool: 'sessions_list', outcome: 'deny' });
    await new ToolAudits(service.database).append(call);
    const [row] = await service.sql(
      `SELECT actor_user_id, credential_id, client_id, tool, outcome, correlation_id, argument_digest
       FROM mcp_tool_audits WHERE correlation_id = $1`,
      [call.correlationId],
    );
    expect(row).toEqual({
      actor_user_id: call.actorUserId,
      credential_id: call.credentialId,
      client_id: call.clientId,
      tool: call.tool,
      outcome: call.outcome,
      correlation_id: call.correlationId,
      argument_digest: call.argumentDigest,
    });
  });

  // Contract: incidents#record-of-tool-calls — One row per tools/call: no duplicates
  it('is recorded once, by any number of retries in any process', async () => {
    const audits = [new ToolAudits(service.database), new ToolAudits(service.database)];
    const calls = Array.from({ length: 20 }, () => newCall());
    const before = await storedCalls(service.sql);
    await Promise.all(audits.flatMap((each) => [...calls, ...calls].map((call) => each.append(call))));
    await service.database.transaction((transaction) => appendToolAudit(transaction, calls[0] ?? newCall()));
    const after = await storedCalls(service.sql);
    expect(after.slice(before.length).sort()).toEqual(calls.map(({ correlationId }) => correlationId).sort());
    await expectSoundChain(service.database, after.length);
  });

  // Contract: incidents#record-of-tool-calls — One row per tools/call: rolled-back calls leave none
  it('leaves neither row nor gap when its transaction is rolled back', async () => {
    const before = await storedCalls(service.sql);
    const work = service.database.transaction(async (transaction) => {
      await appendToolAudit(transaction, newCall());
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await storedCalls(service.sql)).toEqual(before);
    const next = newCall();
    await service.database.transaction((transaction) => appendToolAudit(transaction, next));
    expect(await storedCalls(service.sql)).toEqual([...before, next.correlationId]);
    await expectSoundChain(service.database, before.length + 1);
  });

  it('fails alone when its ids are invalid, and never quotes them', async () => {
    const audits = new ToolAudits(service.database);
    const sound = newCall();
    const [broken, other] = await Promise.allSettled([
      audits.append(newCall({ clientId: 'gate_a_secret' })),
      audits.append(sound),
    ]);
    expect(broken.status).toBe('rejected');
    expect(String(broken.status === 'rejected' && broken.reason)).not.toContain('gate_a_secret');
    expect(other.status).toBe('fulfilled');
    expect(await storedCalls(service.sql)).toContain(sound.correlationId);
  });
});

describe('The name of a tool in the record', () => {
  it('is the requested name when it could be that of a tool', () => {
    for (const name of ['mcp_whoami', 'sessions.list', '_x', 'a'.repeat(64)]) expect(recordedToolName(name)).toBe(name);
  });

  // Contract: incidents#argument-digest — Raw tokens are never stored: an impossible tool name
  it.each([['Bearer gate_a_x'], ['Tool'], [''], ['a'.repeat(65)], ['naïve'], ['a\n'], ['1a'], [7], [null], [{}]])(
    'is (unreadable) for %j',
    async (name) => {
      expect(recordedToolName(name)).toBe('(unreadable)');
      if (typeof name !== 'string') return;
      const call = newCall({ tool: name });
      await new ToolAudits(service.database).append(call);
      const rows = await service.sql<{ tool: string }>('SELECT tool FROM mcp_tool_audits WHERE correlation_id = $1', [
        call.correlationId,
      ]);
      expect(rows).toEqual([{ tool: '(unreadable)' }]);
    },
  );
});

/** The answer of the database to the parameters of the statement. */
const recordedCalls = (params: readonly unknown[]): RecordedCall[] => {
  const correlationIds: unknown = params[6];
  return Array.isArray(correlationIds)
    ? correlationIds.map((id, index) => ({ correlationId: String(id), position: index + 1, hash: Buffer.alloc(32) }))
    : [];
};

/** A database whose statements the test answers itself. */
const heldDatabase = () => {
  const statements: { readonly size: number; answer(): void; fail(error: Error): void }[] = [];
  const many: Queryable['many'] = <Row>(_statement: unknown, params: readonly unknown[]): Promise<Row[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
    const rows = recordedCalls(params);
    statements.push({ size: rows.length, answer: () => resolve(rows as Row[]), fail: reject });
    return promise;
  };
  return { many, statements };
};

/** Calls under load gather for no time. */
const atOnce = (begin: () => void): void => queueMicrotask(begin);

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('Calls that end at once', () => {
  it('share a statement, and later ones gather while it is running', async () => {
    const held = heldDatabase();
    const audits = new ToolAudits(held, atOnce);
    const first = Array.from({ length: 3 }, () => audits.append(newCall()));
    await nextTurn();
    const later = Array.from({ length: 700 }, () => audits.append(newCall()));
    await nextTurn();
    expect(held.statements.map(({ size }) => size)).toEqual([3]);
    held.statements[0]?.answer();
    await Promise.all(first);
    await nextTurn();
    expect(held.statements.map(({ size }) => size)).toEqual([3, 500]);
    held.statements[1]?.answer();
    await nextTurn();
    await nextTurn();
    held.statements[2]?.answer();
    await Promise.all([...later, audits.settled()]);
    expect(held.statements.map(({ size }) => size)).toEqual([3, 500, 200]);
  });

  it('are rejected when their statement failed, and the next one is tried', async () => {
    const held = heldDatabase();
    const audits = new ToolAudits(held, atOnce);
    const failing = audits.append(newCall());
    await nextTurn();
    const next = audits.append(newCall());
    held.statements[0]?.fail(new DatabaseUnavailable('gone'));
    await expect(failing).rejects.toThrow(DatabaseUnavailable);
    await nextTurn();
    held.statements[1]?.answer();
    await next;
  });

  it('are refused when too many wait for an unresponsive database', async () => {
    const held = heldDatabase();
    const audits = new ToolAudits(held, atOnce);
    const flying = audits.append(newCall());
    await nextTurn();
    const waiting = Array.from({ length: 5000 }, () => audits.append(newCall()));
    await expect(audits.append(newCall())).rejects.toThrow(DatabaseUnavailable);
    const settled = audits.settled();
    for (let answered = 0; answered < 11; answered += 1) {
      held.statements[answered]?.answer();
      await nextTurn();
      await nextTurn();
    }
    await Promise.all([flying, ...waiting, settled]);
  });

  it('gather under load before the next statement, and a call that comes alone does not wait', async () => {
    const held = heldDatabase();
    const pauses: (() => void)[] = [];
    const audits = new ToolAudits(held, (begin) => void pauses.push(begin));
    const sizes = (): number[] => held.statements.map(({ size }) => size);
    const first = Array.from({ length: 4 }, () => audits.append(newCall()));
    await nextTurn();
    held.statements[0]?.answer();
    await Promise.all(first);
    const gathered = [audits.append(newCall())];
    await nextTurn();
    gathered.push(audits.append(newCall()));
    await nextTurn();
    expect([sizes(), pauses.length]).toEqual([[4], 1]);
    pauses[0]?.();
    expect(sizes()).toEqual([4, 2]);
    held.statements[1]?.answer();
    await Promise.all(gathered);
    const alone = audits.append(newCall());
    await nextTurn();
    expect([sizes(), pauses.length]).toEqual([[4, 2, 1], 1]);
    held.statements[2]?.answer();
    await Promise.all([alone, audits.settled()]);
  });
});

describe('A request past its database deadline', () => {
  const spentBudget = async (): Promise<Deadline> => {
    const waits = new Deadline(10);
    await expect(waits.wait(Number.POSITIVE_INFINITY, () => new Promise(() => undefined))).rejects.toThrow();
    return waits;
  };

  it('does not keep the calls of other requests from being recorded in its batch', async () => {
    let written = 0;
    const many: Queryable['many'] = <Row>(_statement: unknown, params: readonly unknown[]): Promise<Row[]> =>
      withinDeadline(Number.POSITIVE_INFINITY, async () => {
        written += 1;
        return recordedCalls(params) as Row[];
      });
    const audits = new ToolAudits({ many });
    const waits = await spentBudget();
    const call = withContext({ correlationId: 'of a test', waits }, () => audits.append(newCall()));
    await Promise.all([call, audits.append(newCall())]);
    expect(written).toBe(1);
  });

  const callIn = (waits: Deadline, audits: ToolAudits) => {
    const reported: string[] = [];
    const { database, config } = service;
    const deps = {
      database,
      surface: platformSurface({ application: defaultApplication, audits, logger: silentLogger }),
      limits: unlimited,
      mail: { enqueue: async () => ({ subject: '' }) },
      logger: { ...silentLogger, debug: () => undefined },
      settings: { frontendUrl: service.url },
      signIns: new SignInHistory(database, silentLogger, 0),
      application: defaultApplication,
      keyring: new Keyring(config.secrets),
      customTools: { timeoutMillis: 30_000, closing: new AbortController().signal },
      metrics: { countToolCall: (_tool: string, outcome: string) => void reported.push(outcome) },
    };
    const { actorUserId: id, credentialId, clientId, correlationId } = newCall();
    const actor = actorWith({ user: { id }, credential: { id: credentialId, sessionFamilyId: id, clientId } });
    const result = withContext({ correlationId, waits }, () =>
      new ToolCall(deps, actor, clientId, { name: 'x' }).run(),
    );
    return { correlationId, result, reported };
  };

  it('is answered as unavailable, and its call is still recorded', async () => {
    const audits = new ToolAudits(service.database);
    const { correlationId, result, reported } = callIn(await spentBudget(), audits);
    expect(await result).toEqual({ kind: 'unavailable' });
    await audits.settled();
    expect(await storedCalls(service.sql)).toContain(correlationId);
    expect(reported).toEqual(['deny']);
  });

  it('is answered as unavailable in time while the audit record is blocked', async () => {
    const held = heldDatabase();
    const { result, reported } = callIn(new Deadline(100), new ToolAudits(held));
    expect(await result).toEqual({ kind: 'unavailable' });
    expect(reported).toEqual([]);
    held.statements[0]?.answer();
    await nextTurn();
    expect(reported).toEqual(['deny']);
  });
});

describe('A connection that fails under the record', () => {
  it('loses no call: the statement is retried without duplicate rows', async () => {
    const held = heldDatabase();
    const call = new ToolAudits(held).append(newCall());
    await nextTurn();
    held.statements[0]?.fail(toFailure(new Error('Connection terminated unexpectedly')));
    await vi.waitFor(() => expect(held.statements).toHaveLength(2));
    held.statements[1]?.answer();
    await call;
  });
});

describe('The table of the record', () => {
  // Contract: incidents#chain-of-rows — Append-only rows
  it.each([
    ['UPDATE', `UPDATE mcp_tool_audits SET outcome = 'success'`],
    ['UPDATE of no row', 'UPDATE mcp_tool_audits SET tool = tool WHERE false'],
    ['DELETE', 'DELETE FROM mcp_tool_audits'],
    ['TRUNCATE', 'TRUNCATE mcp_tool_audits'],
    [
      'INSERT … ON CONFLICT DO UPDATE',
      `INSERT INTO mcp_tool_audits SELECT * FROM mcp_tool_audits ON CONFLICT (id) DO UPDATE SET tool = 'other'`,
    ],
  ])('refuses %s', async (_name, text) => {
    await new ToolAudits(service.database).append(newCall());
    const before = await service.sql('SELECT * FROM mcp_tool_audits ORDER BY position');
    await expect(service.sql(text)).rejects.toThrow('the rows of mcp_tool_audits are only ever added');
    expect(await service.sql('SELECT * FROM mcp_tool_audits ORDER BY position')).toEqual(before);
  });

  // Contract: incidents#chain-of-rows — Append-only rows: no statement of the service changes one
  it('is changed by no statement of the service', () => {
    const source = fileURLToPath(new URL('../../src', import.meta.url));
    const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => ({ name, text: readFileSync(join(source, name), 'utf8') }));
    const change =
      /\b(UPDATE|DELETE\s+FROM|TRUNCATE|INSERT\s+INTO|ALTER\s+TABLE|DROP\s+TABLE)\s+(ONLY\s+)?mcp_tool_audits/i;
    expect(texts.filter(({ text }) => text.includes('mcp_tool_audits')).length).toBeGreaterThan(0);
    expect(texts.filter(({ text }) => change.test(text)).map(({ name }) => name)).toEqual([]);
  });
});
