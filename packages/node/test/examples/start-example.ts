/** Starts the programs in examples/, each as its README does, in a process of its own. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../../../server/test/support/servers/listen.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

export interface Example {
  /** Of its folder. */
  readonly name: string;
  /** What the machine lacks to run it; null where it can run. */
  readonly missing: string | null;
  /** Prepares a copy of the folder, and says how it is started there. */
  readonly prepare: (directory: string, port: string) => Promise<readonly [program: string, ...args: string[]]>;
}

/** Whether a program is installed and ends well. */
export const runs = (program: string, ...args: readonly string[]): boolean => spawnSync(program, args).status === 0;

/** With what package.json names, and with nothing else of this repository. */
const installDependencies = async (directory: string): Promise<void> => {
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')) as {
    readonly [kind in 'dependencies' | 'devDependencies']: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const place = join(directory, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    if (name.startsWith('@gatehouse/')) await installFromSources(place, name);
    else await symlink(join(repository, 'node_modules', name), place);
  }
};

const installFromSources = async (place: string, name: string): Promise<void> => {
  await mkdir(place);
  await writeFile(join(place, 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  const file = name === '@gatehouse/react' ? 'index.tsx' : 'index.ts';
  const source = join(repository, 'packages', name.replace('@gatehouse/', ''), 'src', file);
  await writeFile(join(place, 'index.js'), `export * from ${JSON.stringify(source)};\n`);
};

const onNode = (name: string): Example => ({
  name,
  missing: null,
  prepare: async (directory) => {
    await installDependencies(directory);
    return [process.execPath, 'server.ts'];
  },
});

/** TEST_PYTHON may name that of a virtual environment. */
const python = process.env['TEST_PYTHON'] ?? 'python3';

const onPython: Example = {
  name: 'python',
  missing: runs(python, '-c', 'import fastapi, uvicorn') ? null : `no ${python} with fastapi and uvicorn`,
  prepare: async () => [python, 'server.py'],
};

const onGo: Example = {
  name: 'go',
  missing: runs('go', 'version') ? null : 'no go',
  prepare: async (directory) => {
    // `go run` would be one more process, which ends without its child.
    await promisify(execFile)('go', ['build', '-o', 'notes', '.'], { cwd: directory });
    return [join(directory, 'notes')];
  },
};

export const notesExamples: readonly Example[] = [onNode('express'), onNode('fastify'), onNode('hono'), onPython, onGo];

export const mcpExample: Example = onNode('mcp-server');

/** A front end on an origin of its own. */
export const viteExample: Example = {
  name: 'react-vite',
  missing: null,
  prepare: async (directory, port) => {
    await installDependencies(directory);
    return [process.execPath, 'node_modules/vite/bin/vite.js', '--port', port];
  },
};

/** A folder where Next.js and what else its package.json names is installed, which this repository does not. */
const nextFolder = process.env['TEST_NEXT'];

/** Next.js takes packages that are compiled, and none outside of the folder. */
const installCompiled = async (directory: string): Promise<void> => {
  for (const name of ['client', 'node', 'react']) {
    const args = ['run', '--silent', 'prepack', '--workspace', `@gatehouse/${name}`];
    await promisify(execFile)('npm', args, { cwd: repository });
    for (const part of ['dist', 'package.json']) {
      const place = join(directory, 'node_modules/@gatehouse', name, part);
      await cp(join(repository, 'packages', name, part), place, { recursive: true });
    }
  }
};

export const nextExample: Example = {
  name: 'next',
  missing: nextFolder === undefined ? 'no Next.js (TEST_NEXT names a folder where it is installed)' : null,
  prepare: async (directory, port) => {
    await promisify(execFile)('cp', ['-rl', join(nextFolder ?? '', 'node_modules'), directory]);
    await installCompiled(directory);
    return [process.execPath, 'node_modules/next/dist/bin/next', 'dev', '--hostname', 'localhost', '--port', port];
  },
};

export interface RunningExample {
  readonly url: string;
  close(): Promise<void>;
}

/** Resolves once the example has printed its address. */
export const startExample = async (
  { name, prepare }: Example,
  settings: Readonly<Record<string, string>>,
): Promise<RunningExample> => {
  const directory = await mkdtemp(join(tmpdir(), `gatehouse-example-${name}-`));
  const removeDirectory = (): Promise<void> => rm(directory, { recursive: true });
  try {
    await cp(join(repository, 'examples', name), directory, {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    });
    const { PORT: port = String(await freePort()) } = settings;
    const [program, ...args] = await prepare(directory, port);
    const url = `http://localhost:${port}`;
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(program, args, {
      cwd: directory,
      env: { PATH, HOME, PORT: port, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: what it has started ends with it.
      detached: true,
    });
    const endWithTests = (): void => killGroup(child);
    process.once('exit', endWithTests);
    await untilPrinted(child, url);
    return {
      url,
      close: async () => {
        await end(child);
        process.off('exit', endWithTests);
        await removeDirectory();
      },
    };
  } catch (error) {
    await removeDirectory();
    throw error;
  }
};

const untilPrinted = (child: ChildProcess, words: string): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (part: string) => {
        output += part;
        if (output.includes(words)) resolve();
      });
    }
    child.on('error', reject);
    child.on('close', (code) => reject(new Error(`It ended with ${code} before it printed ${words}: ${output}`)));
  });

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'close');
  killGroup(child);
  await ended;
};

const killGroup = ({ pid }: ChildProcess): void => {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
};
