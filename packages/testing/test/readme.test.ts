/** The examples of README.md, as they are written there, in a process of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A directory where `@gatehouse/testing` is installed, from the sources, with what the examples import beside it. */
const installed = async (): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-readme-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const place = join(directory, 'node_modules/@gatehouse/testing');
  await mkdir(place, { recursive: true });
  await writeFile(join(place, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  const source = JSON.stringify(new URL('../src/index.ts', import.meta.url).href);
  await writeFile(join(place, 'index.js'), `export * from ${source};\n`);
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  await symlink(here('../../../server'), join(directory, 'node_modules/gatehouse'));
  await symlink(here('../../../node_modules/zod'), join(directory, 'node_modules/zod'));
  return directory;
};

it('runs the examples of the README', async () => {
  const readme = await readFile(here('../README.md'), 'utf8');
  const examples = Array.from(readme.matchAll(/```ts\n([\s\S]+?)```/g), ([, example = '']) => example);
  expect(examples).toHaveLength(2);
  const directory = await installed();
  for (const [at, example] of examples.entries()) await writeFile(join(directory, `example-${at}.test.ts`), example);
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...environment } = process.env;
  const child = spawn(process.execPath, ['--test', '--test-isolation=none', '--test-reporter=tap'], {
    cwd: directory,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect(output).toContain('# pass 3\n');
  expect(child.exitCode).toBe(0);
});
