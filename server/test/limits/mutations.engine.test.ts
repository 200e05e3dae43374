/** The limit of mutations for one person: who has used it up changes nothing more, and can still be stopped. */
import { beforeEach, describe, expect, it } from 'vitest';
import { rateLimits } from '../../src/platform/rate-limit/rate-limit-table.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNoEffect } from '../support/checks/refusals.ts';
import { type Answer, operations, post } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const { name, burst, perHour } = rateLimits.mutation;
const secondsEach = 3600 / perHour;

const service = serviceFixture({ RATE_LIMITS_ENABLED: 'true' });
const another = fixture(() => newOwner(service));

const rename = (person: Pick<Tenant, 'tokens'>, to: string): Promise<Answer> =>
  runAs(service, person, operations.changeName, { name: to });

/** How many permits are taken, by all people together. */
const taken = async (): Promise<number> =>
  (await service.sql.value<number>(
    `SELECT coalesce(sum(extract(epoch FROM due_at - now())), 0)::float8 / $1 FROM rate_limits WHERE key LIKE $2`,
    [secondsEach, `${name}:%`],
  )) ?? 0;

/** A person who has no permit left, and none for ten minutes. */
const exhausted = async (): Promise<Tenant> => {
  const person = await newOwner(service);
  expect((await rename(person, 'Anew')).code).toBeNull();
  await service.sql(`UPDATE rate_limits SET due_at = now() + $1 * interval '1 second' WHERE key LIKE $2`, [
    burst * secondsEach + 600,
    `${name}:%`,
  ]);
  return person;
};

describe('A person without a permit for mutations', () => {
  beforeEach(() => service.sql('DELETE FROM rate_limits WHERE key LIKE $1', [`${name}:%`]));

  it('is asked to wait in every session of theirs, and nothing happens; others and queries go on', async () => {
    const person = await exhausted();
    const elsewhere = { tokens: await seedSession(service.database, person.userId) };
    for (const session of [person, elsewhere]) {
      const refused = await expectNoEffect(service, () => rename(session, 'Refused'));
      expect(refused.extensions).toMatchObject({ code: 'RATE_LIMITED', http: { status: 429 } });
      expect(refused.headers.get('ratelimit')).toContain(`"${name}";r=0;t=`);
    }
    expect((await runAs(service, person, operations.me)).data).toMatchObject({ me: { name: 'Anew' } });
    expect((await rename(another, 'Of Another')).code).toBeNull();
  });

  it('can end their sessions, and a super admin can end them', async () => {
    const person = await exhausted();
    const superAdmin = await newSuperAdmin(service);
    const ended = await runAs(service, superAdmin, operations.revokeUserSessions, { id: person.userId });
    expect(ended.code).toBeNull();
    const again = { tokens: await seedSession(service.database, person.userId) };
    expect((await runAs(service, again, operations.signOutEverywhere)).code).toBeNull();
  });

  it('can sign in and refresh, which are counted for the network', async () => {
    const person = await exhausted();
    expect((await post(service.url, operations.refresh, { ...person.tokens })).code).toBeNull();
  });
});

describe('Permits for mutations', () => {
  it('are taken by each field, are not in the headers of an answer that was not refused, and not taken by a query', async () => {
    await service.sql('DELETE FROM rate_limits WHERE key LIKE $1', [`${name}:%`]);
    const person = await newOwner(service);
    await runAs(service, person, operations.me);
    expect(await taken()).toBe(0);
    const { code, headers } = await runAs(
      service,
      person,
      'mutation { a: changeName(name: "Once") { id } b: changeName(name: "Twice") { id } }',
    );
    expect(code).toBeNull();
    expect(headers.get('ratelimit')).toBeNull();
    expect(Math.ceil(await taken())).toBe(2);
  });

  it('are not taken by a call that a guard refuses', async () => {
    await service.sql('DELETE FROM rate_limits WHERE key LIKE $1', [`${name}:%`]);
    expect((await post(service.url, operations.changeName, { name: 'Signed Out' })).code).toBe('UNAUTHENTICATED');
    const { platformCancelInvitation } = operations;
    const refused = await runAs(service, another, platformCancelInvitation, { memberId: crypto.randomUUID() });
    expect(refused.code).toBe('FORBIDDEN');
    expect(await taken()).toBe(0);
  });
});
