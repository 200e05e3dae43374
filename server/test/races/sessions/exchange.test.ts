/** Concurrent exchanges: one winner for each secret, one person for each identity, one identity for each account. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAccount } from '../../../src/domain/accounts/create-account.ts';
import { sha256 } from '../../../src/kernel/secrets.ts';
import type { ProvidedIdentity } from '../../../src/platform/oidc/identity-provider.ts';
import { accountDeps } from '../../support/actors/seeding.ts';
import { inviteTo, newOwner, runAs, type Tenant } from '../../support/actors/tenants.ts';
import {
  inParallel,
  outcomeOf,
  pauseUpTo,
  raceWithSlow,
  range,
  startApart,
  tally,
  until,
} from '../../support/checks/concurrency.ts';
import {
  type Answer,
  type Browser,
  goodPassword,
  newAddress,
  operations,
  post,
} from '../../support/clients/clients.ts';
import { isOnPostgres } from '../../support/database/engines.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';
import { roundsOf } from '../../support/random/rounds.ts';
import { exchange, link, newIdentity, newSecret, returningBrowser, userOf } from '../../support/servers/external.ts';

const rounds = roundsOf(40);
const slowRounds = roundsOf(10);
const presenters = Number(process.env['TEST_RACE_PRESENTERS'] ?? 20);
const roundsAtOnce = 2;
const apartBy = 6;
const secret = 'a secret of the race tests that has thirty-two bytes and more';

const cluster = fixture(() => startCluster({ GATEHOUSE_SECRET: secret }));

const at = (index: number): { readonly url: string } => ({ url: urlOf(cluster, index) });

const openFor = (identity: ProvidedIdentity): Promise<string> =>
  newSecret({ database: cluster.database, config: { secrets: [secret] } }, identity);

const exchangeAt = (index: number, secretOfExchange: string, held?: Browser): Promise<Answer> => {
  const browser = returningBrowser(at(index), secretOfExchange);
  for (const [name, value] of held?.cookies ?? []) browser.cookies.set(name, value);
  return exchange(browser);
};

/** The rows of an address: people, identities, organizations, live families, mails. */
const traceOf = async (email: string): Promise<string> =>
  (await cluster.sql.value<string>(
    `SELECT concat_ws(', ', count(DISTINCT u.id) || ' people', count(DISTINCT i.subject) || ' identities',
       count(DISTINCT m.organization_id) || ' organizations',
       count(DISTINCT c.session_family_id) || ' live families') AS trace
     FROM users u
     LEFT JOIN external_identities i ON i.user_id = u.id
     LEFT JOIN organization_members m ON m.user_id = u.id AND m.joined_at IS NOT NULL
     LEFT JOIN credentials c ON c.user_id = u.id AND c.revoked_at IS NULL AND c.credentials_revision = u.credentials_revision
     WHERE u.email = $1`,
    [email],
  )) ?? 'nothing';

/** Plays the rounds, a few at a time; none may end in an internal error. */
const play = async (count: number, round: (index: number) => Promise<string>): Promise<Record<string, number>> => {
  const seen = await inParallel(range(count), roundsAtOnce, (_item, index) => round(index));
  expect(cluster.defects()).toEqual([]);
  return tally(seen);
};

const addressOf = ({ email }: ProvidedIdentity): string => email ?? '';

// Contract: accounts#exchange-of-the-secret — Only the single winner of a race gets the pair
it(`${rounds} secrets, presented by ${presenters} callers at once, ${setting}: have one winner each, whose pair is the only one, and EXCHANGE_REFUSED for all others`, async () => {
  const seen = await play(rounds, async () => {
    const identity = newIdentity();
    const one = await openFor(identity);
    const answers = await Promise.all(range(presenters).map((presenter) => exchangeAt(presenter, one)));
    const pairs = answers.filter(({ setCookies }) => setCookies.some((line) => line.startsWith('auth_access=gate_a_')));
    const outcomes = tally(answers.map(outcomeOf).toSorted());
    return `${JSON.stringify(outcomes)}, ${pairs.length} pairs: ${await traceOf(addressOf(identity))}`;
  });
  const outcomes = JSON.stringify({ EXCHANGE_REFUSED: presenters - 1, OK: 1 });
  const trace = '1 people, 1 identities, 1 organizations, 1 live families';
  expect(seen).toEqual({ [`${outcomes}, 1 pairs: ${trace}`]: rounds });
});

describe(`Identities that return twice at once, ${rounds} rounds of each kind, ${setting}`, () => {
  // Contract: accounts#exchange-of-the-secret — Identities that return twice at once: one person
  it('two exchanges of one new identity: one person, two sessions', async () => {
    const seen = await play(rounds, async (index) => {
      const identity = newIdentity();
      const secrets = await Promise.all([openFor(identity), openFor(identity)]);
      const answers = await Promise.all(secrets.map((one, step) => exchangeAt(index + step, one)));
      return `${answers.map(outcomeOf).join(', ')}: ${await traceOf(addressOf(identity))}`;
    });
    expect(seen).toEqual({ 'OK, OK: 1 people, 1 identities, 1 organizations, 2 live families': rounds });
  });

  it('two subjects with one new address: one of them has the account', async () => {
    const seen = await play(rounds, async (index) => {
      const email = newAddress();
      const secrets = await Promise.all([openFor(newIdentity({ email })), openFor(newIdentity({ email }))]);
      const answers = await Promise.all(secrets.map((one, step) => exchangeAt(index + step, one)));
      return `${answers.map(outcomeOf).toSorted().join(', ')}: ${await traceOf(email)}`;
    });
    expect(seen).toEqual({
      'EXCHANGE_REFUSED, OK: 1 people, 1 identities, 1 organizations, 1 live families': rounds,
    });
  });

  it('two subjects with the address of an existing account: one of them is linked', async () => {
    const seen = await play(rounds, async (index) => {
      const { email } = await newOwner(cluster);
      const secrets = await Promise.all([openFor(newIdentity({ email })), openFor(newIdentity({ email }))]);
      const answers = await Promise.all(secrets.map((one, step) => exchangeAt(index + step, one)));
      const mails = (await cluster.mailsTo(email)).length;
      return `${answers.map(outcomeOf).toSorted().join(', ')}: ${await traceOf(email)}, ${mails} mails`;
    });
    expect(seen).toEqual({
      'EXCHANGE_REFUSED, OK: 1 people, 1 identities, 1 organizations, 2 live families, 1 mails': rounds,
    });
  });
});

/** Returns from the provider in link mode; returns the code of the refusal. */
const linkTo = async ({ userId, tokens }: Tenant, identity: ProvidedIdentity): Promise<string> => {
  const id = await cluster.sql.value<string>(
    'SELECT session_family_id AS id FROM credentials WHERE user_id = $1 LIMIT 1',
    [userId],
  );
  const request = { userId, sessionFamilyId: id ?? '', presentedTokens: [tokens.accessToken] };
  const settings = { frontendUrl: 'http://127.0.0.1', externalProvider: null, graphqlAudiences: ['api'] };
  const mail = { enqueue: async () => ({ subject: '' }) };
  try {
    await link({ database: cluster.database, mail, config: settings }, request, identity);
    return 'OK';
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
    throw error;
  }
};

describe(`Concurrent links, ${rounds} rounds of each kind, ${setting}`, () => {
  // Contract: accounts#link-at-the-callback — Concurrent links
  it('one identity to two accounts: one has it', async () => {
    const seen = await play(rounds, async () => {
      const [left, right, identity] = [await newOwner(cluster), await newOwner(cluster), newIdentity()];
      const outcomes = await startApart(
        apartBy,
        () => linkTo(left, identity),
        () => linkTo(right, identity),
      );
      return outcomes.toSorted().join(', ');
    });
    expect(seen).toEqual({ 'IDENTITY_TAKEN, OK': rounds });
  });

  it('two identities to one account: it has one', async () => {
    const seen = await play(rounds, async () => {
      const person = await newOwner(cluster);
      const outcomes = await startApart(
        apartBy,
        () => linkTo(person, newIdentity()),
        () => linkTo(person, newIdentity()),
      );
      return `${outcomes.toSorted().join(', ')}: ${await traceOf(person.email)}`;
    });
    expect(seen).toEqual({
      'ACCOUNT_HAS_OTHER_IDENTITY, OK: 1 people, 1 identities, 1 organizations, 1 live families': rounds,
    });
  });

  it('a link and a sign-in by the same new identity: an account of its own, or the linked one', async () => {
    const seen = await play(rounds, async (index) => {
      const [person, identity] = [await newOwner(cluster), newIdentity()];
      const one = await openFor(identity);
      const [linked, signedIn] = await startApart(
        apartBy,
        () => linkTo(person, identity),
        () => exchangeAt(index, one),
      );
      const theirs = signedIn.text.includes(person.userId) ? 'the linked one' : 'one of its own';
      return `${linked}, ${outcomeOf(signedIn)}: ${theirs}, ${await traceOf(addressOf(identity))}`;
    });
    const own = 'IDENTITY_TAKEN, OK: one of its own, 1 people, 1 identities, 1 organizations, 1 live families';
    const other = 'OK, OK: the linked one, 0 people, 0 identities, 0 organizations, 0 live families';
    expect(Object.keys(seen).filter((ending) => ending !== own && ending !== other)).toEqual([]);
  });
});

describe(`An unlinking and a sign-in by the identity, ${rounds} rounds, ${setting}`, () => {
  const linkedPerson = async (): Promise<{ readonly person: Tenant; readonly identity: ProvidedIdentity }> => {
    const person = await newOwner(cluster);
    await cluster.sql(`UPDATE users SET password_hash = 'a hash' WHERE id = $1`, [person.userId]);
    const identity = newIdentity({ email: person.email });
    await cluster.sql('INSERT INTO external_identities (issuer, subject, user_id) VALUES ($1, $2, $3)', [
      identity.issuer,
      identity.subject,
      person.userId,
    ]);
    return { person, identity };
  };

  // Contract: accounts#unlinking-an-identity — unlinkExternalIdentity: holds for sign-ins in flight
  it('sign-in before, or refused: never after it, and never linked again', async () => {
    const seen = await play(rounds, async (index) => {
      const { person, identity } = await linkedPerson();
      const secrets = [await openFor(identity), await openFor(identity)];
      const [signedIn, unlinked] = await startApart(
        apartBy,
        () => exchangeAt(index, secrets[0] ?? ''),
        async () => {
          const answer = await runAs(at(index + 1), person, operations.unlinkExternalIdentity);
          // Once it is acknowledged, no session may begin.
          return `${outcomeOf(answer)} ${await traceOf(person.email)}`;
        },
      );
      const late = await exchangeAt(index, secrets[1] ?? '');
      const trace = await traceOf(person.email);
      return `${outcomeOf(signedIn)}, ${outcomeOf(late)}: ${unlinked === `OK ${trace}` ? trace : `${unlinked}, then ${trace}`}`;
    });
    const before = 'OK, EXCHANGE_REFUSED: 1 people, 0 identities, 1 organizations, 2 live families';
    const after = 'EXCHANGE_REFUSED, EXCHANGE_REFUSED: 1 people, 0 identities, 1 organizations, 1 live families';
    expect(Object.keys(seen).filter((ending) => ending !== before && ending !== after)).toEqual([]);
  });

  it('and a concurrent link: one after the other, without a deadlock', async () => {
    const seen = await play(rounds, async (index) => {
      const { person, identity } = await linkedPerson();
      const other = newIdentity();
      const [same, another, unlinked] = await Promise.all([
        pauseUpTo(apartBy).then(() => linkTo(person, identity)),
        pauseUpTo(apartBy).then(() => linkTo(person, other)),
        pauseUpTo(apartBy).then(() => runAs(at(index), person, operations.unlinkExternalIdentity)),
      ]);
      const trace = (await traceOf(person.email)).split(', ')[1];
      return `${outcomeOf(unlinked)}, ${same}, ${another}: ${trace}`;
    });
    const odd = Object.keys(seen).filter(
      (ending) =>
        !/^OK, (OK|ACCOUNT_HAS_OTHER_IDENTITY), (OK|ACCOUNT_HAS_OTHER_IDENTITY): [01] identities$/.test(ending),
    );
    expect(odd).toEqual([]);
  });
});

describe(`A sign-in concurrent with another operation, ${setting}`, () => {
  it(`a sign-up with its address, ${slowRounds} rounds: the account belongs to its owner, and the password is discarded`, async () => {
    const raceWithHash = raceWithSlow(60);
    const seen = await play(slowRounds, async (index) => {
      const identity = newIdentity({ name: 'The owner' });
      const one = await openFor(identity);
      const email = addressOf(identity);
      const input = { email, name: 'The outsider', password: goodPassword };
      const [signedUp, signedIn] = await raceWithHash(
        () => post(urlOf(cluster, index), operations.signUp, { input }),
        () => exchangeAt(index + 1, one),
      );
      const [row] = await cluster.sql<{ name: string; open: boolean }>(
        `SELECT name, password_hash IS NOT NULL OR email_validation_token_hash IS NOT NULL AS open
         FROM users WHERE email = $1`,
        [email],
      );
      return `${outcomeOf(signedUp)}, ${outcomeOf(signedIn)}: ${row?.name}, ${row?.open}, ${await traceOf(email)}`;
    });
    expect(seen).toEqual({
      'OK, OK: The owner, false, 1 people, 1 identities, 1 organizations, 1 live families': slowRounds,
    });
  });

  it(`refreshes of an unverified password's sessions, ${rounds} rounds: none outlives it`, async () => {
    const seen = await play(rounds, async (index) => {
      const person = await newOwner(cluster);
      await cluster.sql(
        `UPDATE users SET password_hash = 'a hash', email_validated_at = NULL, email_validation_token_hash = $2,
           email_validation_expires_at = now() + interval '1 day' WHERE id = $1`,
        [person.userId, Buffer.from(randomUUID())],
      );
      const one = await openFor(newIdentity({ email: person.email }));
      const [signedIn] = await startApart(
        apartBy,
        () => exchangeAt(index, one),
        () => post(urlOf(cluster, index + 1), operations.refresh, { ...person.tokens }),
      );
      return `${outcomeOf(signedIn)}: ${await traceOf(person.email)}`;
    });
    expect(seen).toEqual({ 'OK: 1 people, 1 identities, 1 organizations, 1 live families': rounds });
  });

  it(`another invitation of a user who never joined, ${rounds} rounds: one user`, async () => {
    const owner = await newOwner(cluster);
    const seen = await play(rounds, async (index) => {
      const email = newAddress();
      const userId = randomUUID();
      await cluster.sql(`INSERT INTO users (id, email, name) VALUES ($1, $2, '')`, [userId, email]);
      await inviteTo(cluster, userId, (await newOwner(cluster)).organizationId);
      const one = await openFor(newIdentity({ email }));
      const [signedIn, invited] = await startApart(
        apartBy,
        () => exchangeAt(index, one),
        () => runAs(at(index + 1), owner, operations.inviteMember, { input: { email, role: 'MEMBER' } }),
      );
      const open = await cluster.sql.value<number>(
        'SELECT count(*)::integer AS open FROM organization_members WHERE user_id = $1 AND joined_at IS NULL',
        [userId],
      );
      return `${outcomeOf(signedIn)}, ${outcomeOf(invited)}: ${open} open, ${await traceOf(email)}`;
    });
    expect(seen).toEqual({
      'OK, OK: 2 open, 1 people, 1 identities, 1 organizations, 1 live families': rounds,
    });
  });

  it(`another user of the browser, ${rounds} rounds: neither is replaced by the other`, async () => {
    const seen = await play(rounds, async (index) => {
      const [signedIn, other] = [newIdentity(), newIdentity()];
      const browser = returningBrowser(at(index), await openFor(signedIn));
      await exchange(browser);
      const one = await openFor(other);
      const [refreshed, exchanged] = await startApart(
        apartBy,
        () => browser.run(operations.refreshByCookie),
        () => exchangeAt(index + 1, one, browser),
      );
      return `${outcomeOf(refreshed)}, ${outcomeOf(exchanged)}: ${await traceOf(addressOf(other))}`;
    });
    expect(seen).toEqual({
      'OK, ACCOUNT_MISMATCH: 0 people, 0 identities, 0 organizations, 0 live families': rounds,
    });
  });
});

it.runIf(isOnPostgres)(
  'A sign-in whose address was taken since its lookup joins that user (PostgreSQL only)',
  async () => {
    const identity = newIdentity();
    const email = addressOf(identity);
    const one = await openFor(identity);
    const [taken, enough] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const outsider = { email, name: 'The outsider', passwordHash: 'a hash', redirect: null, browserHash: null };
    const signUp = cluster.database.transaction(async (transaction) => {
      await createAccount(accountDeps, transaction, {
        ...outsider,
        validationTokenHash: sha256(one),
      });
      taken.resolve();
      await enough.promise;
    });
    await taken.promise;
    const exchanged = exchangeAt(0, one);
    await until(
      'the exchange waits for the address',
      async () =>
        (await cluster.sql.value<boolean>(
          `SELECT count(*) > 0 AS waits FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
           WHERE NOT l.granted AND a.datname = current_database()`,
        )) === true,
    );
    enough.resolve();
    await signUp;
    expect(userOf(await exchanged)).toMatchObject({ email, name: 'Outside Person', hasPassword: false });
    expect(await traceOf(email)).toBe('1 people, 1 identities, 1 organizations, 1 live families');
  },
);
