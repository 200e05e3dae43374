/** Reminders before a token expires: each once for a secret, whatever runs at the same time. */
import { describe, expect, it } from 'vitest';
import { tokenReminders } from '../../src/domain/machine-tokens/token-jobs.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import type { Mail } from '../../src/platform/mail/mails.ts';
import type { MailQueue } from '../../src/platform/mail/outbox.ts';
import {
  createPersonalToken,
  createServiceAccount,
  createServiceToken,
  inDays,
  rotate,
  setPolicy,
  tokenOperations,
} from '../support/actors/machines/token-operations.ts';
import { newMember, newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const application = defaultApplication.serving({ machineTokens: true, organizationMcp: false });
const settings = { frontendUrl: 'https://portal.example.com' };

/** One mail, as far as these tests look at it. */
const shown = ({ mail, to, values }: Mail) => ({ mail, to, days: 'days' in values ? values.days : null });

/** Queues nothing: keeps the mails. */
const keeping = (kept: Mail[]): MailQueue => ({
  enqueue: (_transaction, mail) => {
    kept.push(mail);
    return Promise.resolve({ subject: '' });
  },
});

/** Runs the job until nothing is due; the mails that it queued. */
const remind = async (): Promise<ReturnType<typeof shown>[]> => {
  const kept: Mail[] = [];
  while ((await tokenReminders({ application, settings, mail: keeping(kept) }).purge(service.database)) > 0);
  return kept.map(shown);
};

/** Moves the expiry of a token's newest secret; the life that it was given is as it was. */
const leave = (tokenId: string, left: string) =>
  service.sql(
    `UPDATE credentials c SET expires_at = now() + $2::interval FROM machine_tokens t
     WHERE t.id = $1 AND c.id = t.credential_id`,
    [tokenId, left],
  );

const personal = ({ email: to }: Tenant, days: number) => ({ mail: 'personalTokenExpires', to, days });
const ofService = ({ email: to }: Tenant, days: number) => ({ mail: 'serviceTokenExpires', to, days });

describe('A personal token', () => {
  // Contract: machine-credentials#mails-about-tokens — A mail announces the expiry of a token 30, 7 and 1 day before it
  it('is reminded of 30, 7 and 1 day before it expires, each once', async () => {
    const owner = await newOwner(service);
    const { token } = await createPersonalToken(service, owner, { expiresAt: inDays(60) });
    expect(await remind()).toEqual([]);
    for (const [left, days] of [
      ['30 days 1 hour', null],
      ['29 days', 30],
      ['8 days', null],
      ['6 days', 7],
      ['2 days', null],
      ['23 hours', 1],
      ['1 minute', null],
    ] as const) {
      await leave(token.id, left);
      expect({ left, told: await remind() }).toEqual({ left, told: days === null ? [] : [personal(owner, days)] });
      expect(await remind()).toEqual([]);
    }
    await leave(token.id, '-1 second');
    await service.sql('UPDATE machine_tokens SET reminded_days = NULL WHERE id = $1', [token.id]);
    expect(await remind()).toEqual([]);
  });

  it('of 5 days has only the last reminder, and one of some hours none', async () => {
    const owner = await newOwner(service);
    const { token } = await createPersonalToken(service, owner, { expiresAt: inDays(5) });
    await createPersonalToken(service, owner, { expiresAt: inDays(0.5) });
    expect(await remind()).toEqual([]);
    await leave(token.id, '20 hours');
    expect(await remind()).toEqual([personal(owner, 1)]);
  });

  it('has the last reminder alone after a pause of the service', async () => {
    const owner = await newOwner(service);
    const { token } = await createPersonalToken(service, owner, { expiresAt: inDays(60) });
    await leave(token.id, '10 hours');
    expect(await remind()).toEqual([personal(owner, 1)]);
    expect(await remind()).toEqual([]);
  });

  it('begins anew when it is rotated', async () => {
    const owner = await newOwner(service);
    const { token } = await createPersonalToken(service, owner, { expiresAt: inDays(60) });
    await leave(token.id, '20 hours');
    expect(await remind()).toEqual([personal(owner, 1)]);
    await rotate(service, owner, { tokenId: token.id });
    expect(await remind()).toEqual([]);
    await leave(token.id, '20 days');
    expect(await remind()).toEqual([personal(owner, 30)]);
  });

  it('that is revoked, blocked or waits is not reminded of; one that works again is', async () => {
    const owner = await newOwner(service);
    const revoked = await createPersonalToken(service, owner, { expiresAt: inDays(60) });
    const blocked = await createPersonalToken(service, owner, { expiresAt: inDays(60) });
    await setPolicy(service, owner, { personalTokens: 'APPROVAL' });
    const waiting = await createPersonalToken(service, owner, { expiresAt: inDays(60) });
    await runAs(service, owner, tokenOperations.revokeToken, { id: revoked.token.id });
    for (const { token } of [revoked, blocked, waiting]) await leave(token.id, '6 days');
    await setPolicy(service, owner, { personalTokens: 'FORBIDDEN' });
    expect(await remind()).toEqual([]);
    await setPolicy(service, owner, { personalTokens: 'APPROVAL' });
    expect(await remind()).toEqual([personal(owner, 7)]);
    await runAs(service, owner, tokenOperations.decideToken, { id: waiting.token.id, approve: true });
    expect(await remind()).toEqual([personal(owner, 7)]);
  });
});

it('A service token is reminded of to those who manage tokens', async () => {
  const owner = await newOwner(service);
  const admin = await newMember(service, owner.organizationId, 'ADMIN');
  await newMember(service, owner.organizationId);
  const account = await createServiceAccount(service, owner);
  const { token } = await createServiceToken(service, owner, account.id);
  await leave(token.id, '6 days');
  expect(await remind()).toEqual([ofService(owner, 7), ofService(admin, 7)]);
  expect(await remind()).toEqual([]);
});

it('Each reminder is sent once, however many processes send at once, and a failure sends it later', async () => {
  const owner = await newOwner(service);
  // More than two batches.
  const count = 21;
  for (const _ of range(count)) {
    const { token } = await createPersonalToken(service, owner, { expiresAt: inDays(60) });
    await leave(token.id, '6 days');
  }
  const failing: MailQueue = { enqueue: () => Promise.reject(new Error('no mail')) };
  await expect(tokenReminders({ application, settings, mail: failing }).purge(service.database)).rejects.toThrow(
    'no mail',
  );
  const rounds = await inParallel(range(5), 5, remind);
  expect(rounds.flat()).toHaveLength(count);
});

it('The service runs it on its schedule, and counts no deleted row', async () => {
  const job = tokenReminders({ application, settings, mail: keeping([]) });
  expect(job).toMatchObject({ name: 'machine_token_reminders', deletes: false });
  expect(await job.purge(service.database)).toBe(0);
});
