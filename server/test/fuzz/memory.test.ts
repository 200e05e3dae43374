/** A service that is asked nonsense for long holds no more memory than one that was asked it for a while. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patience, seed, sendOnWire, tries } from '../support/fuzz.ts';
import { type Service, startService } from '../support/gatehouse.ts';
import { anyRequest } from '../support/hostile-requests.ts';
import { newMcpClient } from '../support/mcp.ts';
import { type MountedRoute, withRoutesOf } from '../support/mounted-routes.ts';
import { newOwner } from '../support/tenants.ts';

let service: Service;
let routes: readonly MountedRoute[];
let credentials: readonly string[];

beforeAll(async () => {
  // The tests keep every log line; that growth is theirs.
  const { started, routes: mounted } = await withRoutesOf(() => startService({ LOG_LEVEL: 'silent' }));
  service = started;
  routes = mounted;
  const [owner, client] = [await newOwner(service), await newMcpClient(service)];
  credentials = [owner.tokens, client.tokens].flatMap(({ accessToken, refreshToken }) => [accessToken, refreshToken]);
});
afterAll(() => service.close());

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Buffers lie beside the heap. */
const heldMegabytes = (): number => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
};

/** Every cache is full after so many, or never: what it holds is bounded by number. */
const batch = 1200;
const mostGrowthMegabytes = 6;

const firstSeed = seed ?? Date.now() % 2 ** 31;

const ask = async (round: number): Promise<void> => {
  const requests = fc.sample(anyRequest(routes, credentials), { numRuns: batch, seed: firstSeed + round });
  for (const request of requests) await sendOnWire(service.url, request);
};

describe('Memory', () => {
  it(
    'does not grow with the number of hostile requests',
    async () => {
      for (const warming of [-2, -1]) await ask(warming);
      const before = heldMegabytes();
      const { numRuns } = tries(3);
      for (let round = 0; round < numRuns; round += 1) await ask(round);
      // A leak of 2 kB for each request would be 7 MB by now.
      expect(heldMegabytes() - before, `FUZZ_SEED=${firstSeed}`).toBeLessThan(mostGrowthMegabytes);
    },
    patience(600),
  );
});
