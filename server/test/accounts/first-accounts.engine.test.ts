/** The accounts of a fresh development instance, also when several processes start on one empty database. */

import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { demoPassword } from '../../src/cli/demo/demo-data.ts';
import { type FirstAccounts, prepareAccounts } from '../../src/cli/first-accounts.ts';
import type { Config } from '../../src/config/config.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { createPasswordHasher } from '../../src/platform/passwords/password-hasher.ts';
import { me } from '../support/actors/credentials.ts';
import { accept, invite, newestInvitationToken, submitProfile } from '../support/actors/invitations.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { operations, post, signIn } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture({ NODE_ENV: 'development' });
const passwords = fixture(() => createPasswordHasher(service.config.saltRounds));

interface Prepared extends FirstAccounts {
  readonly superAdmins: readonly string[];
}

const application = defaultApplication;

const logged: string[] = [];
const log = new Writable({
  write: (chunk: Buffer, _encoding, done) => {
    logged.push(chunk.toString());
    done();
  },
});
const logger = createLogger('warn', log);

const prepare = async (config: Config = service.config): Promise<Prepared> => {
  const superAdmins: string[] = [];
  const showSuperAdmin = (line: string): void => void superAdmins.push(line);
  const accounts = await prepareAccounts({
    application,
    database: service.database,
    logger,
    passwords,
    mail: service.mail,
    config,
    showSuperAdmin,
  });
  return { ...accounts, superAdmins };
};

const signInAs = async ([email, password]: readonly string[]): Promise<string | null> =>
  (await post(service.url, operations.signIn, { input: { email, password } })).code;

const columnsOf = (line: string): string[] => line.split(/ {2,}/);

describe('First accounts', () => {
  it('show a generated password even when a later step fails', async () => {
    const { database } = service;
    const config = { ...service.config, superAdmin: { email: 'early@operators.example', password: undefined } };
    const shown: string[] = [];
    const mail = { enqueue: () => Promise.reject(new Error('No demo invitation')) };
    const showSuperAdmin = (line: string): void => void shown.push(line);
    const deps = { application, database, logger, passwords, mail, config, showSuperAdmin };
    await expect(prepareAccounts(deps)).rejects.toThrow('No demo invitation');
    expect(shown).toHaveLength(1);
    expect(await signInAs(columnsOf(shown[0] ?? ''))).toBeNull();
    expect(await service.sql("SELECT 1 FROM users WHERE email = 'early@operators.example'")).toHaveLength(1);
    await service.sql("DELETE FROM organizations WHERE name = 'Super Admin''s organization'");
  });

  it('are created once by concurrently starting processes, and only the effective password is shown', async () => {
    logged.length = 0;
    const shown = await Promise.all([prepare(), prepare(), prepare()]);
    expect(logged.filter((line) => line.includes('"event":"auth.super_admin_created"'))).toHaveLength(1);
    expect(logged.join('')).not.toContain('@');
    const superAdmins = shown.flatMap((prepared) => prepared.superAdmins);
    expect(superAdmins).toHaveLength(1);
    for (const line of [...superAdmins, ...(shown[0]?.demo ?? [])]) expect(await signInAs(columnsOf(line))).toBeNull();
    const organizations = await service.sql(
      `SELECT o.name, count(m.joined_at)::integer AS members, count(m.invitation_expires_at)::integer AS invited,
         count(*) FILTER (WHERE m.invitation_expires_at <= now())::integer AS expired, min(s.status) AS status
       FROM organizations o
       LEFT JOIN organization_members m ON m.organization_id = o.id LEFT JOIN subscriptions s ON s.organization_id = o.id
       GROUP BY o.id ORDER BY o.name`,
    );
    expect(organizations).toEqual([
      { name: 'Acme Instruments', members: 3, invited: 2, expired: 1, status: 'ACTIVE' },
      { name: 'Harbor Press', members: 2, invited: 1, expired: 0, status: 'ACTIVE' },
      { name: "Super Admin's organization", members: 1, invited: 0, expired: 0, status: 'ACTIVE' },
    ]);
    expect((await prepare()).superAdmins).toEqual([]);
  });

  it('include the super admin also when a tenant has invited the address before', async () => {
    const [email, password] = ['chief@operators.example', 'Operator.pass7'];
    const owner = await newOwner(service);
    expect((await invite(service, owner.tokens, email)).code).toBeNull();
    const { superAdmins } = await prepare({ ...service.config, superAdmin: { email, password } });
    expect(superAdmins).toEqual([]);
    const { accessToken } = await signIn(service, email, password);
    expect((await me(service, accessToken)).data).toMatchObject({ me: { isSuperAdmin: true } });
  });

  it('include invitations whose links are in the mailbox and can be accepted', async () => {
    expect((await prepare()).invitations).toEqual([]);
    const known = await newestInvitationToken(service, 'alan@acme.example');
    const alan = await signIn(service, 'alan@acme.example', demoPassword);
    expect((await accept(service, alan, known)).code).toBeNull();
    const fresh = await newestInvitationToken(service, 'noor@acme.example');
    expect((await submitProfile(service, fresh)).code).toBeNull();
    expect(await service.mailsTo('ivan@acme.example')).toEqual([]);
  });
});
