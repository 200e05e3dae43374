/**
 * The list of sessions on databases of different size, with as many people as sessions: its first page and one far on,
 * each with its total, and a search by part of an address. All servers stand at once and take turns.
 */
import { type Server, startServer } from '../processes.ts';
import { fact, heading, medianOf, printSampleHeader, printSamples, type Sample, type Target } from '../report.ts';
import { interleave } from '../rounds.ts';
import type { Sampler, Scene } from '../scene.ts';
import { productionSettings } from '../servers/settings.ts';
import { openStage, type Stage } from '../stage.ts';

/** Those who ask, super admins all. */
const users = 20;
const credentialsOfUser = 6;

interface Sized {
  readonly name: string;
  readonly stage: Stage;
  readonly server: Server;
  readonly sampler: Sampler;
}

interface Question {
  readonly title: string;
  readonly connections: number;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Milliseconds of PostgreSQL for an answer, at the largest size. */
  readonly bound: number;
}

const dayMicros = 86_400_000_000;
const farOn = Buffer.from(
  JSON.stringify([String(Date.now() * 1000 - 15 * dayMicros), '00000000-0000-7000-8000-000000000000']),
).toString('base64url');

const questions: readonly Question[] = [
  { title: 'activeSessions, first page', connections: 1, variables: {}, bound: 5 },
  { title: 'activeSessions, page 15 days on', connections: 1, variables: { after: farOn }, bound: 5 },
  ...[1, 10].map((connections) => ({
    title: `activeSessions, part of one address in a thousand, ${connections} connections`,
    connections,
    variables: { filter: { email: 'SELDOM' } },
    bound: 20,
  })),
];

export const measureLists = async (scene: Scene): Promise<readonly Target[]> => {
  const closers: (() => Promise<void>)[] = [];
  try {
    const sized: Sized[] = [];
    for (const size of scene.options.sizes) sized.push(await build(scene, size, closers));
    const targets: Target[] = [];
    for (const question of questions) targets.push(await ask(scene, sized, question));
    return targets;
  } finally {
    for (const close of closers.reverse()) await close();
  }
};

const build = async (scene: Scene, size: number, closers: (() => Promise<void>)[]): Promise<Sized> => {
  const began = performance.now();
  const stage = await openStage(scene.options, {
    users,
    pastPairs: 0,
    mcpSessions: users,
    credentialsOfOthers: 0,
    peopleWithSession: Math.round((size - users * credentialsOfUser) / 2),
    hasFloor: false,
  });
  closers.push(() => stage.drop());
  const server = await startServer(scene.gatehouse, productionSettings(stage.databaseUrl, scene.options.cost));
  closers.push(() => server.stop());
  const name = `${size.toLocaleString('en')} live credentials`;
  fact(`a database with ${name} was made in`, (performance.now() - began) / 1000, ' s', 0);
  return { name, stage, server, sampler: scene.samplerOn(stage) };
};

const query = `query Sessions($after: String, $filter: SessionFilter) {
  activeSessions(first: 50, after: $after, filter: $filter) {
    nodes { id userEmail issuedAt } totalCount totalCountIsCapped pageInfo { hasNextPage endCursor } } }`;

const jobOf = ({ seeded }: Stage, { connections, variables }: Question, seconds: number) => {
  const body = JSON.stringify({ operationName: 'Sessions', query, variables });
  const requests = seeded.accessTokens.map((token) => ({ path: '/graphql', body, token }));
  return { connections, seconds, workload: { kind: 'fixed', requests } } as const;
};

const ask = async (scene: Scene, sized: readonly Sized[], question: Question): Promise<Target> => {
  const { rounds, seconds } = scene.options;
  const byName = new Map(sized.map((each) => [each.name, each]));
  const samples = await interleave(rounds, [...byName.keys()], async (name) => {
    const { sampler, server, stage } = byName.get(name) ?? missing(name);
    return sampler.sample(server, jobOf(stage, question, seconds));
  });
  heading(`${question.title}, by size of the database`);
  printSampleHeader();
  for (const { name } of sized) printSamples(name, samples[name] ?? []);
  const largest = sized.at(-1)?.name ?? '';
  return {
    what: `${question.title}: milliseconds of PostgreSQL at ${largest}`,
    value: medianOf(samples[largest] ?? [], databaseOf),
    bound: question.bound,
    atLeast: false,
    unit: ' ms',
  };
};

const databaseOf = ({ outcome, cpu }: Sample): number | null =>
  cpu.database === null ? null : cpu.database / outcome.requests;

const missing = (name: string): never => {
  throw new Error(`There is no database of ${name}`);
};
