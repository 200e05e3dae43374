/** The process of `serve` on PostgreSQL: time to its first answer, and idle resources. */
import { setTimeout as sleep } from 'node:timers/promises';
import { residentMegabytes, startServer } from '../processes.ts';
import { fact, heading, type Target } from '../report.ts';
import { median } from '../rounds.ts';
import type { Scene } from '../scene.ts';
import { gatehouse, productionSettings } from '../servers/settings.ts';

const settleMilliseconds = 2000;

export const measureProcess = async (scene: Scene): Promise<readonly Target[]> => {
  const settings = productionSettings(scene.stage.databaseUrl, scene.options.cost);
  const starts: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < scene.options.rounds; round += 1) {
    await scene.timeLimit.waitUntilQuiet();
    const server = await startServer(gatehouse, settings);
    starts.push(server.startMilliseconds);
    await sleep(settleMilliseconds);
    const resident = residentMegabytes(server.pid);
    if (resident !== null) memory.push(resident);
    await server.stop();
  }
  const uncached = await startServer(gatehouse, { ...settings, NODE_DISABLE_COMPILE_CACHE: '1' });
  await uncached.stop();
  heading(`serve on PostgreSQL, ${scene.options.rounds} starts`);
  fact('first answer after spawn, median', median(starts), ' ms', 0);
  fact('first answer after spawn, longest', Math.max(...starts), ' ms', 0);
  fact('first answer after spawn, without the compile cache', uncached.startMilliseconds, ' ms', 0);
  const resident = memory.length === 0 ? null : median(memory);
  fact(`resident memory ${settleMilliseconds / 1000} s after the start, median`, resident, ' MB', 0);
  fact('resident memory after the load above', residentMegabytes(scene.peers.gatehouse.pid), ' MB', 0);
  return [
    { what: 'process: idle memory on PostgreSQL', value: resident, bound: 150, atLeast: false, unit: ' MB' },
    { what: 'process: first answer', value: median(starts) / 1000, bound: 1.5, atLeast: false, unit: ' s' },
  ];
};
