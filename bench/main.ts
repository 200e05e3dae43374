/** `npm run bench`: measures the service against its peers, as ratios, and reports which targets are met. */
import { availableParallelism } from 'node:os';
import { measureFactors } from './measure/factors.ts';
import { measureFairness } from './measure/fairness.ts';
import { measureIdentity } from './measure/identity.ts';
import { measureLists } from './measure/lists.ts';
import { measureMachineTokens } from './measure/machine-tokens.ts';
import { measureMcp } from './measure/mcp.ts';
import { measureMcpCalls } from './measure/mcp-calls.ts';
import { measureMe } from './measure/me.ts';
import { measureMemory } from './measure/memory.ts';
import { measurePeers } from './measure/peers.ts';
import { measureProcess } from './measure/process.ts';
import { measureRefresh } from './measure/refresh.ts';
import { measureReports } from './measure/reports.ts';
import { measureScale } from './measure/scale.ts';
import { measureSignIn } from './measure/sign-in.ts';
import { type Options, readOptions, type Section, usage } from './options.ts';
import { printTargets, type Target } from './report.ts';
import { type Scene, withScene } from './scene.ts';

const measures: Readonly<Record<Section, (scene: Scene) => Promise<readonly Target[]>>> = {
  me: measureMe,
  identity: measureIdentity,
  'machine-tokens': measureMachineTokens,
  peers: measurePeers,
  mcp: measureMcp,
  'mcp-calls': measureMcpCalls,
  refresh: measureRefresh,
  'sign-in': measureSignIn,
  factors: measureFactors,
  fairness: measureFairness,
  process: measureProcess,
  memory: measureMemory,
  scale: measureScale,
  lists: measureLists,
  reports: measureReports,
};

const measureAll = async (options: Options): Promise<boolean> =>
  withScene(options, async (scene) => {
    const { rounds, seconds, users } = options;
    console.log(
      `Node ${process.versions.node}, PostgreSQL ${scene.stage.serverVersion}, ${availableParallelism()} cores; ` +
        `${users} users; ${rounds} rounds of ${seconds} s; CPU in milliseconds a request`,
    );
    const targets: Target[] = [];
    for (const section of options.only) targets.push(...(await measures[section](scene)));
    const isMissed = printTargets(targets);
    const { disturbed } = scene.timeLimit;
    if (disturbed > 0) console.log(`  Others took more than their share of the machine in ${disturbed} measurements`);
    return isMissed;
  });

const options = readOptions(process.argv.slice(2), process.env);
if (options === null) console.log(usage);
else if ((await measureAll(options)) && options.isStrict) process.exitCode = 1;
