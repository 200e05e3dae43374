/** Metrics of mail, limits, the database, the pool and Redis, also while they are unavailable. */
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { range } from '../support/checks/concurrency.ts';
import { operations, post, registerByMail } from '../support/clients/clients.ts';
import { openTcpGate } from '../support/clients/tcp-gate.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { embedded, postgresOnly, redisOnly, redisUrl } from '../support/database/engines.ts';
import { startService } from '../support/gatehouse/gatehouse.ts';
import { environmentFor, serve } from '../support/gatehouse/gatehouse-process.ts';
import { type Scrape, scrape } from '../support/gatehouse/metrics.ts';
import { withProductionLimits } from '../support/gatehouse/wait-limits.ts';
import { listen } from '../support/servers/listen.ts';
import { startSmtp } from '../support/servers/smtp.ts';

const mailsOf = ({ samples }: Scrape) =>
  samples.flatMap(({ name, labels, value }) => (name === 'gatehouse_mails_total' ? [[labels, value]] : []));

describe('Mail in /metrics', () => {
  // Contract: incidents#contents-of-metrics — Metrics: depth and age of the mail queue
  it('is the number of waiting mails, and the age of the oldest', async () => {
    const service = await startService();
    await service.sql(
      `INSERT INTO mail_outbox (id, sealed_message, created_at, next_attempt_at)
       SELECT unnest($1::uuid[]), 'x', now() - interval '1 hour', now() + interval '1 hour'`,
      [[newId(), newId(), newId()]],
    );
    const reported = await scrape(service);
    expect(reported.of('gatehouse_mail_queue_depth')).toBe(3);
    expect(reported.of('gatehouse_mail_queue_oldest_seconds')).toBeGreaterThanOrEqual(3600);
    expect(reported.of('gatehouse_mail_queue_oldest_seconds')).toBeLessThan(3700);
    expect(reported.of('gatehouse_database_up')).toBe(1);
    await service.close();
  });

  it('counts each attempt by its outcome', async () => {
    const refusing = createServer((socket) => socket.end('554 no mail today\r\n'));
    const { port, close } = await listen(refusing);
    const failing = await startService({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'a@example.com' });
    await post(failing.url, operations.signUp, {
      input: { email: 'ada@example.org', name: 'Ada', password: 'Correct.horse7' },
    });
    await expect.poll(async () => (await scrape(failing)).of('gatehouse_mails_total', { outcome: 'failed' })).toBe(1);
    await failing.close();
    await close();
    const smtp = await startSmtp();
    smtp.refuse('RCPT TO', 550, '5.1.1 unknown here');
    const refused = await startService({ SMTP_URL: smtp.url, MAIL_FROM: 'a@example.com' });
    await post(refused.url, operations.signUp, {
      input: { email: 'ada@example.org', name: 'Ada', password: 'Correct.horse7' },
    });
    await expect.poll(async () => mailsOf(await scrape(refused))).toEqual([[{ outcome: 'abandoned' }, 1]]);
    await refused.close();
    await smtp.down();
    const sending = await startService();
    await registerByMail(sending);
    expect((await scrape(sending)).of('gatehouse_mails_total', { outcome: 'sent' })).toBe(1);
    await sending.close();
  });
});

it('Jobs in /metrics have 0 as end before the first one, so that an alert sees jobs that never end', async () => {
  const service = await startService();
  await service.sql(`INSERT INTO scheduled_jobs (name) VALUES ('never')`);
  await service.sql(`INSERT INTO scheduled_jobs (name, last_succeeded_at) VALUES ('once', to_timestamp(1000))`);
  const reported = await scrape(service);
  const endOf = (job: string) => reported.of('gatehouse_job_last_success_timestamp_seconds', { job_name: job });
  expect([endOf('never'), endOf('once')]).toEqual([0, 1000]);
  expect(reported.samples.filter(({ labels }) => labels['job_name'] === 'never')).toHaveLength(3);
  await service.close();
});

// Contract: incidents#contents-of-metrics — Metrics: refusals by limit
it('Limits in /metrics are counted by name when they refuse, and not when they admit', async () => {
  const service = await startService({ RATE_LIMITS_ENABLED: 'true' });
  const input = { email: 'nobody@example.org', password: 'Wrong.horse7' };
  const codes: (string | null)[] = [];
  for (const _attempt of range(13)) codes.push((await post(service.url, operations.signIn, { input })).code);
  const refused = codes.filter((code) => code === 'RATE_LIMITED').length;
  expect(refused).toBeGreaterThan(0);
  const reported = await scrape(service);
  expect(reported.of('gatehouse_rate_limit_refusals_total')).toBe(refused);
  expect(reported.of('gatehouse_rate_limit_refusals_total', { limit: 'sign_in_account' })).toBe(refused);
  expect(reported.of('gatehouse_sign_ins_total', { outcome: 'RATE_LIMITED' })).toBe(refused);
  await service.close();
});

describe.skipIf(embedded)(`PostgreSQL in /metrics${postgresOnly}`, () => {
  it('is up while the whole pool is in use: only values that need the pool are omitted', async () => {
    const service = await startService();
    const most = service.database.stats()?.pool?.most ?? 0;
    const release = Promise.withResolvers<void>();
    const holders = range(most).map(() => service.database.transaction(() => release.promise));
    const reported = await withProductionLimits(() => scrape(service));
    expect(reported.of('gatehouse_database_pool_connections', { state: 'busy' })).toBe(most);
    expect(reported.has('gatehouse_mail_queue_depth')).toBe(false);
    expect(reported.of('gatehouse_database_up')).toBe(1);
    release.resolve();
    await Promise.all(holders);
    await service.close();
  });

  // Contract: incidents#gauges-at-an-outage — Metrics: the pool, and an unavailable database
  it('is down during an outage, within a scrape that still answers, and up afterwards', async () => {
    const stored = await createTestDatabase();
    const server = new URL(stored.url ?? '');
    const gate = await openTcpGate(server.hostname, Number(server.port === '' ? 5432 : server.port));
    const through = new URL(server);
    through.host = `127.0.0.1:${gate.port}`;
    const service = await withProductionLimits(() => serve({ ...environmentFor(stored), DATABASE_URL: through.href }));
    expect((await scrape(service)).of('gatehouse_database_pool_connections_max')).toBeGreaterThan(0);
    gate.cut();
    // The two are read apart from each other, and each reading is kept for seconds.
    const shown = async () => {
      const reported = await scrape(service);
      return {
        isDown: reported.has('gatehouse_database_up') && reported.of('gatehouse_database_up') === 0,
        hasQueue: reported.has('gatehouse_mail_queue_depth'),
        hasRequests: reported.of('http_requests_total') > 0,
      };
    };
    await expect.poll(shown, { interval: 500 }).toEqual({ isDown: true, hasQueue: false, hasRequests: true });
    gate.repair();
    await expect.poll(async () => (await scrape(service)).of('gatehouse_database_up'), { interval: 500 }).toBe(1);
    await service.stop();
    await gate.close();
    await stored.drop();
  });
});

// Contract: incidents#gauges-at-an-outage — Metrics: Redis
it.skipIf(redisUrl === undefined)(`Redis in /metrics${redisOnly} is down only during an outage`, async () => {
  const server = new URL(redisUrl ?? '');
  const gate = await openTcpGate(server.hostname, Number(server.port === '' ? 6379 : server.port));
  const through = new URL(server);
  through.host = `127.0.0.1:${gate.port}`;
  const service = await startService({ REDIS_URL: through.href });
  const isUp = async (): Promise<number> => (await scrape(service)).of('gatehouse_redis_up');
  await expect.poll(isUp).toBe(1);
  gate.cut();
  await expect.poll(isUp).toBe(0);
  gate.repair();
  await expect.poll(isUp).toBe(1);
  await service.close();
  await gate.close();
});
