/** One redemption for each authorization code, for any number of callers and processes. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hashesOfTokens } from '../../../src/domain/credentials/token.ts';
import { newSuperAdmin, runAs } from '../../support/actors/tenants.ts';
import { inParallel, pauseUpTo, range, tally } from '../../support/checks/concurrency.ts';
import { operations, post } from '../../support/clients/clients.ts';
import {
  type ClientTokens,
  type CodeInHand,
  clientTokensOf,
  connect,
  newClient,
  newCode,
  type OAuthAnswer,
  postForm,
  redeem,
  redemptionOf,
  refreshAs,
} from '../../support/clients/oauth.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';
import { roundsOf } from '../../support/random/rounds.ts';

const rounds = roundsOf(40);
const presenters = Number(process.env['TEST_RACE_PRESENTERS'] ?? 20);
const roundsAtOnce = 2;

const outcome = ({ status, body: { error } }: OAuthAnswer): string => {
  if (status === 200) return 'OK';
  return typeof error === 'string' ? error : `status ${status}`;
};

const cluster = fixture(startCluster);

const at = (index: number) => ({ url: urlOf(cluster, index), database: cluster.database, sql: cluster.sql });

describe(`${rounds} codes, presented by ${presenters} callers at once, ${setting}`, () => {
  let answers: OAuthAnswer[][];

  beforeAll(async () => {
    const person = await newSuperAdmin(cluster);
    const clients = await Promise.all(range(3).map(() => newClient(at(0))));
    const consent = (index: number) => ({ clientId: clients[index % clients.length] ?? '', userId: person.userId });
    const codes = await inParallel(range(rounds), roundsAtOnce, (index) => newCode(cluster, consent(index)));
    answers = await inParallel(codes, roundsAtOnce, (code) =>
      Promise.all(range(presenters).map((presenter) => redeem(at(presenter), code))),
    );
  });

  // Contract: platform-mcp#authorization-code — A code works once, also with concurrent callers
  it('has one winner for each code, and invalid_grant for everyone else', () => {
    expect(tally(answers.flat().map(outcome))).toEqual({ OK: rounds, invalid_grant: rounds * (presenters - 1) });
    const winnersEach = answers.map((ofCode) => ofCode.filter(({ status }) => status === 200).length);
    expect(tally(winnersEach.map(String))).toEqual({ 1: rounds });
    expect(cluster.defects()).toEqual([]);
  });

  it('has issued one pair for each, and revoked it, because the others replayed the code', async () => {
    const families = await cluster.sql.column<string>(
      `SELECT concat_ws(' ', count(*), string_agg(DISTINCT coalesce(revocation_reason, 'live'), ' ')) AS shape
       FROM credentials WHERE client_id IS NOT NULL GROUP BY session_family_id`,
    );
    expect(tally(families)).toEqual({ '2 code_replayed': rounds });
  });
});

it(`${rounds} codes survive ${presenters} callers without the verifier, ${setting}`, async () => {
  const person = await newSuperAdmin(cluster);
  const clientId = await newClient(at(0));
  const guess = (code: CodeInHand, index: number) =>
    postForm(at(index), 'token', { ...redemptionOf(code), code_verifier: 'x'.repeat(43 + (index % 80)) });
  const outcomes = await inParallel(range(rounds), roundsAtOnce, async (index) => {
    const code = await newCode(cluster, { clientId, userId: person.userId });
    const guesses = range(presenters).map((presenter) => guess(code, presenter));
    const answer = await pauseUpTo(5).then(() => redeem(at(index), code));
    expect(new Set((await Promise.all(guesses)).map(outcome))).toEqual(new Set(['invalid_grant']));
    return outcome(await refreshAs(at(index + 1), { clientId, tokens: clientTokensOf(answer) }));
  });
  expect(tally(outcomes)).toEqual({ OK: rounds });
});

// Contract: platform-mcp#revocation-of-a-client — An acknowledged revocation of a client ends everything
it(`${rounds} clients, revoked while they redeem and refresh, keep no live pair, ${setting}`, async () => {
  const root = await newSuperAdmin(cluster);
  const people = await Promise.all(range(3).map(() => newSuperAdmin(cluster)));
  const results = await inParallel(range(rounds), roundsAtOnce, async (index) => {
    const clientId = await newClient(at(index));
    const held = await connect(at(index), undefined, { clientId, person: root });
    const codes = await Promise.all(people.map(({ userId }) => newCode(cluster, { clientId, userId })));
    const redemptions = codes.map((code, step) => pauseUpTo(10).then(() => redeem(at(step), code)));
    const refresh = pauseUpTo(10).then(() => refreshAs(at(index), held));
    const revocation = await pauseUpTo(10).then(() =>
      runAs(at(index + 1), root, operations.revokeMcpClient, { id: clientId }),
    );
    const raced = await Promise.all([...redemptions, refresh]);
    const [live] = await cluster.sql<{ count: number }>(
      'SELECT count(*)::integer AS count FROM credentials WHERE client_id = $1 AND revoked_at IS NULL',
      [clientId],
    );
    const odd = raced.map(outcome).filter((one) => !['OK', 'invalid_client', 'invalid_grant'].includes(one));
    return [revocation.code ?? 'OK', `${live?.count} live`, ...odd].join(' ');
  });
  expect(tally(results)).toEqual({ 'OK 0 live': rounds });
  expect(cluster.defects()).toEqual([]);
});

// Contract: platform-mcp#authorization-code — A redemption against a sign-out everywhere of its person, over two
//   processes
it(`${rounds} codes, redeemed during a sign-out everywhere, leave no live pair, ${setting}`, async () => {
  const clientId = await newClient(at(0));
  const results = await inParallel(range(rounds), roundsAtOnce, async (index) => {
    const person = await newSuperAdmin(cluster);
    const code = await newCode(cluster, { clientId, userId: person.userId });
    const [redemption, signedOut] = await Promise.all([
      pauseUpTo(10).then(() => redeem(at(index), code)),
      pauseUpTo(10).then(() => runAs(at(index + 1), person, operations.signOutEverywhere)),
    ]);
    const [live] = await cluster.sql<{ count: number }>(
      `SELECT count(*)::integer AS count FROM credentials c JOIN users u ON u.id = c.user_id
         WHERE u.id = $1 AND c.revoked_at IS NULL AND c.credentials_revision = u.credentials_revision`,
      [person.userId],
    );
    const odd = [outcome(redemption)].filter((one) => !['OK', 'invalid_grant'].includes(one));
    return [signedOut.code ?? 'OK', `${live?.count} live`, ...odd].join(' ');
  });
  expect(tally(results)).toEqual({ 'OK 0 live': rounds });
  expect(cluster.defects()).toEqual([]);
});

/** Keeps the pairs that live. A caller that comes a second after the rotation replaces the pair, unless it was used. */
const living = async (pairs: readonly ClientTokens[]): Promise<readonly ClientTokens[]> => {
  const live = await cluster.sql.column<boolean>(
    `SELECT EXISTS (SELECT FROM credentials WHERE token_hash = given.hash AND revoked_at IS NULL) AS live
     FROM unnest($1::bytea[]) WITH ORDINALITY AS given (hash, place) ORDER BY place`,
    [hashesOfTokens(pairs.map(({ refreshToken }) => refreshToken))],
  );
  return pairs.filter((_, index) => live[index]);
};

describe(`${rounds} refresh tokens of clients, presented by ${presenters} callers at once, ${setting}`, () => {
  it('leave one living pair each, which works, and affect no other session', async () => {
    const person = await newSuperAdmin(cluster);
    const clientId = await newClient(at(0));
    const results = await inParallel(range(rounds), roundsAtOnce, async (index) => {
      const connection = await connect(at(index), undefined, { clientId, person });
      const raced = await Promise.all(range(presenters).map((presenter) => refreshAs(at(presenter), connection)));
      const pairs = await living(raced.filter(({ status }) => status === 200).map(clientTokensOf));
      const next = await Promise.all(pairs.map((tokens) => refreshAs(at(index), { clientId, tokens })));
      return `${pairs.length} ${next.map(outcome).join(' ')}`;
    });
    expect(tally(results)).toEqual({ '1 OK': rounds });
    expect(cluster.defects()).toEqual([]);
  });

  it('leave no pair of a client to GraphQL', async () => {
    const { tokens } = await connect(at(0));
    const answer = await post(urlOf(cluster, 1), operations.me, {}, { authorization: `Bearer ${tokens.accessToken}` });
    expect(answer.code).toBe('UNAUTHENTICATED');
  });
});
