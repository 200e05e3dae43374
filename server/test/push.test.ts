/**
 * What one process changes, another's memory makes room for, by way of Redis (docs/storage.md, "Redis"). Nothing depends
 * on it: the tests of authentication run without, and what is lost or made up here costs a question.
 */
import { createClient } from '@redis/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../src/app.ts';
import { Authenticator } from '../src/domain/access/authenticate.ts';
import { StaleActors } from '../src/domain/access/stale-actors.ts';
import { newId } from '../src/kernel/ids.ts';
import { createLogger } from '../src/platform/logger.ts';
import { operations, post, type Tokens } from './support/clients.ts';
import { range, until } from './support/concurrency.ts';
import { familyOf } from './support/credentials.ts';
import { redisOnly, redisUrl } from './support/engines.ts';
import { type Service, startService } from './support/gatehouse.ts';
import { seedPerson, seedSession } from './support/seeding.ts';
import { newMember, newOwner, runAs, type Tenant } from './support/tenants.ts';
import { watchDatabase } from './support/watched-gatehouse.ts';

/** An authenticator by itself, as a process has one. */
const memoryOf = async (service: Service, tokens: readonly Tokens[]): Promise<Authenticator> => {
  const authenticator = new Authenticator(service.database);
  for (const { accessToken } of tokens) await authenticator.authenticate(accessToken, ['api']);
  return authenticator;
};

describe('Actors in memory', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());
  // What is gathered for a second is handed on when a test says so.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are forgotten by user, session family, membership and organization, and no others', async () => {
    const [owner, stranger] = [await newOwner(service), await newOwner(service)];
    const family = await familyOf(service, owner.tokens.accessToken);
    for (const id of [owner.userId, family, owner.memberId, owner.organizationId]) {
      const memory = await memoryOf(service, [owner.tokens, stranger.tokens]);
      memory.forget(new Set([newId(), id]));
      expect(memory.size).toBe(1);
      await memory.authenticate(stranger.tokens.accessToken, ['api']);
      expect(memory.lookups).toMatchObject({ hit: 1, miss: 2 });
    }
  });

  it('stay when a message names nobody, or is no message of ours', async () => {
    const owner = await newOwner(service);
    const memory = await memoryOf(service, [owner.tokens]);
    const heard: number[] = [];
    const actors = {
      forget: (ids: ReadonlySet<string>): void => {
        heard.push(ids.size);
        memory.forget(ids);
      },
    };
    const stale = new StaleActors(actors, () => undefined);
    for (const text of ['', ' ', 'nonsense', '{"users":[1]}', `${owner.userId}x`, '\u0000'.repeat(99), '*'])
      stale.heard(text);
    stale.heard(`${owner.userId} `.repeat(10_000));
    stale.heard(newId());
    expect(heard).toEqual([]);
    vi.runAllTimers();
    expect([heard, memory.size]).toEqual([[1], 1]);
  });

  it('are looked through once for many messages, of which a bounded number counts', async () => {
    const heard: number[] = [];
    const sent: string[] = [];
    const stale = new StaleActors({ forget: (ids) => void heard.push(ids.size) }, (text) => void sent.push(text));
    for (const _message of range(1200)) stale.heard(`${newId()} ${newId()}`);
    for (const _change of range(1200)) stale.changed([newId()]);
    vi.runAllTimers();
    expect(heard).toEqual([1000]);
    expect(sent.map((text) => text.split(' ').length)).toEqual(range(10).map(() => 100));
  });
});

describe.runIf(redisUrl !== undefined)(`Two processes with one Redis${redisOnly}`, () => {
  let first: Service;
  let second: { readonly memory: Authenticator; readonly url: string; close(): Promise<void> };
  const listener = createClient({ url: redisUrl ?? '' });
  let heard: string[] = [];

  beforeAll(async () => {
    first = await startService();
    second = await startSecond();
    await listener.connect();
    await listener.subscribe('gatehouse:changed', (text) => void heard.push(text));
    await untilHeard();
  });
  afterAll(async () => {
    listener.destroy();
    await second.close();
    await first.close();
  });

  /** Another instance over the same database, whose memory can be looked into. */
  const startSecond = async () => {
    const memory = new Authenticator(first.database);
    const { database } = watchDatabase(first.database);
    const logger = createLogger('silent');
    const { config } = first;
    const app = await createApp({
      config,
      database,
      logger,
      portalDirectory: null,
      isUpkeepLeft: true,
      authenticator: memory,
    });
    const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
    return { memory, url, close: () => app.close() };
  };

  /** Both listen by now: a message of the first has reached the memory of the second. */
  const untilHeard = async (): Promise<void> => {
    const userId = await seedPerson(first.database);
    const tokens = await seedSession(first.database, userId);
    await until('a message arrives', async () => {
      await second.memory.authenticate(tokens.accessToken, ['api']);
      const client = await listener.duplicate().connect();
      await client.publish('gatehouse:changed', userId);
      client.destroy();
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
      return second.memory.size === 0;
    });
  };

  /** What the second remembers of a person is gone after this, without anybody having asked it. */
  const expectForgotten = async (person: Tokens, change: () => Promise<unknown>): Promise<void> => {
    await second.memory.authenticate(person.accessToken, ['api']);
    expect(second.memory.size).toBe(1);
    heard = [];
    await change();
    await until('the second has forgotten', async () => second.memory.size === 0);
    for (const text of heard) expect(text).toMatch(/^[0-9a-f-]{36}( [0-9a-f-]{36})*$/);
  };

  const owned = async (): Promise<{ owner: Tenant; member: Tenant }> => {
    const owner = await newOwner(first);
    return { owner, member: await newMember(first, owner.organizationId) };
  };

  // Specification: Deletion and push — Push invalidation of the hot cache by Redis
  it('tell each other of sign-outs, here and everywhere', async () => {
    const userId = await seedPerson(first.database);
    for (const operation of [operations.signOut, operations.signOutEverywhere]) {
      const tokens = await seedSession(first.database, userId);
      await expectForgotten(tokens, () =>
        post(first.url, operation, {}, { authorization: `Bearer ${tokens.accessToken}` }),
      );
    }
  });

  // Specification: Deletion and push — Of roles, organizations, memberships
  it('tell each other of roles, names of organizations, and members who go', async () => {
    const { owner, member } = await owned();
    const role = { id: member.memberId, role: 'ADMIN' };
    await expectForgotten(member.tokens, () => runAs(first, owner, operations.changeMemberRole, role));
    await expectForgotten(member.tokens, () => runAs(first, owner, operations.renameOrganization, { name: 'Another' }));
    await expectForgotten(member.tokens, () => runAs(first, owner, operations.removeMember, { id: member.memberId }));
  });

  // Specification: Deletion and push — Ids alone, after the commit alone
  it('say nothing of what was refused, and of what was done an id alone', async () => {
    const { owner, member } = await owned();
    const refused = await runAs(first, member, operations.renameOrganization, { name: 'Another' });
    expect(refused.code).toBe('FORBIDDEN');
    // Whatever the refused one had said would come before this, or with it.
    await expectForgotten(member.tokens, () =>
      post(first.url, operations.signOut, {}, { authorization: `Bearer ${member.tokens.accessToken}` }),
    );
    expect(heard.filter((text) => text.includes(owner.organizationId))).toEqual([]);
    await expectForgotten(owner.tokens, () => runAs(first, owner, operations.renameOrganization, { name: 'New' }));
    expect(heard.filter((text) => text.includes(owner.organizationId))).toHaveLength(1);
  });

  // Specification: Deletion and push — Messages are never trusted
  it('are told made-up things at the cost of a reload, and go on as before', async () => {
    const { owner } = await owned();
    await second.memory.authenticate(owner.tokens.accessToken, ['api']);
    const publisher = await listener.duplicate().connect();
    for (const text of [owner.userId, 'x'.repeat(1_000_000), `${owner.userId} DROP`, '{"revoked":true}'])
      await publisher.publish('gatehouse:changed', text);
    await until('the second has forgotten', async () => second.memory.size === 0);
    publisher.destroy();
    const answer = await post(
      second.url,
      '{ me { name } }',
      {},
      { authorization: `Bearer ${owner.tokens.accessToken}` },
    );
    expect(answer.code).toBeNull();
  });
});
