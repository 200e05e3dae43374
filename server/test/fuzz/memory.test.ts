/** After many requests of ever new sessions and documents, memory is no larger than with full caches. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashesOfTokens, newToken } from '../../src/domain/credentials/token.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import type { Service } from '../support/gatehouse/gatehouse.ts';
import { scrape } from '../support/gatehouse/metrics.ts';
import { type MountedRoute, withRoutesOf } from '../support/gatehouse/mounted-routes.ts';
import { rootOperations } from '../support/random/any-operation.ts';
import { seed, sendOnWire, tries } from '../support/random/fuzz.ts';
import { type FuzzWorld, startFuzzWorld } from '../support/random/fuzz-world.ts';
import { anyRequest } from '../support/random/hostile-requests.ts';

let world: FuzzWorld;
let service: Service;
let routes: readonly MountedRoute[];

beforeAll(async () => {
  const { started, routes: mounted } = await withRoutesOf(() =>
    // The tests keep every log line; that growth is theirs.
    startFuzzWorld({ LOG_LEVEL: 'silent', RATE_LIMITS_ENABLED: 'true', TRUST_PROXY: '1' }),
  );
  world = started;
  service = world.service;
  routes = mounted;
});
afterAll(() => service.close());

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Buffers are outside the heap. */
const heldMegabytes = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
};

/** As many as the service keeps at most (`graphql/documents.ts`, `domain/access/authenticate.ts`), and a margin. */
const documentsKept = 600;
const actorsKept = 20_500;

const batch = 1200;
const sessionsOfRound = batch / 4;
/** Cached actors take about a megabyte for this many: more of them have to find the cache full. */
const fewSessions = 1000;
const mostGrowthMegabytes = 6;
const atOnce = 32;

const firstSeed = seed ?? Date.now() % 2 ** 31;

/** New sessions of one person, in one statement: each is cached as after a sign-in. */
const newSessions = async (count: number): Promise<readonly string[]> => {
  const tokens = range(count).map(() => newToken('user_session'));
  await service.sql(
    `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
       auth_method, expires_at, family_expires_at)
     SELECT gen_random_uuid(), hash, 'user_session', gen_random_uuid(), gen_random_uuid(), u.id, u.credentials_revision,
       'api', 'password', now() + interval '1 hour', now() + interval '1 hour'
     FROM users u, unnest($2::bytea[]) AS hash WHERE u.id = $1`,
    [world.owner.userId, hashesOfTokens(tokens)],
  );
  return tokens;
};

/** A new network each time, in X-Forwarded-For. */
const addressOf = (number: number): string => `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;

const ask = async (token: string, query: string, number: number): Promise<void> => {
  const { status, text } = await sendOnWire(service.url, {
    method: 'POST',
    path: '/graphql',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      authorization: `Bearer ${token}`,
      'x-forwarded-for': addressOf(number),
    },
    body: JSON.stringify({ query }),
  });
  expect([status, text]).toEqual([200, text]);
};

/** Queries of an owner without arguments; the list of all these sessions would be most of the work. */
const queries = rootOperations(4).filter(
  ({ name, query, args }) =>
    ['me', 'members', 'products', 'visitor'].includes(name) &&
    query.startsWith('query') &&
    !args.some(isRequiredArgument),
);

let asked = 0;

/** Each in a new document, by its own session; and once more, from the cached documents. */
const askSensibly = async (count: number): Promise<void> => {
  const tokens = await newSessions(count);
  await inParallel(tokens, atOnce, async (token) => {
    asked += 1;
    const number = asked;
    const { query = '' } = queries[number % queries.length] ?? {};
    const document = query.replace(/^query/, `query Q${number}`);
    await ask(token, document, number);
    await ask(token, document, number);
  });
};

const fillActors = async (): Promise<void> => {
  await inParallel(await newSessions(actorsKept), atOnce, (token) => ask(token, '{ me { id } }', 0));
  const { text } = await scrape(service);
  expect(text).toMatch(/^gatehouse_actor_cache_evictions_total [1-9]/m);
};

const askNonsense = async (round: number): Promise<void> => {
  const any = anyRequest(routes, world.credentials);
  const requests = fc.sample(any, { numRuns: batch, seed: firstSeed + round });
  for (const [index, request] of requests.entries()) {
    const headers = { 'x-forwarded-for': addressOf(index), ...request.headers };
    await sendOnWire(service.url, { ...request, headers });
  }
};

// Contract: requests#any-input-is-answered — No growth of memory under hostile and sensible requests, with full caches
it('Memory does not grow with the number of invalid or valid requests', async () => {
  const { numRuns } = tries(3);
  if (numRuns * sessionsOfRound > fewSessions) await fillActors();
  await askSensibly(documentsKept);
  for (const warming of [-2, -1]) await askNonsense(warming);
  const before = heldMegabytes();
  for (let round = 0; round < numRuns; round += 1) {
    await askNonsense(round);
    await askSensibly(sessionsOfRound);
  }
  // A leak of 2 kB for each request would be 10 MB by now, and 7 MB in the size for a change.
  expect(heldMegabytes() - before, `FUZZ_SEED=${firstSeed}`).toBeLessThan(mostGrowthMegabytes);
});
