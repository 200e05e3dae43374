/** `serve --workers COUNT` with a supervisor that kills an unresponsive worker within seconds. */
import cluster from 'node:cluster';
import { listenForSignals } from '../../../src/cli/signals.ts';
import { supervise } from '../../../src/cli/workers/supervisor.ts';
import { serveAsWorker } from '../../../src/cli/workers/worker.ts';

const count = Number(process.argv[2]);
listenForSignals();
await (cluster.isPrimary ? supervise(count, { everyMillis: 300, maxUnanswered: 6 }) : serveAsWorker(count));
