/**
 * Personal tokens: a use beside one of a session, with few and with very many live tokens, and the first page of an
 * organization's tokens. The databases have the same people; they differ in tokens that the load never sends.
 */
import pg from 'pg';
import { hashToken, newToken } from '../../server/src/domain/credentials/token.ts';
import { newId } from '../../server/src/kernel/ids.ts';
import { type Server, startServer } from '../processes.ts';
import {
  cpuOf,
  fact,
  heading,
  medianOf,
  printSampleHeader,
  printSamples,
  ratio,
  type Sample,
  type Target,
} from '../report.ts';
import { interleave } from '../rounds.ts';
import type { Sampler, Scene } from '../scene.ts';
import { productionSettings } from '../servers/settings.ts';
import { openStage, type Stage } from '../stage.ts';

const users = 250;
/** Tokens of others, in the smaller and in the larger database. */
const others = [1_000, 1_000_000] as const;
/** Tokens of the organization whose list is read. */
const listed = 10_000;

const population = {
  users,
  pastPairs: 0,
  mcpSessions: 0,
  credentialsOfOthers: 0,
  peopleWithSession: 0,
  hasFloor: false,
};

interface Sized {
  readonly stage: Stage;
  readonly server: Server;
  readonly sampler: Sampler;
  /** Of each user, bound to their own organization. */
  readonly tokens: readonly string[];
}

export const measureMachineTokens = async (scene: Scene): Promise<readonly Target[]> => {
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const few = await build(scene, others[0], closers);
    const many = await build(scene, others[1], closers);
    return [...(await compareUses(scene, few, many)), await measureList(scene, many)];
  } finally {
    for (const close of closers.reverse()) await close();
  }
};

const build = async (scene: Scene, otherTokens: number, closers: (() => Promise<unknown>)[]): Promise<Sized> => {
  const began = performance.now();
  const stage = await openStage(scene.options, population);
  closers.push(() => stage.drop());
  const tokens = await insertTokens(stage, otherTokens);
  const server = await startServer(scene.gatehouse, {
    ...productionSettings(stage.databaseUrl, scene.options.cost),
    MACHINE_TOKENS_ENABLED: 'true',
  });
  closers.push(() => server.stop());
  fact(
    `a database with ${otherTokens.toLocaleString('en')} tokens was made in`,
    (performance.now() - began) / 1000,
    ' s',
    0,
  );
  return { stage, server, sampler: scene.samplerOn(stage), tokens };
};

// Seeding.

const insertTokens = async ({ databaseUrl, seeded }: Stage, otherTokens: number): Promise<readonly string[]> => {
  const tokens = seeded.emails.map(() => newToken('personal_token'));
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const ids = tokens.map(() => [newId(), newId()] as const);
  const [tokenIds, credentialIds] = [ids.map(([id]) => id), ids.map(([, id]) => id)];
  await client.query(insertOwn, [seeded.emails, tokenIds, credentialIds, tokens.map(hashToken)]);
  await client.query(insertOthers, [listed, seeded.emails[0]]);
  await client.query(insertOthers, [otherTokens, seeded.emails[1]]);
  await client.query('VACUUM ANALYZE');
  await client.end();
  return tokens;
};

const tokenColumns = `id, organization_id, user_id, membership_id, name, scopes, issued_to, credential_id, last_characters,
  lifetime_seconds, created_at`;
const secretColumns = `id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience, auth_method,
  scopes, organization_id, membership_id, expires_at, family_expires_at`;

const insertOwn = `WITH made AS (
    SELECT given.*, u.id AS user_id, m.id AS membership_id, m.organization_id
    FROM unnest($1::text[], $2::uuid[], $3::uuid[], $4::bytea[]) AS given (email, token_id, credential_id, token_hash)
    JOIN users u ON u.email = given.email
    JOIN organization_members m ON m.id = u.current_membership),
  tokens AS (
    INSERT INTO machine_tokens (${tokenColumns})
    SELECT token_id, organization_id, user_id, membership_id, 'Bench', '{MEMBERS_VIEW}', user_id, credential_id, 'abcd',
      2592000, now() FROM made)
  INSERT INTO credentials (${secretColumns})
  SELECT credential_id, token_hash, 'machine', token_id, credential_id, user_id, 0, 'api', 'personal_token',
    '{MEMBERS_VIEW}', organization_id, membership_id, now() + interval '30 days', now() + interval '113 days' FROM made`;

/** Live tokens of one person, in their organization. */
const insertOthers = `WITH made AS MATERIALIZED (
    SELECT gen_random_uuid() AS token_id, gen_random_uuid() AS credential_id, u.id AS user_id, m.id AS membership_id,
      m.organization_id, now() - n * interval '1 second' AS at
    FROM generate_series(1, $1::integer) AS n
    JOIN users u ON u.email = $2::text JOIN organization_members m ON m.id = u.current_membership),
  tokens AS (
    INSERT INTO machine_tokens (${tokenColumns})
    SELECT token_id, organization_id, user_id, membership_id, 'Other', '{MEMBERS_VIEW}', user_id, credential_id, 'abcd',
      2592000, at FROM made)
  INSERT INTO credentials (${secretColumns}, issued_at)
  SELECT credential_id, sha256(credential_id::text::bytea), 'machine', token_id, credential_id, user_id, 0, 'api',
    'personal_token', '{MEMBERS_VIEW}', organization_id, membership_id, now() + interval '30 days',
    now() + interval '113 days', at FROM made`;

// Uses.

const me = JSON.stringify({ operationName: 'FetchMe', query: 'query FetchMe { me { id email name } }' });

const variants = ['a session', 'a token', 'a token among a million'] as const;

const compareUses = async (scene: Scene, few: Sized, many: Sized): Promise<readonly Target[]> => {
  const { rounds, seconds } = scene.options;
  const used = {
    'a session': [few, few.stage.seeded.accessTokens],
    'a token': [few, few.tokens],
    'a token among a million': [many, many.tokens],
  } as const;
  const jobOf = (name: (typeof variants)[number], duration: number) => {
    const requests = used[name][1].map((token) => ({ path: '/graphql', body: me, token }));
    return { connections: 50, seconds: duration, workload: { kind: 'fixed', requests } } as const;
  };
  for (const name of variants) await used[name][0].sampler.sampleOnce(used[name][0].server, jobOf(name, 3));
  const samples = await interleave(rounds, variants, (name) =>
    used[name][0].sampler.sample(used[name][0].server, jobOf(name, seconds)),
  );
  heading('me { id email name }, 50 connections');
  printSampleHeader();
  for (const name of variants) printSamples(name, samples[name]);
  const relative = (what: string, one: readonly Sample[], other: readonly Sample[]): Target => ({
    what: `${what}: CPU per request (server and PostgreSQL)`,
    value: ratio(one, other, cpuOf),
    bound: 1.1,
    atLeast: false,
    unit: '',
  });
  return [
    relative('me by a personal token relative to a session, 50 connections', samples['a token'], samples['a session']),
    relative(
      'a personal token among 1,000,000 relative to 1,000',
      samples['a token among a million'],
      samples['a token'],
    ),
  ];
};

// The first page of an organization's tokens, with its total.

const list = JSON.stringify({
  query: `{ organizationTokens(first: 50) { totalCount pageInfo { hasNextPage endCursor }
    nodes { id name status scopes expiresAt lastUsedAt previousSecretEndsAt userEmail } } }`,
});

const measureList = async (scene: Scene, { stage, server, sampler }: Sized): Promise<Target> => {
  const [token = ''] = stage.seeded.accessTokens;
  const { rounds, seconds } = scene.options;
  const job = {
    connections: 1,
    seconds,
    workload: { kind: 'fixed', requests: [{ path: '/graphql', body: list, token }] },
  } as const;
  const title = `the first page of ${listed.toLocaleString('en')} tokens`;
  const samples = await interleave(rounds, [title], () => sampler.sample(server, job));
  heading('organizationTokens, 1 connection');
  printSampleHeader();
  printSamples(title, samples[title] ?? []);
  return {
    what: `${title}: CPU of PostgreSQL`,
    value: medianOf(samples[title] ?? [], databaseOf),
    bound: 50,
    atLeast: false,
    unit: ' ms',
  };
};

const databaseOf = ({ outcome, cpu }: Sample): number | null =>
  cpu.database === null ? null : cpu.database / outcome.requests;
