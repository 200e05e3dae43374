/** A suspension against everything that issues a pair at the same moment, in every process, and against another one. */
import { describe, expect, it } from 'vitest';
import { sharePlatformAuthority } from '../../../src/domain/users/users-store.ts';
import { me, refresh } from '../../support/actors/credentials.ts';
import { seedPerson, seedSession } from '../../support/actors/seeding.ts';
import { newSuperAdmin, runAs, type Tenant } from '../../support/actors/tenants.ts';
import { range } from '../../support/checks/concurrency.ts';
import { inEveryInterleaving } from '../../support/checks/interleavings.ts';
import { goodPassword, operations, post, register, tokensOf } from '../../support/clients/clients.ts';
import { newClient, newCode, redeem } from '../../support/clients/oauth.ts';
import { isOnPostgres } from '../../support/database/engines.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';
import { serviceFixture } from '../../support/gatehouse/gatehouse.ts';
import {
  exchange,
  newIdentity,
  newSecret,
  providerSettings,
  returningBrowser,
} from '../../support/servers/external.ts';

const service = serviceFixture(providerSettings);
const root = fixture(() => newSuperAdmin(service));

const suspend = (userId: string, as: Pick<Tenant, 'tokens'> = root) =>
  runAs(service, as, operations.suspendUser, { id: userId, reason: 'A race' });

/** Of a suspended person, no credential is live, whichever was first. */
const expectNothingLive = async (userId: string): Promise<void> => {
  const live = await service.sql(
    `SELECT c.id FROM credentials c JOIN users u ON u.id = c.user_id
     WHERE u.id = $1 AND c.revoked_at IS NULL AND c.credentials_revision = u.credentials_revision`,
    [userId],
  );
  expect(live).toEqual([]);
};

const idOf = async (email: string): Promise<string> =>
  (await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email])) ?? '';

describe('A suspension at the same moment as', () => {
  it('a sign-in by password leaves no session', async () => {
    const outcomes = await inEveryInterleaving(service, async (meeting) => {
      const email = await register(service);
      const userId = await idOf(email);
      const [signedIn] = await meeting(
        () => post(service.url, operations.signIn, { input: { email, password: goodPassword } }),
        () => suspend(userId),
      );
      await expectNothingLive(userId);
      if (signedIn.code !== null) return signedIn.code;
      expect((await me(service, tokensOf(signedIn).accessToken)).code).toBe('UNAUTHENTICATED');
      expect((await refresh(service, tokensOf(signedIn))).code).toBe('ACCOUNT_SUSPENDED');
      return 'OK';
    });
    for (const outcome of outcomes) expect(outcome).toBeOneOf(['OK', 'ACCOUNT_SUSPENDED']);
  });

  it('a refresh leaves no session', async () => {
    const outcomes = await inEveryInterleaving(service, async (meeting) => {
      const userId = await seedPerson(service.database);
      const tokens = await seedSession(service.database, userId);
      const [refreshed] = await meeting(
        () => refresh(service, tokens),
        () => suspend(userId),
      );
      await expectNothingLive(userId);
      return refreshed.code ?? 'OK';
    });
    for (const outcome of outcomes) expect(outcome).toBeOneOf(['OK', 'ACCOUNT_SUSPENDED']);
  });

  it('an exchange after a provider leaves no session', async () => {
    const outcomes = await inEveryInterleaving(service, async (meeting) => {
      const identity = newIdentity();
      await exchange(returningBrowser(service, await newSecret(service, identity)));
      const userId = await idOf(identity.email ?? '');
      const browser = returningBrowser(service, await newSecret(service, identity));
      const [exchanged] = await meeting(
        () => exchange(browser),
        () => suspend(userId),
      );
      await expectNothingLive(userId);
      return exchanged.code ?? 'OK';
    });
    for (const outcome of outcomes) expect(outcome).toBeOneOf(['OK', 'ACCOUNT_SUSPENDED']);
  });

  it('the redemption of an authorization code leaves no session', async () => {
    const clientId = await newClient(service);
    const outcomes = await inEveryInterleaving(service, async (meeting) => {
      const { userId } = await newSuperAdmin(service);
      const code = await newCode(service, { clientId, userId });
      const [redeemed] = await meeting(
        () => redeem(service, code),
        () => suspend(userId),
      );
      await expectNothingLive(userId);
      const { error } = redeemed.body;
      return typeof error === 'string' ? error : 'OK';
    });
    for (const outcome of outcomes) expect(outcome).toBeOneOf(['OK', 'invalid_grant']);
  });

  // Contract: incidents#limits-of-suspensions — two super admins who suspend each other: one wins
  it('that of the other super admin leaves one of them', async () => {
    const outcomes = await inEveryInterleaving(service, async (meeting) => {
      const [one, other] = [await newSuperAdmin(service), await newSuperAdmin(service)];
      const answers = await meeting(
        () => suspend(other.userId, one),
        () => suspend(one.userId, other),
      );
      const suspended = await service.sql('SELECT FROM users WHERE id IN ($1, $2) AND suspended_at IS NOT NULL', [
        one.userId,
        other.userId,
      ]);
      expect(suspended).toHaveLength(1);
      return answers
        .map(({ code }) => code ?? 'OK')
        .toSorted()
        .join(' ');
    });
    for (const outcome of outcomes) expect(outcome).toBe('OK UNAUTHENTICATED');
  });

  it.runIf(isOnPostgres)(
    'a revocation of many sessions by the same super admin does not wait for its end',
    async () => {
      const [suspended, signedOut] = [await seedPerson(service.database), await seedPerson(service.database)];
      const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      // The lock that such a revocation keeps until its end.
      const revocation = service.database.transaction(async (transaction) => {
        await transaction.maybeOne(sharePlatformAuthority, [root.userId]);
        held.resolve();
        await release.promise;
      });
      await Promise.race([held.promise, revocation]);
      try {
        expect((await suspend(suspended)).code).toBeNull();
        expect((await runAs(service, root, operations.revokeUserSessions, { id: signedOut })).code).toBeNull();
      } finally {
        release.resolve();
        await revocation;
      }
    },
  );

  it('another suspension of the person tells them once', async () => {
    const email = await register(service);
    const userId = await idOf(email);
    const answers = await Promise.all([suspend(userId), suspend(userId), suspend(userId)]);
    expect(answers.map(({ code }) => code)).toEqual([null, null, null]);
    const mails = (await service.mailsTo(email)).filter(({ subject }) => subject === 'Your account was suspended');
    expect(mails).toHaveLength(1);
    expect(await service.sql('SELECT FROM suspensions WHERE user_id = $1', [userId])).toHaveLength(1);
  });
});

describe(`A suspension, ${setting}`, () => {
  const cluster = fixture(startCluster);

  // Contract: incidents#suspension-of-a-person — suspendUser ends every credential, in every process
  it('is effective in every process when it is answered, whatever signs in beside it', async () => {
    const admin = await newSuperAdmin(cluster);
    for (const round of range(6)) {
      const userId = await seedPerson(cluster.database);
      const tokens = await seedSession(cluster.database, userId);
      const [here, there] = [{ url: urlOf(cluster, round) }, { url: urlOf(cluster, round + 1) }];
      // Cached by both.
      for (const each of [here, there]) expect((await runAs(each, { tokens }, operations.me)).code).toBeNull();
      const variables = { id: userId, reason: 'A race' };
      const [suspended, ...refreshed] = await Promise.all([
        runAs(here, admin, operations.suspendUser, variables),
        ...[here, there].map(({ url }) => post(url, operations.refresh, { ...tokens })),
      ]);
      expect(suspended?.code).toBeNull();
      const pairs = [tokens, ...refreshed.flatMap((answer) => (answer.code === null ? [tokensOf(answer)] : []))];
      for (const pair of pairs) {
        for (const each of [here, there]) {
          expect((await runAs(each, { tokens: pair }, operations.me)).code).toBe('UNAUTHENTICATED');
        }
      }
    }
    expect(cluster.defects()).toEqual([]);
  });
});
