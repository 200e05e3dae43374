/** Rotation through GraphQL, against one transaction of a conditional UPDATE and two INSERTs behind the same HTTP floor. */
import { cpuOf, heading, printSampleHeader, printSamples, rateOf, ratio, type Target } from '../report.ts';
import { interleave } from '../rounds.ts';
import type { Scene } from '../scene.ts';

const variants = ['gatehouse', 'floor'] as const;
type Variant = (typeof variants)[number];
const connections = 20;

export const measureRefresh = async (scene: Scene): Promise<readonly Target[]> => {
  const { rounds, seconds } = scene.options;
  // Each variant has a table of its own with the same pairs.
  const pairs = scene.stage.seeded.pairs.slice(0, connections);
  const jobOf = (name: Variant, duration: number) => {
    const path = name === 'floor' ? '/refresh' : '/graphql';
    return { connections, seconds: duration, workload: { kind: 'rotate', path, pairs } } as const;
  };
  for (const name of variants) await scene.sampleOnce(scene.peers[name], jobOf(name, 2));
  const samples = await interleave(rounds, variants, (name) => scene.sample(scene.peers[name], jobOf(name, seconds)));
  heading(`refreshAccessToken, ${connections} connections`);
  printSampleHeader();
  for (const name of variants) printSamples(name, samples[name]);
  return [
    {
      what: 'refresh: time relative to the floor, by refreshes a second',
      value: ratio(samples.floor, samples.gatehouse, rateOf),
      bound: 2,
      atLeast: false,
      unit: '',
    },
    {
      what: 'refresh: CPU relative to the floor (server and PostgreSQL)',
      value: ratio(samples.gatehouse, samples.floor, cpuOf),
      bound: 2,
      atLeast: false,
      unit: '',
    },
  ];
};
