/** `npm start`: serves the demo application unless APPLICATION_FILE names another one. */
import { fileURLToPath } from 'node:url';

process.env.APPLICATION_FILE ??= fileURLToPath(new URL('../examples/application.ts', import.meta.url));
process.argv.splice(2, 0, 'serve');
await import('../server/entry/gatehouse.mjs');
