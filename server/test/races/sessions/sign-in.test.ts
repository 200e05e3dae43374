/**
 * Sign-ins concurrent with a sign-out everywhere of the same person: each is before it or after it, never half of both.
 */
import { expect, it } from 'vitest';
import { runAs } from '../../support/actors/tenants.ts';
import { Browser, goodPassword, operations, register, signIn } from '../../support/clients/clients.ts';
import { serviceFixture } from '../../support/gatehouse/gatehouse.ts';
import { roundsOf } from '../../support/random/rounds.ts';

const rounds = roundsOf(20);
const callers = 4;

const service = serviceFixture();

it('leaves no live credential of an older revision after concurrent sign-ins and a sign-out everywhere', async () => {
  const email = await register(service);
  const browser = new Browser(service);
  const input = { email, password: goodPassword };
  for (let round = 0; round < rounds; round += 1) {
    const tokens = await signIn(service, email);
    const answers = await Promise.all([
      runAs(service, { tokens }, operations.signOutEverywhere),
      browser.run(
        'mutation ($input: SignInWithPasswordInput!) { signInWithPassword(input: $input) { accessTokenExpiresAt } }',
        { input },
      ),
      ...Array.from({ length: callers }, () => runAs(service, { tokens }, operations.signOutEverywhere)),
      ...Array.from({ length: callers }, () => signIn(service, email).then(() => null)),
    ]);
    for (const answer of answers) expect(answer?.status ?? 200).toBeOneOf([200, 401]);
  }
  const rows = await service.sql<{ stale: number }>(
    `SELECT count(*)::integer AS stale FROM credentials c JOIN users u ON u.id = c.user_id
     WHERE c.revoked_at IS NULL AND c.credentials_revision <> u.credentials_revision`,
  );
  expect(rows).toEqual([{ stale: 0 }]);
});
