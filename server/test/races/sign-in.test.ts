/** Sign-ins beside a sign-out everywhere of the same person: each is before it or after it, never half of both. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser, bearer, goodPassword, operations, post, register, signIn } from '../support/clients/clients.ts';
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';
import { roundsOf } from '../support/random/rounds.ts';

const rounds = roundsOf(20);
const callers = 4;

let service: Service;
beforeAll(async () => {
  service = await startService({ SALT_ROUNDS: '10' });
});
afterAll(() => service.close());

it('leaves no live credential of an older revision when sign-ins meet a sign-out everywhere', async () => {
  const email = await register(service);
  const browser = new Browser(service);
  const input = { email, password: goodPassword };
  for (let round = 0; round < rounds; round += 1) {
    const tokens = await signIn(service, email);
    const answers = await Promise.all([
      post(service.url, operations.signOutEverywhere, {}, bearer(tokens)),
      browser.run(
        'mutation ($input: SignInWithPasswordInput!) { signInWithPassword(input: $input) { accessTokenExpiresAt } }',
        { input },
      ),
      ...Array.from({ length: callers }, () => post(service.url, operations.signOutEverywhere, {}, bearer(tokens))),
      ...Array.from({ length: callers }, () => signIn(service, email).then(() => null)),
    ]);
    for (const answer of answers) expect(answer?.status ?? 200).toBeOneOf([200, 401]);
  }
  const rows = await service.sql<{ stale: number }>(
    `SELECT count(*)::integer AS stale FROM credentials c JOIN users u ON u.id = c.user_id
     WHERE c.revoked_at IS NULL AND c.credentials_revision <> u.credentials_revision`,
  );
  expect(rows).toEqual([{ stale: 0 }]);
}, 120_000);
