/** `/auth/identity` with a bearer beside the floor, and introspection of a hundred tokens beside one. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { hashToken } from '../../server/src/domain/credentials/token.ts';
import type { RequestText } from '../load/job.ts';
import { type Server, startServer } from '../processes.ts';
import { cpuOf, heading, printSampleHeader, printSamples, ratio, type Sample, type Target } from '../report.ts';
import { interleave } from '../rounds.ts';
import type { Scene } from '../scene.ts';
import { productionSettings } from '../servers/settings.ts';
import { openStage, type Stage } from '../stage.ts';

export const measureIdentity = async (scene: Scene): Promise<readonly Target[]> => [
  ...(await measureEndpoint(scene)),
  ...(await measureIntrospection(scene)),
];

const p99Of = ({ outcome }: Sample): number => outcome.p99;
const p50Of = ({ outcome }: Sample): number => outcome.p50;

// The identity of a request: its user and membership.

const servers = ['gatehouse', 'floor'] as const;
const paths = { gatehouse: '/auth/identity', floor: '/me-with-membership' } as const;

const measureEndpoint = async (scene: Scene): Promise<readonly Target[]> => {
  const { rounds, seconds } = scene.options;
  const jobOf = (name: (typeof servers)[number], duration: number) => {
    const requests = scene.stage.seeded.accessTokens.map(
      (token): RequestText => ({ method: 'GET', path: paths[name], body: '', token }),
    );
    return { connections: 50, seconds: duration, workload: { kind: 'fixed', requests } } as const;
  };
  // Enough load for all code to be compiled.
  for (const name of servers) await scene.sampleOnce(scene.peers[name], jobOf(name, 3));
  const samples = await interleave(rounds, servers, (name) => scene.sample(scene.peers[name], jobOf(name, seconds)));
  heading('/auth/identity, 50 connections');
  printSampleHeader();
  for (const name of servers) printSamples(name, samples[name]);
  return [
    {
      what: '/auth/identity, 50 connections: CPU per request (server and PostgreSQL) relative to the floor',
      value: ratio(samples.gatehouse, samples.floor, cpuOf),
      bound: 0.7,
      atLeast: false,
      unit: '',
    },
    {
      what: '/auth/identity, 50 connections: p99 relative to the floor',
      value: ratio(samples.gatehouse, samples.floor, p99Of),
      bound: 1.2,
      atLeast: false,
      unit: '',
    },
  ];
};

// Introspection, over a database of its own: its tokens are for a resource.

const resourceUrl = 'https://notes.bench.example/';
const sizes = ['1 token', '100 tokens'] as const;
const tokensOf = { '1 token': 1, '100 tokens': 100 } as const;
const users = 200;

const measureIntrospection = async (scene: Scene): Promise<readonly Target[]> => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const few = { users, pastPairs: 0, mcpSessions: 0, credentialsOfOthers: 0, peopleWithSession: 0, hasFloor: false };
  const stage = await openStage(scene.options, few);
  try {
    await giveToResource(stage);
    const secret = randomBytes(32).toString('hex');
    const server = await startResourceServer(scene, stage, directory, secret);
    try {
      return await compareSizes(scene, stage, server, secret);
    } finally {
      await server.stop();
    }
  } finally {
    await stage.drop();
    await rm(directory, { recursive: true });
  }
};

const giveToResource = async ({ databaseUrl, seeded }: Stage): Promise<void> => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const hashes = seeded.accessTokens.map(hashToken);
  await client.query('UPDATE credentials SET audience = $2 WHERE token_hash = ANY ($1)', [hashes, resourceUrl]);
  await client.end();
};

const startResourceServer = async (scene: Scene, stage: Stage, directory: string, secret: string): Promise<Server> => {
  const file = join(directory, 'application.json');
  await writeFile(file, JSON.stringify({ resources: { notes: { url: resourceUrl, scopes: ['MEMBERS_VIEW'] } } }));
  return startServer(scene.gatehouse, {
    ...productionSettings(stage.databaseUrl, scene.options.cost),
    APPLICATION_FILE: file,
    RESOURCE_SECRET_NOTES: secret,
  });
};

const compareSizes = async (scene: Scene, stage: Stage, server: Server, secret: string): Promise<readonly Target[]> => {
  const { rounds, seconds } = scene.options;
  const sampler = scene.samplerOn(stage);
  const authorization = `Basic ${Buffer.from(`notes:${secret}`).toString('base64')}`;
  const jobOf = (size: (typeof sizes)[number]) => {
    const body = JSON.stringify({ tokens: stage.seeded.accessTokens.slice(0, tokensOf[size]) });
    const request: RequestText = { path: '/auth/introspect', body, token: null, authorization };
    return { connections: 1, seconds, workload: { kind: 'fixed', requests: [request] } } as const;
  };
  const samples = await interleave(rounds, sizes, (size) => sampler.sample(server, jobOf(size)));
  heading('/auth/introspect, 1 connection');
  printSampleHeader();
  for (const size of sizes) printSamples(size, samples[size]);
  return [
    {
      what: '/auth/introspect: median time of 100 tokens relative to one',
      value: ratio(samples['100 tokens'], samples['1 token'], p50Of),
      bound: 3,
      atLeast: false,
      unit: '',
    },
  ];
};
