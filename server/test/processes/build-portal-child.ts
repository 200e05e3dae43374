/**
 * A process of its own that needs the portal: `node build-portal-child.ts <directory> <pause in ms>`. Prints `builds` when
 * it is the one that builds, and `has` with who built what is there in the end. Like npm's, the build is a process of its
 * own, which goes on when this one is killed. A pause below 0 is a build that fails half way.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from '../../src/cli/build-portal.ts';

const [directory = '', pause = '0'] = process.argv.slice(2);

const build = `
const { mkdirSync, writeFileSync } = require('node:fs');
const [into, builder, pause] = process.argv.slice(1);
const write = (name) => { mkdirSync(into, { recursive: true }); writeFileSync(into + '/' + name, builder); };
write('index.html');
if (Number(pause) < 0) process.exit(1);
setTimeout(() => write('last.js'), Number(pause));
`;

await buildOnce(directory, async (into) => {
  const builder = spawn(process.execPath, ['-e', build, into, String(process.pid), pause], { stdio: 'ignore' });
  await once(builder, 'spawn');
  process.stdout.write('builds\n');
  await once(builder, 'exit');
  if (builder.exitCode !== 0) throw new Error('The build failed');
});
const [page, last] = ['index.html', 'last.js'].map((name) => readFileSync(join(directory, name), 'utf8'));
process.stdout.write(`has ${page} ${last}\n`);
