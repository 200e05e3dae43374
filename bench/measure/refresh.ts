/**
 * Rotation through GraphQL, against one transaction of a conditional UPDATE and two INSERTs behind the same HTTP floor,
 * and against one statement over a table with four indexes; and switches of organization.
 */
import { cpuOf, heading, printSampleHeader, printSamples, rateOf, ratio, type Sample, type Target } from '../report.ts';
import { interleave } from '../rounds.ts';
import type { Scene } from '../scene.ts';

const variants = ['gatehouse', 'floor', 'light floor'] as const;
type Variant = (typeof variants)[number];
const connections = 20;

const paths = { gatehouse: '/graphql', floor: '/refresh', 'light floor': '/refresh-light' } as const;

export const measureRefresh = async (scene: Scene): Promise<readonly Target[]> => {
  const { rounds, seconds } = scene.options;
  const { gatehouse, floor } = scene.peers;
  const servers = { gatehouse, floor, 'light floor': floor };
  // Each variant has a table of its own with the same pairs, and pairs of its own.
  const jobOf = (name: Variant, duration: number) => {
    const start = name === 'light floor' ? connections : 0;
    const pairs = scene.stage.seeded.pairs.slice(start, start + connections);
    return { connections, seconds: duration, workload: { kind: 'rotate', path: paths[name], pairs } } as const;
  };
  for (const name of variants) await scene.sampleOnce(servers[name], jobOf(name, 2));
  const samples = await interleave(rounds, variants, (name) => scene.sample(servers[name], jobOf(name, seconds)));
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
      bound: 1.2,
      atLeast: false,
      unit: '',
    },
    {
      what: 'refresh: times dearer than the light floor, by CPU (server and PostgreSQL)',
      value: ratio(samples.gatehouse, samples['light floor'], cpuOf),
      bound: 1.45,
      atLeast: false,
      unit: '',
    },
    await measureSwitch(scene, samples['light floor']),
  ];
};

/** A switch revokes a session and issues another, as a refresh does, and changes the active membership besides. */
const measureSwitch = async (scene: Scene, lightFloor: readonly Sample[]): Promise<Target> => {
  const { rounds, seconds } = scene.options;
  const workload = { kind: 'switch', switchers: scene.stage.seeded.switchers } as const;
  const take = () => scene.sample(scene.peers.gatehouse, { connections, seconds, workload });
  const samples = await interleave(rounds, ['gatehouse'], take);
  heading(`switchOrganization, ${connections} connections`);
  printSampleHeader();
  printSamples('gatehouse', samples.gatehouse);
  return {
    what: 'switch: times dearer than a refresh of the light floor, by CPU (server and PostgreSQL)',
    value: ratio(samples.gatehouse, lightFloor, cpuOf),
    bound: 2.9,
    atLeast: false,
    unit: '',
  };
};
