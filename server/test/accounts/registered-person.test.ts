/** The people of most tests have the rows of those who signed up and confirmed their address. */
import { expect, it } from 'vitest';
import { operations, post, register, registerByMail, signIn } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

/** What belongs to a sign-up: when it was asked for and mailed, and what the confirmation changed. */
const ofSignUps = ['account_mail_sent_at', 'signed_up_at', 'version'];
/** Of one person, organization or password. */
const ofOne = ['id', 'email', 'password_hash', 'created_at', 'updated_at', 'user_id', 'organization_id'];

/** The rows of a person, with the names of the columns in place of what no two people share. */
const rowsOf = async (email: string): Promise<unknown> => {
  const rows = await service.sql<{ row: Record<string, unknown> }>(
    `WITH person AS (SELECT * FROM users WHERE email = $1),
       members AS (SELECT m.* FROM organization_members m JOIN person p ON p.id = m.user_id)
     SELECT to_jsonb(p) || '{"table": "users"}' AS row FROM person p
     UNION ALL SELECT to_jsonb(m) || '{"table": "members"}' FROM members m
     UNION ALL SELECT to_jsonb(o) || '{"table": "organizations"}' FROM organizations o JOIN members m
       ON m.organization_id = o.id
     UNION ALL SELECT to_jsonb(s) || '{"table": "subscriptions"}' FROM subscriptions s JOIN members m
       USING (organization_id)`,
    [email],
  );
  const unlike = (name: string, value: unknown): boolean =>
    value !== null && (ofOne.includes(name) || (typeof value === 'string' && /_at$|^current_membership$/.test(name)));
  return rows.map(({ row }) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([name]) => !ofSignUps.includes(name))
        .map(([name, value]) => [name, unlike(name, value) ? name : value]),
    ),
  );
};

it('A registered person has the rows of one who signed up and confirmed the address, and signs in alike', async () => {
  const [registered, confirmed] = [await register(service), await registerByMail(service)];
  const rows = await rowsOf(registered);
  expect(rows).toMatchObject([
    { table: 'users', email_validated_at: 'email_validated_at', email_validation_token_hash: null },
    { table: 'members', role: 'OWNER' },
    { table: 'organizations', name: "Test Person's organization" },
    { table: 'subscriptions', status: 'ACTIVE' },
  ]);
  expect(rows).toEqual(await rowsOf(confirmed));
  const answers = await Promise.all(
    [registered, confirmed].map(async (email) => {
      const { accessToken } = await signIn(service, email);
      const { data } = await post(service.url, operations.actor, {}, { authorization: `Bearer ${accessToken}` });
      return JSON.stringify(data)
        .replaceAll(/[0-9a-f-]{36}/g, 'ID')
        .replaceAll(email, 'EMAIL');
    }),
  );
  expect(answers[0]).toBe(answers[1]);
});
