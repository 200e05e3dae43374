/** Which steps belong to one attempt to connect, as super admins see it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { insertClient } from '../../src/domain/oauth/clients-store.ts';
import { storeDocument } from '../../src/domain/oauth/document-clients-store.ts';
import { newId } from '../../src/kernel/ids.ts';
import {
  age,
  listedConnections,
  type Origin,
  record,
  type ShownConnection,
  type Step,
  stepsOf,
} from '../support/actors/connections.ts';
import { newSuperAdmin } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));
beforeEach(() => service.sql('DELETE FROM mcp_connections'));

const program: Origin = { ip: '10.1.2.3', userAgent: 'agent/1.0' };
const browser: Origin = { ip: '10.9.9.9', userAgent: 'Mozilla/5.0' };

const found: readonly Step[] = [{ step: 'challenge' }, { step: 'resource_metadata' }, { step: 'server_metadata' }];
const foundSteps = found.map(({ step }) => step);

const all = async (): Promise<readonly ShownConnection[]> => (await listedConnections(service, root)).nodes;
const only = async (): Promise<ShownConnection> => {
  const [connection, ...others] = await all();
  expect(others).toEqual([]);
  if (connection === undefined) throw new Error('No connection');
  return connection;
};

const connectWhole = async (clientId: string): Promise<void> => {
  await record(service, program, [...found, { step: 'registration', clientId }]);
  await record(service, browser, [
    { step: 'authorization', clientId },
    { step: 'consent', clientId },
  ]);
  await record(service, program, [
    { step: 'token', clientId },
    { step: 'call', clientId },
  ]);
};

describe('Attempts to connect', () => {
  // Contract: platform-mcp#steps-of-a-connection — The steps of a client are one connection
  it('shows every step of a new client as one connection, in order, though a browser sends two of them', async () => {
    const clientId = newId();
    await service.database.one(insertClient, [clientId, 'Friendly Client', ['http://127.0.0.1/'], null]);
    await connectWhole(clientId);
    const connection = await only();
    const known = { clientId, clientName: 'Friendly Client', ...program, status: 'CONNECTED', firstRefusal: null };
    expect(connection).toMatchObject(known);
    expect(stepsOf(connection)).toEqual([...foundSteps, 'registration', 'authorization', 'consent', 'token', 'call']);
    expect(connection.beganAt).toBe(connection.steps[0]?.at);
    expect(connection.lastStepAt).toBe(connection.steps.at(-1)?.lastAt);
  });

  // Contract: organization-mcp#step-of-the-document — The timeline tells people apart who share a client_id
  it('separates two people who connect at once with a client that has a metadata document', async () => {
    const clientId = newId();
    const document = ['http://127.0.0.1/callback'];
    await service.database.one(storeDocument, [
      clientId,
      'Shared Client',
      document,
      'https://client.example/c.json',
      300,
    ]);
    const people = ['10.1.2.3', '10.1.2.4'];
    const steps = (userAgent: string, ...each: readonly Step[]): Promise<unknown[]> =>
      Promise.all(people.map((ip) => record(service, { ip, userAgent }, each)));
    await steps('agent/1.0', ...found);
    await steps('Mozilla/5.0', { step: 'client_document', clientId }, { step: 'authorization', clientId });
    await steps('Mozilla/5.0', { step: 'consent', clientId });
    await steps('agent/1.0', { step: 'token', clientId }, { step: 'call', clientId });
    const connections = await all();
    expect(connections.map(({ ip }) => ip).toSorted()).toEqual(people);
    for (const connection of connections) {
      expect(connection).toMatchObject({ clientId, userAgent: 'agent/1.0', status: 'CONNECTED' });
      const own = ['client_document', 'authorization', 'consent', 'token', 'call'];
      expect(stepsOf(connection)).toEqual([...foundSteps, ...own]);
    }
  });

  it('counts a refused document as passed once its client has registered instead', async () => {
    const refused: Step = { step: 'client_document', rule: 'client_document_not_listed' };
    await record(service, program, [...found, refused]);
    expect(await only()).toMatchObject({ status: 'REFUSED', firstRefusal: { rule: refused.rule } });
    await record(service, program, [{ step: 'registration', clientId: newId() }]);
    expect(await only()).toMatchObject({ status: 'UNFINISHED', firstRefusal: null });
  });

  it('separates two clients that register from one network at once', async () => {
    const [first, second] = [newId(), newId()];
    await record(service, program, [...found, { step: 'registration', clientId: first }]);
    await record(service, program, [...found, { step: 'registration', clientId: second }]);
    await record(service, browser, [
      { step: 'authorization', clientId: first },
      { step: 'authorization', clientId: second },
    ]);
    const connections = await all();
    expect(connections.map(({ clientId }) => clientId)).toEqual([second, first]);
    for (const connection of connections)
      expect(stepsOf(connection)).toEqual([...foundSteps, 'registration', 'authorization']);
  });

  it('separates clients that differ in address or user agent', async () => {
    const others = [
      { ...program, ip: '10.1.2.4' },
      { ...program, userAgent: 'agent/1.1' },
      { ...program, userAgent: null },
    ];
    for (const origin of [program, ...others]) await record(service, origin, found);
    expect((await all()).map(stepsOf)).toEqual(range(4).map(() => foundSteps));
  });

  it('joins the steps of a known client before it sends its name with those of its browser, by its history', async () => {
    const clientId = newId();
    await connectWhole(clientId);
    await age(service, '1 day');
    await record(service, program, found);
    await record(service, { ...browser, ip: program.ip }, [
      { step: 'authorization', clientId, rule: 'client_revoked' },
    ]);
    const [latest, former, ...others] = await all();
    expect(others).toEqual([]);
    expect(latest).toMatchObject({ clientId, ...program, status: 'REFUSED', firstRefusal: { rule: 'client_revoked' } });
    expect(latest && stepsOf(latest)).toEqual([...foundSteps, 'authorization: client_revoked']);
    expect(former).toMatchObject({ clientId, status: 'CONNECTED' });
  });

  // Contract: platform-mcp#steps-of-a-connection — The steps of a client with a known name are one connection
  it('joins them at the token at the latest, when the client was unknown', async () => {
    const clientId = newId();
    await record(service, program, found);
    await record(service, { ...program, userAgent: 'another agent' }, found);
    await record(service, browser, [
      { step: 'authorization', clientId },
      { step: 'consent', clientId },
    ]);
    expect((await all()).map(({ userAgent }) => userAgent)).toEqual(['Mozilla/5.0', 'another agent', 'agent/1.0']);
    await record(service, program, [{ step: 'token', clientId }]);
    const [latest, other, ...others] = await all();
    expect(others).toEqual([]);
    expect(latest).toMatchObject({ clientId, ...program });
    expect(latest && stepsOf(latest)).toEqual([...foundSteps, 'authorization', 'consent', 'token']);
    expect(other).toMatchObject({ clientId: null, userAgent: 'another agent' });
  });

  it('records an unknown client in one connection when only one attempt runs at its address', async () => {
    await record(service, program, found);
    await record(service, { ...browser, ip: program.ip }, [{ step: 'authorization', rule: 'client_unknown' }]);
    expect(await only()).toMatchObject({ ...program, firstRefusal: { step: 'authorization', rule: 'client_unknown' } });
    await record(service, { ...program, userAgent: 'another agent' }, found);
    await record(service, { ...program, userAgent: 'a third agent' }, found);
    await record(service, { ...browser, ip: program.ip }, [{ step: 'authorization', rule: 'client_revoked' }]);
    expect((await all()).length).toBe(4);
  });

  it('records a continued session in one connection, and a returning one in another', async () => {
    const clientId = newId();
    await connectWhole(clientId);
    await age(service, '14 minutes');
    const goesOn: readonly Step[] = [
      { step: 'refresh', clientId },
      { step: 'call', clientId },
    ];
    await record(service, program, goesOn);
    const connection = await only();
    expect(stepsOf(connection).slice(-3)).toEqual(['token', 'call', 'refresh']);
    expect(connection.steps.find(({ step }) => step === 'call')?.count).toBe(2);
    await age(service, '16 minutes');
    await record(service, program, [{ step: 'challenge', rule: 'token_not_accepted' }, ...goesOn]);
    const [latest, ...others] = await all();
    expect(others).toHaveLength(1);
    expect(latest).toMatchObject({ clientId, status: 'CONNECTED' });
    expect(latest && stepsOf(latest)).toEqual(['challenge: token_not_accepted', 'refresh', 'call']);
  });

  it('starts another one after ten minutes without a step of a client that has not sent its name', async () => {
    await record(service, program, found);
    await age(service, '9 minutes');
    await record(service, program, found);
    expect(await only()).toMatchObject({ steps: [{ count: 2 }, { count: 2 }, { count: 2 }] });
    await age(service, '11 minutes');
    await record(service, program, found);
    expect(await all()).toHaveLength(2);
  });

  it('counts a repeatedly refused step, with its first and last instant', async () => {
    const clientId = newId();
    const refused: Step = { step: 'authorization', clientId, rule: 'scope_unknown', detail: 'everything' };
    await record(
      service,
      browser,
      range(300).map(() => refused),
    );
    await age(service, '5 minutes');
    await record(
      service,
      browser,
      range(200).map(() => refused),
    );
    const { steps, status, beganAt, lastStepAt } = await only();
    expect(steps).toMatchObject([
      { count: 500, rule: 'scope_unknown', detail: 'everything', at: beganAt, lastAt: lastStepAt },
    ]);
    expect(status).toBe('REFUSED');
    expect(Date.parse(lastStepAt) - Date.parse(beganAt)).toBeGreaterThanOrEqual(5 * 60_000 - 1000);
  });

  // Contract: platform-mcp#steps-of-a-connection — The steps of a client are one connection under concurrent writes
  it('loses and breaks nothing under concurrent writes', async () => {
    const clients = range(8).map(() => newId());
    await Promise.all(
      clients.map(async (clientId, index) => {
        const origin = { ...program, userAgent: `agent/${index}` };
        for (const step of [
          { step: 'registration', clientId },
          { step: 'token', clientId },
          { step: 'call', clientId },
        ] as const)
          await record(service, origin, [step, { ...step, clientId: clients[0] ?? '' }]);
      }),
    );
    const connections = await all();
    expect(connections.map(({ clientId }) => String(clientId)).toSorted()).toEqual(clients.toSorted());
    const counts = connections.flatMap(({ steps }) => steps.map(({ count }) => count));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(8 * 3 * 2);
  });
});

describe('A refused request that only names a client', () => {
  const outsider: Origin = { ip: '198.51.100.66', userAgent: 'curl/8.0' };
  const neighbour: Origin = { ip: program.ip, userAgent: 'curl/8.0' };

  const refusals = [
    ['at the token', outsider, { step: 'token', rule: 'code_unknown' }],
    ['at the refresh', outsider, { step: 'refresh', rule: 'refresh_refused' }],
    ['at the token, from the same address', neighbour, { step: 'token', rule: 'code_unknown' }],
    ['in a browser elsewhere', outsider, { step: 'authorization', rule: 'scope_unknown' }],
    ['at the consent elsewhere', outsider, { step: 'consent', rule: 'not_super_admin' }],
  ] as const satisfies readonly (readonly [string, Origin, Step])[];

  // Contract: platform-mcp#steps-of-a-connection — A request that only names a client changes no record of it
  it.each(refusals)('%s is a separate connection', async (_where, origin, step) => {
    const clientId = newId();
    await connectWhole(clientId);
    const [before] = await all();
    const refusal = { ...step, clientId };
    await record(service, origin, [refusal, refusal]);
    const [claimed, own, ...others] = await all();
    expect(others).toEqual([]);
    expect(own).toEqual(before);
    expect(claimed).toMatchObject({ clientId, ...origin, status: 'REFUSED', steps: [{ rule: step.rule, count: 2 }] });
    // Later steps of the client are still its own, and so are those of the outsider.
    await record(service, program, [{ step: 'refresh', clientId }]);
    await record(service, origin, [refusal]);
    const after = await all();
    expect(after).toHaveLength(2);
    expect(after.find(({ id }) => id === before?.id)).toMatchObject({ ...program, status: 'CONNECTED' });
    expect(after.find(({ id }) => id === claimed?.id)).toMatchObject({ ...origin, steps: [{ count: 3 }] });
  });

  it.each(refusals)('%s joins no attempt that the client has just begun', async (_where, origin, step) => {
    const clientId = newId();
    await connectWhole(clientId);
    await age(service, '1 day');
    await record(service, program, found);
    await record(service, origin, [{ ...step, clientId }]);
    const [claimed, nameless, former] = await all();
    expect(claimed).toMatchObject({ ...origin, status: 'REFUSED' });
    expect(nameless).toMatchObject({ clientId: null, ...program, status: 'UNFINISHED' });
    expect(former).toMatchObject({ clientId, ...program, status: 'CONNECTED' });
    // The client continues its attempt, with its own name.
    await record(service, program, [{ step: 'token', clientId }]);
    const attempt = (await all()).find(({ id }) => id === nameless?.id);
    expect(attempt && stepsOf(attempt)).toEqual([...foundSteps, 'token']);
    expect(attempt).toMatchObject({ clientId, ...program, status: 'UNFINISHED' });
  });

  it('moves no connection to the address of an outsider who named the client', async () => {
    const clientId = newId();
    await connectWhole(clientId);
    for (const rule of ['scope_unknown', null] as const) {
      await record(service, outsider, found);
      await record(service, { ...browser, ip: outsider.ip }, [{ step: 'authorization', clientId, rule }]);
      const own = (await all()).filter(({ steps }) => steps.some(({ step }) => step === 'call'));
      expect(own).toMatchObject([{ clientId, ...program }]);
    }
  });

  it('is recorded with the rest of the attempt when its origin is that of the client', async () => {
    const clientId = newId();
    await connectWhole(clientId);
    await record(service, program, [{ step: 'refresh', clientId, rule: 'refresh_refused' }]);
    await record(service, { ...browser, ip: program.ip }, [{ step: 'authorization', clientId, rule: 'pkce_missing' }]);
    const connection = await only();
    expect(connection).toMatchObject({ clientId, ...program, status: 'REFUSED' });
    expect(stepsOf(connection).slice(-2)).toEqual(['refresh: refresh_refused', 'authorization: pkce_missing']);
  });
});

describe('Status of a connection', () => {
  const clientId = newId();
  const pass = (step: Step['step']): Step => ({ step, clientId });
  const refuse = (step: Step['step'], rule: Step['rule'] = 'request_malformed'): Step => ({ step, clientId, rule });
  const rows: readonly (readonly [string, readonly Step[], string, string | null])[] = [
    ['UNFINISHED before any refusal or call', [pass('registration'), pass('token')], 'UNFINISHED', null],
    ['CONNECTED by a successful call', [pass('token'), pass('call')], 'CONNECTED', null],
    ['REFUSED by a step that has not succeeded since', [pass('registration'), refuse('token')], 'REFUSED', 'token'],
    [
      'REFUSED though an earlier step has succeeded since',
      [refuse('consent'), pass('authorization')],
      'REFUSED',
      'consent',
    ],
    ['UNFINISHED once the refused step succeeded', [refuse('token'), pass('token')], 'UNFINISHED', null],
    ['UNFINISHED once a later step succeeded', [refuse('registration'), pass('consent')], 'UNFINISHED', null],
    ['CONNECTED by a call after a refusal', [refuse('token'), pass('token'), pass('call')], 'CONNECTED', null],
    ['REFUSED by a call that was refused after a successful one', [pass('call'), refuse('call')], 'REFUSED', 'call'],
    [
      'REFUSED with the first of several that apply',
      [refuse('registration'), pass('registration'), refuse('authorization'), refuse('token')],
      'REFUSED',
      'authorization',
    ],
    [
      'UNFINISHED after a call, an expired token and a refresh',
      [pass('call'), refuse('challenge', 'token_not_accepted'), pass('refresh')],
      'UNFINISHED',
      null,
    ],
  ];
  // Contract: platform-mcp#status-of-a-connection — Connected, refused or unfinished
  it.each(rows)('is %s', async (_title, steps, status, firstRefused) => {
    for (const step of steps) await record(service, program, [step]);
    const connection = await only();
    expect({ status: connection.status, first: connection.firstRefusal?.step ?? null }).toEqual({
      status,
      first: firstRefused,
    });
    for (const sought of ['CONNECTED', 'REFUSED', 'UNFINISHED']) {
      const { totalCount, nodes } = await listedConnections(service, root, { status: sought });
      expect({ sought, totalCount, found: nodes.length }).toEqual(
        sought === status ? { sought, totalCount: 1, found: 1 } : { sought, totalCount: 0, found: 0 },
      );
    }
  });
});
