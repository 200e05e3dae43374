/** The accounts of a fresh development instance, also when several processes start on one empty database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FirstAccounts, prepareAccounts } from '../src/cli/first-accounts.ts';
import { createPasswordHasher, type PasswordHasher } from '../src/platform/password-hasher.ts';
import { operations, post } from './support/clients.ts';
import { type Service, startService } from './support/gatehouse.ts';

let service: Service;
let passwords: PasswordHasher;
beforeAll(async () => {
  service = await startService({ NODE_ENV: 'development' });
  passwords = createPasswordHasher(service.config.saltRounds);
});
afterAll(async () => {
  await passwords.close();
  await service.close();
});

const prepare = (): Promise<FirstAccounts> =>
  prepareAccounts({ database: service.database, passwords, config: service.config });

const signInAs = async ([email, password]: readonly string[]): Promise<string | null> =>
  (await post(service.url, operations.signIn, { input: { email, password } })).code;

const columnsOf = (line: string): string[] => line.split(/ {2,}/);

describe('First accounts', () => {
  it('are made once by processes that start together, and only the password that counts is shown', async () => {
    const shown = await Promise.all([prepare(), prepare(), prepare()]);
    const superAdmins = shown.flatMap(({ superAdmin }) => (superAdmin === null ? [] : [superAdmin]));
    expect(superAdmins).toHaveLength(1);
    for (const line of [...superAdmins, ...(shown[0]?.demo ?? [])]) expect(await signInAs(columnsOf(line))).toBeNull();
    const organizations = await service.sql(
      `SELECT o.name, count(m.id)::integer AS members, min(s.status) AS status FROM organizations o
       LEFT JOIN organization_members m ON m.organization_id = o.id LEFT JOIN subscriptions s ON s.organization_id = o.id
       GROUP BY o.id ORDER BY o.name`,
    );
    expect(organizations).toEqual([
      { name: 'Acme Instruments', members: 3, status: 'ACTIVE' },
      { name: 'Harbor Press', members: 1, status: 'ACTIVE' },
      { name: "Super Admin's organization", members: 1, status: 'ACTIVE' },
    ]);
    expect((await prepare()).superAdmin).toBeNull();
  });
});
