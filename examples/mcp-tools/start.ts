/** Gatehouse in this process, with three MCP tools for the people of an organization. */
import { once } from 'node:events';
import { startGatehouse } from 'gatehouse';
import application from './application.ts';
import { tools } from './tools.ts';

// Before the start, which takes a moment: the kernel keeps a signal from a container's first process that does not
// listen.
const toldToEnd = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);

const gatehouse = await startGatehouse({ application, tools });

// What is in flight is answered first; then nothing holds the process any more.
await toldToEnd;
await gatehouse.close();
