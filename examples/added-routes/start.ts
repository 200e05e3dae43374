/** Gatehouse in this process, with two sets of added routes: on Fastify at /api, on Express at /classic. */
import { once } from 'node:events';
import { startGatehouse } from 'gatehouse';
import { notesOnExpress } from './notes-on-express.ts';
import { notesOnFastify } from './notes-on-fastify.ts';

// Before the start, which takes a moment: the kernel keeps a signal from a container's first process that does not
// listen.
const toldToEnd = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);

const gatehouse = await startGatehouse({
  routes: { '/api': notesOnFastify },
  listeners: { '/classic': notesOnExpress },
});

// What is in flight is answered first; then nothing holds the process any more.
await toldToEnd;
await gatehouse.close();
