/** The packages for adopters, packed and installed outside the checkout. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fixture } from '../support/fixture.ts';
import { runIn } from './installed-package.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

const succeed = async (cwd: string, program: string, ...args: readonly string[]): Promise<string> => {
  const { code, stdout, stderr } = await runIn(cwd, program, args);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
};

/** Packs workspaces as `npm run release` does, and installs them in a new directory, without their peers. */
const install = async (...names: readonly string[]) => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-package-'));
  const workspaces = names.flatMap((name) => ['--workspace', `packages/${name}`]);
  await succeed(repository, 'npm', 'pack', ...workspaces, '--pack-destination', directory);
  const tarballs = await readdir(directory);
  await writeFile(join(directory, 'package.json'), '{ "name": "adopter", "private": true, "type": "module" }\n');
  const quietly = ['--offline', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  await succeed(directory, 'npm', 'install', ...quietly, ...tarballs.map((tarball) => `./${tarball}`));
  return { directory, tarball: tarballs[0] ?? '', close: () => rm(directory, { recursive: true, force: true }) };
};

const strictly = [
  '--ignoreConfig',
  '--noEmit',
  '--strict',
  '--module',
  'nodenext',
  '--lib',
  'es2023,dom',
  '--types',
  '',
];

describe('@gatehouse/node', () => {
  const installed = fixture(() => install('node'));

  // Contract: operation#packages-for-adopters — npm run release makes a tarball of @gatehouse/node, which needs nothing
  //   else
  it('is a tarball without sources and dependencies, which a program imports', async () => {
    const modules = join(installed.directory, 'node_modules');
    expect(installed.tarball).toMatch(/^gatehouse-node-\d+\.\d+\.\d+\.tgz$/);
    expect((await readdir(modules)).filter((name) => !name.startsWith('.'))).toEqual(['@gatehouse']);
    const files = await readdir(join(modules, '@gatehouse/node'));
    expect(files.toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const program = `import { createIdentity, isRefusal } from '@gatehouse/node';
      const identity = createIdentity({ baseUrl: 'http://127.0.0.1:1' });
      await identity.resolveActor(new Request('http://127.0.0.1/')).catch((error) => console.log(isRefusal(error), error.code));`;
    await writeFile(join(installed.directory, 'program.mjs'), program);
    expect(await succeed(installed.directory, process.execPath, 'program.mjs')).toBe('true UNAVAILABLE\n');
  });

  it('has types that a strict compiler accepts without the types of Node', async () => {
    const program = `import { createIdentity, type Actor } from '@gatehouse/node';
      export const actor: Promise<Actor> = createIdentity({ baseUrl: 'https://id.example.com' }).resolveActor(new Request('https://a.example/'));
      export const mistake: number = createIdentity({ baseUrl: 'https://id.example.com' }).signInRedirect;\n`;
    await writeFile(join(installed.directory, 'typed.mts'), program);
    const { stdout } = await runIn(installed.directory, join(repository, 'node_modules/.bin/tsc'), [
      ...strictly,
      'typed.mts',
    ]);
    // The one mistake, which the compiler could not name without the types.
    expect(stdout.trim().split('\n')).toEqual([expect.stringContaining("'(request: IncomingRequest) => string'")]);
  });

  it('has its version and its page', async () => {
    const manifest = await readFile(join(installed.directory, 'node_modules/@gatehouse/node/package.json'), 'utf8');
    const { version } = JSON.parse(await readFile(join(repository, 'server/package.json'), 'utf8')) as {
      version: string;
    };
    expect(JSON.parse(manifest)).toMatchObject({ name: '@gatehouse/node', version });
  });
});

describe('@gatehouse/react', () => {
  const installed = fixture(() => install('client', 'react'));
  const modules = () => join(installed.directory, 'node_modules');

  const lend = async (...names: readonly string[]): Promise<void> => {
    await mkdir(join(modules(), '@types'), { recursive: true });
    for (const name of names) await symlink(join(repository, 'node_modules', name), join(modules(), name));
  };

  // Contract: operation#packages-for-adopters — npm run release makes a tarball of @gatehouse/react, for React and the
  //   client
  it('is a tarball that a server renders with, marked for client components', async () => {
    const files = await readdir(join(modules(), '@gatehouse/react'));
    expect(files.toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const script = await readFile(join(modules(), '@gatehouse/react/dist/index.js'), 'utf8');
    expect(script.replace(/^\/\*[\s\S]+?\*\/\s*/, '')).toMatch(/^'use client';\n/);
    await lend('react', 'react-dom', 'scheduler', '@types/react', 'csstype');
    const program = `import { createClient } from '@gatehouse/client';
      import { GatehouseProvider, SignedIn } from '@gatehouse/react';
      import { createElement } from 'react';
      import { renderToString } from 'react-dom/server';
      const client = createClient({ baseUrl: 'http://127.0.0.1:1' });
      const page = createElement(SignedIn, { fallback: 'waiting' }, 'in');
      console.log(renderToString(createElement(GatehouseProvider, { client }, page)));`;
    await writeFile(join(installed.directory, 'program.mjs'), program);
    expect(await succeed(installed.directory, process.execPath, 'program.mjs')).toBe('waiting\n');
  });

  it('has types that a strict compiler accepts', async () => {
    const program = `import { useUser } from '@gatehouse/react';
      export const Name = () => useUser()?.name ?? null;
      export const Mistake = () => useUser()?.surname ?? null;\n`;
    await writeFile(join(installed.directory, 'typed.mts'), program);
    const compiler = join(repository, 'node_modules/.bin/tsc');
    const { stdout } = await runIn(installed.directory, compiler, [...strictly, 'typed.mts']);
    expect(stdout.trim().split('\n')).toEqual([expect.stringContaining("'surname' does not exist on type 'User'")]);
  });
});
