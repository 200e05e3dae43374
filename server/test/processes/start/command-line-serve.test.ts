/** `gatehouse serve` as an operator starts it: the first super admin, and a data directory in use. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, post } from '../../support/clients/clients.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { runHere } from '../../support/gatehouse/command-line.ts';
import { type Environment, environmentFor, serve } from '../../support/gatehouse/gatehouse-process.ts';

const postgresServer = process.env['TEST_DATABASE_URL'];
const ok = 0;
const failed = 1;
const configuration = 78;

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

describe('serve', () => {
  let stored: TestDatabase;
  let environment: Environment;
  beforeAll(async () => {
    stored = await createTestDatabase();
    environment = environmentFor(stored);
  });
  afterAll(() => stored.drop());

  it('creates SUPER_ADMIN_EMAIL when it is absent, and never changes it again', async () => {
    const admin = { ...environment, SUPER_ADMIN_EMAIL: 'Root@Example.com', SUPER_ADMIN_PASSWORD: 'First.horse7' };
    const input = { email: 'root@example.com', password: 'First.horse7' };
    const first = await serve(admin);
    const answer = await post(first.url, operations.signIn, { input });
    expect(answer.data).toMatchObject({ signInWithPassword: { user: { email: 'root@example.com' } } });
    expect((await first.stop()).output).not.toContain('First.horse7');
    const second = await serve({ ...admin, SUPER_ADMIN_PASSWORD: 'Second.horse7' });
    expect((await post(second.url, operations.signIn, { input })).code).toBeNull();
    const other = { ...input, password: 'Second.horse7' };
    expect((await post(second.url, operations.signIn, { input: other })).code).toBe('INVALID_CREDENTIALS');
    expect((await second.stop()).output).not.toContain('Second.horse7');
  });

  it('refuses a weak SUPER_ADMIN_PASSWORD as an invalid configuration', async () => {
    const weak = { ...environment, SUPER_ADMIN_EMAIL: 'weak@example.com', SUPER_ADMIN_PASSWORD: 'canary' };
    const { code, stdout, stderr } = await runHere(['serve'], weak);
    expect({ code, stdout }, stderr).toEqual({ code: configuration, stdout: '' });
    expect(stderr).toContain('SUPER_ADMIN_PASSWORD');
    expect(stderr).not.toContain('canary');
  });

  it.runIf(postgresServer === undefined)(
    'refuses a second opener, naming the first, which continues (embedded engine only)',
    async () => {
      const first = await serve(environment);
      for (const command of [['serve'], ['migrate'], ['create-super-admin', '--email', 'late@example.com']]) {
        const second = await runHere(command, environment);
        expect(second).toMatchObject({ code: failed, stdout: '' });
        expect(lines(second.stderr)).toEqual([expect.stringMatching(/is in use by process \d+ on host \S+ since /)]);
        expect(second.stderr).toContain(stored.dataDirectory);
      }
      expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
      const answer = await post(first.url, operations.signUp, {
        input: { email: 'late@example.com', name: 'Late', password: 'Correct.horse7' },
      });
      expect(answer.data).toEqual({ signUpWithPassword: { success: true, verificationRequired: true } });
      expect(await first.stop()).toMatchObject({ code: ok });
      // The next one has the acknowledged writes of the first.
      const again = await serve(environment);
      const late = { email: 'late@example.com', password: 'Correct.horse7' };
      expect((await post(again.url, operations.signIn, { input: late })).code).toBe('EMAIL_NOT_VERIFIED');
      await again.stop();
    },
  );
});
