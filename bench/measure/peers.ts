/**
 * A durable session check against alternatives: Better Auth's get-session with a bearer, and a service of Apollo
 * Server, Express and an ORM. All on the same PostgreSQL, with as many people, each with its own answer.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { RequestText } from '../load/job.ts';
import { pathOf, residentMegabytes, type Server, startServer } from '../processes.ts';
import {
  cpuOf,
  fact,
  heading,
  printSampleHeader,
  printSamples,
  rateOf,
  ratio,
  type Sample,
  type Target,
} from '../report.ts';
import { interleave } from '../rounds.ts';
import type { Scene } from '../scene.ts';

const variants = ['gatehouse', 'better-auth', 'apollo'] as const;
type Variant = (typeof variants)[number];

const betterAuth: readonly string[] = [pathOf('./peers/better-auth.mjs')];
const apollo: readonly string[] = [pathOf('./peers/apollo.mjs')];

export const measurePeers = async (scene: Scene): Promise<readonly Target[]> => {
  const secret = randomBytes(32).toString('hex');
  const settings = { ...scene.peerSettings, NODE_ENV: 'production', BETTER_AUTH_SECRET: secret };
  const started: Server[] = [];
  const start = async (program: readonly string[]): Promise<Server> => {
    const server = await startServer(program, settings);
    started.push(server);
    return server;
  };
  try {
    const servers = {
      gatehouse: scene.peers.gatehouse,
      'better-auth': await start(betterAuth),
      apollo: await start(apollo),
    };
    return await compareAll(scene, servers, secret);
  } finally {
    for (const server of started) await server.stop();
  }
};

type Servers = Readonly<Record<Variant, Server>>;

const compareAll = async (scene: Scene, servers: Servers, secret: string): Promise<readonly Target[]> => {
  const requests = requestsOf(scene.stage.seeded.accessTokens, secret);
  const job = (name: Variant, connections: number, seconds: number) =>
    ({ connections, seconds, workload: { kind: 'fixed', requests: requests[name] } }) as const;
  for (const name of variants) await requireAnswer(name, servers[name], requests[name][0]);
  // Until all code is compiled.
  for (const name of variants) await scene.sampleOnce(servers[name], job(name, 50, 5));
  const compare = async (connections: number) => {
    const { rounds, seconds } = scene.options;
    const samples = await interleave(rounds, variants, (name) =>
      scene.sample(servers[name], job(name, connections, seconds)),
    );
    heading(`session checks of peers, ${connections} connections`);
    printSampleHeader();
    for (const name of variants) printSamples(name, samples[name]);
    return samples;
  };
  const [atTen, atFifty] = [await compare(10), await compare(50)];
  for (const name of variants)
    fact(`resident memory of ${name} after it`, residentMegabytes(servers[name].pid), ' MB', 0);
  return judge(atTen, atFifty);
};

/**
 * An answer of 200 may be an empty session, which is cheap.
 * @throws Error when it does not name the user
 */
const requireAnswer = async (name: Variant, server: Server, request: RequestText | undefined): Promise<void> => {
  if (request === undefined) throw new Error('There are no users');
  const { method = 'POST', path, body, token, accept = 'application/json' } = request;
  const headers = { accept, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = method === 'GET' ? { method, headers } : { method, headers, body };
  const answer = await (await fetch(`http://127.0.0.1:${server.port}${path}`, sent)).text();
  if (!answer.includes('@bench.example')) throw new Error(`${name} does not say who is signed in: ${answer}`);
};

type Samples = Readonly<Record<Variant, readonly Sample[]>>;

const judge = (atTen: Samples, samples: Samples): Target[] => {
  const cheaper = (name: Variant): number | null => ratio(samples[name], samples.gatehouse, cpuOf);
  fact('requests a second relative to better-auth', ratio(samples.gatehouse, samples['better-auth'], rateOf), '');
  fact('requests a second relative to apollo', ratio(samples.gatehouse, samples.apollo, rateOf), '');
  fact('times cheaper than apollo, by CPU (server and PostgreSQL)', cheaper('apollo'), '');
  fact('times cheaper than better-auth at 10 connections', ratio(atTen['better-auth'], atTen.gatehouse, cpuOf), '');
  fact('times cheaper than apollo at 10 connections', ratio(atTen.apollo, atTen.gatehouse, cpuOf), '');
  return [
    {
      what: "me, 50 connections: times cheaper than Better Auth's session check, by CPU (server and PostgreSQL)",
      value: cheaper('better-auth'),
      bound: 12,
      atLeast: true,
      unit: '',
    },
  ];
};

const query = JSON.stringify({ operationName: 'FetchMe', query: 'query FetchMe { me { id email name } }' });

const requestsOf = (tokens: readonly string[], secret: string): Readonly<Record<Variant, readonly RequestText[]>> => {
  const graphql = tokens.map((token) => ({ path: '/graphql', body: query, token }));
  const sessions = tokens.map((token) => ({
    method: 'GET' as const,
    path: '/api/auth/get-session',
    body: '',
    token: signed(token, secret),
    accept: 'application/json',
  }));
  return { gatehouse: graphql, 'better-auth': sessions, apollo: graphql };
};

/** As Better Auth returns a token in `set-auth-token`: without the signature it would sign it at each request. */
const signed = (token: string, secret: string): string =>
  encodeURIComponent(`${token}.${createHmac('sha256', secret).update(token).digest('base64')}`);
