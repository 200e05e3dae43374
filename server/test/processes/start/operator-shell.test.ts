/** The operator's shell for a person who is locked out: `set-password`, `remove-second-factor` and `reinstate-user`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { me } from '../../support/actors/credentials.ts';
import { requestChange } from '../../support/actors/email-changes.ts';
import { invite } from '../../support/actors/invitations.ts';
import { newOwner, newSuperAdmin, runAs } from '../../support/actors/tenants.ts';
import {
  goodPassword,
  newAddress,
  operations,
  post,
  register,
  registerAndSignIn,
  signIn,
  signUp,
} from '../../support/clients/clients.ts';
import { everythingStored } from '../../support/database/stored-rows.ts';
import { type CommandResult, runHere } from '../../support/gatehouse/command-line.ts';
import { type Service, startService } from '../../support/gatehouse/gatehouse.ts';
import { environmentFor } from '../../support/gatehouse/gatehouse-process.ts';

const failed = 1;
const usage = 2;
/** The embedded engine admits one process at a time, and these commands need the service beside them. */
const onPostgres = process.env['TEST_DATABASE_URL'] !== undefined;

describe('usage', () => {
  it.each(['set-password', 'remove-second-factor', 'reinstate-user'])('of %s', async (command) => {
    const help = await runHere([command, '--help'], {});
    expect(help.code).toBe(0);
    for (const text of ['<email>', '--json']) expect(help.stdout).toContain(text);
    expect(await runHere([command], {})).toMatchObject({ code: usage, stdout: '' });
    expect(await runHere([command, 'a@example.com', 'b@example.com'], {})).toMatchObject({ code: usage, stdout: '' });
  });
});

describe.runIf(onPostgres)('on PostgreSQL', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  const command = (...args: string[]): Promise<CommandResult> => {
    const { databaseUrl: url, dataDirectory, secrets, frontendUrl, baseUrl } = service.config;
    if (url === undefined) throw new Error('The service has no DATABASE_URL');
    return runHere(args, {
      ...environmentFor({ dataDirectory, url }),
      GATEHOUSE_SECRET: secrets.join(','),
      BASE_URL: baseUrl,
      FRONTEND_URL: frontendUrl,
    });
  };

  const idOf = async (email: string): Promise<string> =>
    (await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email])) ?? '';

  const addFactors = async (email: string): Promise<void> => {
    const userId = await idOf(email);
    await service.sql(
      `INSERT INTO passkeys (id, user_id, credential_id, public_key, signature_counter, transports, relying_party_id,
         is_backed_up, name)
       VALUES (gen_random_uuid(), $1, uuid_send(gen_random_uuid()), '', 0, '{}', 'localhost', false, 'Key')`,
      [userId],
    );
    await service.sql(`INSERT INTO totp_secrets (user_id, sealed_secret, last_step) VALUES ($1, '', 0)`, [userId]);
    await service.sql(`INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, '')`, [userId]);
    await service.sql(`INSERT INTO totp_enrolments (user_id, sealed_secret, expires_at) VALUES ($1, '', now())`, [
      userId,
    ]);
  };

  /** The one line that a command logs. It names no address and no password. */
  const eventIn = (stderr: string): unknown => {
    expect(stderr).not.toMatch(/@|Gate\./);
    return JSON.parse(stderr);
  };

  const subjectsTo = async (email: string): Promise<string[]> => {
    // Queued by another process: the service finds it at its next poll.
    const mails = await service.mailsTo(email);
    return mails.map(({ subject }) => subject);
  };

  // Contract: account#operators-shell — gatehouse set-password: a generated password, printed once, everything ends, a
  //   mail tells
  it('set-password prints a new password once, and everything of the person ends', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const newEmail = newAddress();
    await requestChange(service, { tokens }, newEmail);
    const { code, stdout, stderr } = await command(
      'set-password',
      ` ${email.toUpperCase().replace('@', '\u200b@')}\u2060 `,
    );
    expect(code).toBe(0);
    expect(eventIn(stderr)).toMatchObject({
      event: 'auth.password_set_by_operator',
      security: true,
      userId: await idOf(email),
      revoked: 2,
    });
    const [, password = ''] = /shown this once: (\S+)\n$/.exec(stdout) ?? [];
    expect(password).toMatch(/^Gate\.[0-9a-f]{20}\.7$/);
    expect((await me(service, tokens.accessToken)).code).toBe('UNAUTHENTICATED');
    expect((await post(service.url, operations.signIn, { input: { email, password: goodPassword } })).code).toBe(
      'INVALID_CREDENTIALS',
    );
    expect(await signIn(service, email, password)).toBeDefined();
    expect(await service.sql('SELECT FROM email_changes WHERE new_email = $1', [newEmail])).toEqual([]);
    const [mail] = await service.mailsTo(email);
    expect(mail?.subject).toBe('The operator of this service set a new password for your account');
    expect(mail?.text).not.toContain(password);
  });

  it('set-password gives a first password, and prints JSON', async () => {
    const { email } = await newOwner(service);
    const { code, stdout } = await command('set-password', email, '--json');
    expect(code).toBe(0);
    const facts = JSON.parse(stdout) as { email: string; password: string; isUnverified: boolean };
    expect(facts).toMatchObject({ email, isUnverified: false });
    expect(await signIn(service, email, facts.password)).toBeDefined();
  });

  it('set-password says of an address that is not verified that its link comes first', async () => {
    const email = newAddress();
    await signUp(service, email);
    const { code, stdout } = await command('set-password', email);
    expect(code).toBe(0);
    expect(stdout).toContain('not verified');
  });

  // Contract: account#operators-shell — gatehouse remove-second-factor
  it('remove-second-factor removes passkeys and codes, tells it by mail, and ends no session', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    await addFactors(email);
    await service.sql('UPDATE credentials SET second_factor_at = now() WHERE user_id = $1', [await idOf(email)]);
    const { code, stdout, stderr } = await command('remove-second-factor', email);
    expect(code).toBe(0);
    expect(eventIn(stderr)).toMatchObject({
      event: 'auth.second_factor_removed_by_operator',
      security: true,
      userId: await idOf(email),
      passkeys: 1,
      oneTimeCodes: true,
      recoveryCodes: 1,
    });
    expect(stdout).toBe(`Removed 1 passkey, one-time codes and recovery codes of ${email}.\n`);
    for (const table of ['passkeys', 'totp_secrets', 'recovery_codes', 'totp_enrolments']) {
      expect(await service.sql(`SELECT FROM ${table} WHERE user_id = $1`, [await idOf(email)])).toEqual([]);
    }
    expect((await me(service, tokens.accessToken)).code).toBeNull();
    const proven = await service.sql('SELECT FROM credentials WHERE user_id = $1 AND second_factor_at IS NOT NULL', [
      await idOf(email),
    ]);
    expect(proven).toEqual([]);
    expect((await subjectsTo(email))[0]).toBe('The second factor of your account was removed');
  });

  it('remove-second-factor says when there is nothing to remove, and when no way to sign in is left', async () => {
    const nothing = await register(service);
    expect(await command('remove-second-factor', nothing)).toMatchObject({
      stdout: `Nothing to remove: there is no second factor of ${nothing}.\n`,
      stderr: '',
    });
    expect(await subjectsTo(nothing)).not.toContain('The second factor of your account was removed');
    const { email } = await newOwner(service);
    await addFactors(email);
    expect((await command('remove-second-factor', email)).stdout).toContain('run gatehouse set-password');
  });

  // Contract: incidents#end-of-a-suspension — gatehouse reinstate-user
  it('reinstate-user ends a suspension and tells the person, and says when there is none', async () => {
    const email = await register(service);
    const root = await newSuperAdmin(service);
    await runAs(service, root, operations.suspendUser, { id: await idOf(email), reason: 'A test' });
    const { code, stdout, stderr } = await command('reinstate-user', email);
    expect([code, stdout]).toEqual([0, `${email} can sign in again.\n`]);
    expect(eventIn(stderr)).toMatchObject({
      event: 'auth.user_reinstated_by_operator',
      security: true,
      reinstatedUserId: await idOf(email),
    });
    await signIn(service, email);
    expect((await subjectsTo(email))[0]).toBe('Your account was reinstated');
    const rows = await service.sql('SELECT FROM suspensions WHERE user_id = $1 AND reinstated_at IS NULL', [
      await idOf(email),
    ]);
    expect(rows).toEqual([]);
    expect(await command('reinstate-user', email, '--json')).toMatchObject({
      code: 0,
      stdout: `${JSON.stringify({ email, wasSuspended: false })}\n`,
      stderr: '',
    });
  });

  // Contract: account#operators-shell — set-password for an unknown address
  it.each(['set-password', 'remove-second-factor', 'reinstate-user'])(
    '%s refuses an address that no account has',
    async (name) => {
      const invited = newAddress();
      await invite(service, (await newOwner(service)).tokens, invited);
      await service.mailsAreSent();
      for (const email of [newAddress(), invited, 'no address', '']) {
        const before = await everythingStored(service);
        const { code, stdout, stderr } = await command(name, email);
        expect({ code, stdout, stderr }).toEqual({
          code: failed,
          stdout: '',
          stderr: `No account has the address ${email}; nothing was changed.\n`,
        });
        expect(await everythingStored(service)).toEqual(before);
      }
    },
  );
});
