/**
 * `POST /auth/tokens/report` with a thousand strings in the form of a token, of which none is known, beside an empty
 * one.
 */
import { newToken } from '../../server/src/domain/credentials/token.ts';
import type { RequestText } from '../load/job.ts';
import { type Server, startServer } from '../processes.ts';
import { cpuOf, heading, medianOf, printSampleHeader, printSamples, type Target } from '../report.ts';
import { interleave } from '../rounds.ts';
import type { Scene } from '../scene.ts';
import { productionSettings } from '../servers/settings.ts';
import { openStage, type Stage } from '../stage.ts';

const sizes = ['empty', '1,000 strings'] as const;
const stringsOf = { empty: 0, '1,000 strings': 1000 } as const;

/** Each may report 60 times. */
const addresses = Array.from({ length: 5000 }, (_, at) => `10.0.${at >> 8}.${at % 256}`);

export const measureReports = async (scene: Scene): Promise<readonly Target[]> => {
  const few = {
    users: 200,
    pastPairs: 0,
    mcpSessions: 0,
    credentialsOfOthers: 0,
    peopleWithSession: 0,
    hasFloor: false,
  };
  const stage = await openStage(scene.options, few);
  try {
    const settings = productionSettings(stage.databaseUrl, scene.options.cost);
    const server = await startServer(scene.gatehouse, settings);
    try {
      return await compareSizes(scene, stage, server);
    } finally {
      await server.stop();
    }
  } finally {
    await stage.drop();
  }
};

const compareSizes = async (scene: Scene, stage: Stage, server: Server): Promise<readonly Target[]> => {
  const { rounds, seconds } = scene.options;
  const sampler = scene.samplerOn(stage);
  const jobOf = (size: (typeof sizes)[number]) => {
    const entries = Array.from({ length: stringsOf[size] }, () => ({ token: newToken('personal_token'), url: '' }));
    const body = JSON.stringify(entries);
    const requests = addresses.map((from): RequestText => ({ path: '/auth/tokens/report', body, token: null, from }));
    return { connections: 1, seconds, workload: { kind: 'fixed', requests } } as const;
  };
  const samples = await interleave(rounds, sizes, (size) => sampler.sample(server, jobOf(size)));
  heading('/auth/tokens/report, 1 connection');
  printSampleHeader();
  for (const size of sizes) printSamples(size, samples[size]);
  const [all, empty] = [medianOf(samples['1,000 strings'], cpuOf), medianOf(samples.empty, cpuOf)];
  return [
    {
      what: '/auth/tokens/report: CPU a string (server and PostgreSQL, until it is worked off)',
      value: all === null || empty === null ? null : (all - empty) / stringsOf['1,000 strings'],
      bound: 1,
      atLeast: false,
      unit: ' ms',
    },
  ];
};
