/** Refunds of a sign-in's permits after the database deadline of its request. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { consumeSignInPermits } from '../../src/domain/sessions/sign-in.ts';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { Deadline, withinDeadline } from '../../src/platform/database/deadlines.ts';
import { withContext } from '../../src/platform/observability/context.ts';
import { type RateLimits, unlimited } from '../../src/platform/rate-limit/rate-limits.ts';
import { tellOwnWork } from '../support/checks/own-work.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const logger = { ...silentLogger, debug: () => undefined };
const attempt = { email: 'ann@example.com', ip: '198.18.0.1', deviceId: null };
const never = (): Promise<never> => new Promise(() => undefined);

/** Limits whose permits are refunded by a statement. */
const limitsBy = (statement: () => Promise<void>) => {
  const given: string[] = [];
  const refundAll: RateLimits['refundAll'] = (permits) =>
    withinDeadline(Number.POSITIVE_INFINITY, async () => {
      await statement();
      given.push(...permits.map(({ limit }) => limit.name));
    });
  return { given, limits: { ...unlimited, refundAll } };
};

afterEach(() => {
  vi.useRealTimers();
});

describe('The permits of a sign-in', () => {
  it('are refunded after the deadline of the request', async () => {
    const { given, limits } = limitsBy(async () => undefined);
    const waits = new Deadline(10);
    await withContext({ correlationId: 'of a test', waits }, async () => {
      const permits = await consumeSignInPermits({ limits, logger }, attempt);
      await expect(withinDeadline(Number.POSITIVE_INFINITY, never)).rejects.toBeInstanceOf(DatabaseUnavailable);
      await permits.refund();
    });
    await expect.poll(() => given).toEqual(['sign_in_failures', 'sign_in_account', 'sign_in_everywhere']);
  });

  it('delay no request for longer than its deadline', async () => {
    vi.useFakeTimers();
    // The thread does no work of its own, which would not count.
    tellOwnWork();
    const { limits } = limitsBy(never);
    let isAnswered = false;
    const request = withContext({ correlationId: 'of a test', waits: new Deadline(100) }, async () => {
      const permits = await consumeSignInPermits({ limits, logger }, attempt);
      await permits.refund();
      isAnswered = true;
    });
    await vi.advanceTimersByTimeAsync(99);
    expect(isAnswered).toBe(false);
    await vi.advanceTimersByTimeAsync(2);
    expect(isAnswered).toBe(true);
    await request;
  });
});
