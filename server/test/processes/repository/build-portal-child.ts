/** A start that needs the portal: `node build-portal-child.ts <directory> <source> <pause in ms, -1 to fail>`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCurrent } from '../../../../scripts/portal/current-build.ts';

const [directory = '', source = '', pause = '0'] = process.argv.slice(2);

/** A process like npm's, which continues when this one is killed. */
const script = `
const { mkdirSync, writeFileSync } = require('node:fs');
const [into, builder, pause] = process.argv.slice(1);
const write = (name) => { mkdirSync(into, { recursive: true }); writeFileSync(into + '/' + name, builder); };
write('index.html');
if (Number(pause) < 0) process.exit(1);
setTimeout(() => write('last.js'), Number(pause));
`;

const build = async (into: string): Promise<void> => {
  const builder = spawn(process.execPath, ['-e', script, into, String(process.pid), pause], { stdio: 'ignore' });
  await once(builder, 'spawn');
  process.stdout.write('builds\n');
  await once(builder, 'exit');
  if (builder.exitCode !== 0) throw new Error('The build failed');
};

await ensureCurrent({ directory, sources: [source], build });
const [page, last] = ['index.html', 'last.js'].map((name) => readFileSync(join(directory, name), 'utf8'));
process.stdout.write(`has ${page} ${last}\n`);
