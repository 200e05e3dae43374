/** The published package, from `npm pack` to a person who signs up, outside the checkout. */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { billOfMaterials } from '../../../scripts/bill-of-materials.ts';
import { personAt } from '../real-clients/approving-user.ts';
import { newSdks } from '../real-clients/sdk-clients.ts';
import { goodPassword, operations, post } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { type GatehouseProcess, startProgram } from '../support/gatehouse/gatehouse-process.ts';
import { freePort } from '../support/servers/listen.ts';
import { installPackage, runIn } from './installed-package.ts';

const installed = fixture(installPackage, (installed) => installed.remove());

interface Started extends GatehouseProcess {
  readonly url: string;
  readonly directory: string;
}

/** A program of the user's directory, in an empty directory below it, on a free port. */
const start = async (name: string, program: string, ...args: readonly string[]): Promise<Started> => {
  const directory = join(installed.directory, name);
  await mkdir(directory);
  const port = String(await freePort());
  const environment = { PORT: port, SALT_ROUNDS: '10', LOG_LEVEL: 'info' };
  const started = startProgram(program, args, environment, { cwd: directory });
  onTestFinished(async () => {
    started.signal('SIGKILL');
    await started.ended;
  });
  await started.printed(/"event":"service\.started"/);
  return { ...started, url: `http://localhost:${port}`, directory };
};

describe('The tarball', () => {
  // Contract: operation#contents-of-the-package — npm pack works: the tarball contains the runtime files, and nothing
  //   else
  it('contains the compiled server, the portal, migrations and types, and no source, test or tool', () => {
    const { files } = installed;
    expect(files).toEqual(
      expect.arrayContaining([
        'LICENSE',
        'README.md',
        'dist/main.js',
        'dist/platform/passwords/password-worker.mjs',
        'dist/platform/database/embedded/embedded-worker.js',
        'dist/portal/index.html',
        'dist/portal/licenses.json',
        'migrations/0001-people.sql',
        'schema.graphql',
        ...types,
      ]),
    );
    const folders = /^(?:dist|entry|migrations)\//;
    const alone = ['LICENSE', 'README.md', 'application.schema.json', 'package.json', 'schema.graphql', ...types];
    expect(files.filter((path) => !folders.test(path) && !alone.includes(path))).toEqual([]);
    expect(files.filter((path) => path.endsWith('.ts') && !types.includes(path))).toEqual([]);
  });

  // Contract: operation#contents-of-the-package — Only production dependencies come with it
  it('installs no test tool', async () => {
    const { stdout } = await installed.run('npm', 'ls', '--all', '--parseable');
    expect(stdout).toMatch(/node_modules.fastify$/m);
    expect(stdout).not.toMatch(/node_modules.(?:vitest|oidc-provider|playwright-core|express|typescript|preact)$/m);
  });

  it('names the licenses of the dependencies in the files of the portal', async () => {
    const path = join(installed.directory, 'node_modules/gatehouse/dist/portal/licenses.json');
    const licenses = JSON.parse(await readFile(path, 'utf8')) as { name: string; identifier: string; text: string }[];
    const preact = licenses.find(({ name }) => name === 'preact');
    expect(preact).toMatchObject({ identifier: 'MIT' });
    expect(preact?.text).toContain('Permission is hereby granted');
  });
});

describe('The bill of materials', () => {
  // Contract: operation#bill-of-materials — SBOM
  it('names the locked dependencies of the server and those in the portal’s files, and no tool', async () => {
    const { components } = billOfMaterials();
    const named = components.map(({ name }) => name);
    // As npm sees it in the checkout: an installation of the tarball has later releases of dependencies.
    const held = await lockedByNpm();
    expect(held.length).toBeGreaterThan(80);
    const references = components.map((component) => component['bom-ref']);
    expect(held.filter((reference) => !references.includes(reference))).toEqual([]);
    expect(named).toEqual(expect.arrayContaining(['fastify', 'preact']));
    expect(named.filter((name) => ['vitest', 'typescript', 'vite', 'oidc-provider'].includes(name))).toEqual([]);
  });

  it('has for each component its source, license and dependencies', () => {
    const { metadata, components, dependencies } = billOfMaterials();
    // On npm's registry the name is another project's.
    expect(JSON.stringify(metadata)).toMatch(/"purl":"pkg:generic\/gatehouse@\d/);
    const fastify = components.find(({ name }) => name === 'fastify');
    expect(fastify).toMatchObject({ licenses: [{ license: { id: 'MIT' } }], hashes: [{ alg: 'SHA-512' }] });
    expect(fastify?.purl).toBe(`pkg:npm/fastify@${fastify?.version}`);
    const references = components.map((component) => component['bom-ref']);
    expect(new Set(references).size).toBe(references.length);
    const meant = dependencies.flatMap(({ dependsOn }) => dependsOn);
    expect(meant.filter((reference) => !references.includes(reference))).toEqual([]);
    const itself = dependencies.find(({ ref }) => ref === metadata.component['bom-ref']);
    const preact = components.find(({ name }) => name === 'preact');
    expect(preact).toMatchObject({ licenses: [{ expression: 'MIT' }], hashes: [{ alg: 'SHA-512' }] });
    expect(itself?.dependsOn).toEqual(expect.arrayContaining([fastify?.['bom-ref'], preact?.['bom-ref']]));
  });
});

/** Name and version of the server's runtime dependencies according to npm. */
const lockedByNpm = async (): Promise<string[]> => {
  const list = ['ls', '--workspace', 'server', '--omit=dev', '--all', '--parseable', '--long'];
  const { stdout } = await runIn(repository, 'npm', list);
  // Extraneous to the lock: the development dependency `node` installs its helper package once more, by itself.
  const lines = stdout.split('\n').filter((line) => !line.endsWith(':EXTRANEOUS'));
  const keys = lines.flatMap((line) => /node_modules\/[^:]+:([^:]+@\d[^:]*)/.exec(line)?.[1] ?? []);
  // A package of the tests that a dependency uses for its types if present.
  return keys.filter((key) => !/^(?:gatehouse|@types\/node|undici-types)@/.test(key));
};

describe('npx gatehouse', () => {
  it('--version prints the version of the package', async () => {
    const { version } = JSON.parse(
      await readFile(join(installed.directory, 'node_modules/gatehouse/package.json'), 'utf8'),
    ) as { version: string };
    const ended = await installed.run('npx', '--no', '--', 'gatehouse', '--version');
    expect(ended).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  it('print-schema prints the schema in the package', async () => {
    const { stdout } = await installed.run('npx', '--no', '--', 'gatehouse', 'print-schema');
    const held = await readFile(join(installed.directory, 'node_modules/gatehouse/schema.graphql'), 'utf8');
    expect(stdout.trimEnd()).toBe(held.trimEnd());
  });

  // Contract: operation#contents-of-the-package — npx gatehouse serve runs from the tarball
  it('serve creates a database in its working directory, serves the portal, and lets a person sign up and in', async () => {
    const service = await start('serving', installed.command, 'serve');
    const page = await fetch(`${service.url}/signup`);
    const script = /<script[^>]+src="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    const asset = await fetch(`${service.url}${script}`);
    expect([page.status, asset.status, asset.headers.get('content-type')]).toEqual([
      200,
      200,
      expect.stringContaining('javascript'),
    ]);

    const person = { email: 'robin@example.com', password: goodPassword };
    await post(service.url, operations.signUp, { input: { ...person, name: 'Robin' } });
    await post(service.url, operations.validate, { token: await mailedToken(service.url, person.email) });
    const signedIn = await post(service.url, operations.signIn, { input: person });
    expect(signedIn.data).toMatchObject({ signInWithPassword: { user: { email: person.email } } });

    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(join(service.directory, 'data'))).toContain('database');
  });

  it('prints the required version on an older Node, and exits with 1', async () => {
    const older = `data:text/javascript,${encodeURIComponent(
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.11.0' } });",
    )}`;
    const ended = await installed.run(process.execPath, '--import', older, installed.command, 'serve');
    expect(ended).toEqual({ code: 1, stdout: '', stderr: 'Gatehouse needs Node 24 or newer; this is 22.11.0.\n' });
  });
});

const mailedToken = (url: string, email: string): Promise<string> =>
  vi.waitFor(async () => {
    const mails = (await (await fetch(`${url}/dev/mailbox.json`)).json()) as { to: string; links: string[] }[];
    const link = mails.find(({ to }) => to === email)?.links[0] ?? '';
    const [token] = /[0-9a-f]{64}/.exec(link) ?? [];
    if (token === undefined) throw new Error('No mail has come yet.');
    return token;
  }, 10_000);

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const compiler = join(repository, 'node_modules/.bin/tsc');
const types = ['actor', 'application-definition', 'gatehouse', 'testing-support'].map((name) => `src/${name}.d.ts`);
const strictly = [
  '--ignoreConfig',
  '--noEmit',
  '--strict',
  '--module',
  'nodenext',
  '--types',
  'node',
  '--skipLibCheck',
].concat('--typeRoots', join(repository, 'node_modules/@types'));

describe('import … from gatehouse', () => {
  // Contract: operation#contents-of-the-package — The tarball imported by a program
  it('starts the service in a program, with a route that reads the actor', async () => {
    const program = join(installed.directory, 'program.mjs');
    await writeFile(
      program,
      `import { once } from 'node:events';
       import { isRefusal, startGatehouse } from 'gatehouse';
       const gatehouse = await startGatehouse({
         routes: {
           '/api': (http, identity) => {
             http.get('/who', async (request) => identity.resolveActor(request).catch((error) => ({ refused: isRefusal(error) })));
           },
         },
       });
       await once(process, 'SIGTERM');
       await gatehouse.close();`,
    );
    const service = await start('embedding', program);
    expect(await (await fetch(`${service.url}/api/who`)).json()).toEqual({ refused: true });
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });

  it('has types that a strict compiler accepts', async () => {
    const program = join(installed.directory, 'typed.mts');
    await writeFile(
      program,
      "import { startGatehouse } from 'gatehouse';\nexport const started: number = startGatehouse;\n",
    );
    const { stdout } = await installed.run(compiler, ...strictly, program);
    // The one mistake, which the compiler could not name without the types.
    expect(stdout.trim().split('\n')).toEqual([expect.stringContaining("'(added?: AddedParts")]);
  });
});

describe('examples/mcp-tools beside gatehouse', () => {
  /** With a copy of zod of their own, the oldest that tools may use, where the package has another one. */
  const folder = fixture(async () => {
    const path = join(installed.directory, 'mcp-tools');
    await cp(join(repository, 'examples/mcp-tools'), path, {
      recursive: true,
      filter: (from) => !/node_modules|data$/.test(from),
    });
    await writeFile(join(path, 'package.json'), '{ "private": true, "type": "module" }\n');
    const added = await runIn(path, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', 'zod@4.0.0']);
    if (added.code !== 0) throw new Error(added.stderr);
    return { path };
  });

  const compile = (file: string) => runIn(folder.path, compiler, [...strictly, '--allowImportingTsExtensions', file]);

  it('compiles with types of another copy of zod, which name a mistake in a tool', async () => {
    expect(await compile('start.ts')).toMatchObject({ code: 0, stdout: '' });
    const source = await readFile(join(folder.path, 'tools.ts'), 'utf8');
    const mistaken = source.replace('return { note: added, dryRun };', 'return { note: added, dryRun: text };');
    await writeFile(join(folder.path, 'mistaken.ts'), mistaken);
    const { stdout } = await compile('mistaken.ts');
    expect(stdout).toContain("'string' is not assignable to type 'boolean'");
    expect(
      stdout
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('mistaken.ts')),
    ).toHaveLength(1);
  });

  // Contract: operation#contents-of-the-package — The tarball with tools of an adopter, and another copy of zod
  it('serves its tools to a client that a person of the demo data connects', async () => {
    const service = await start('serving-tools', join(folder.path, 'start.ts'));
    const ada = await personAt(service, 'ada@acme.example', { password: 'Demo.gate1' });
    const [sdk] = newSdks;
    const client = await sdk.connect(`${service.url}/mcp/organization`, ada);
    expect((await client.tools()).slice(-3)).toEqual(['notes_list', 'notes_add', 'notes_delete']);
    expect(await client.call('notes_add', { text: 'Milk', dryRun: true })).toContain('Would add');
    expect(await client.call('notes_list')).toContain('0 notes.');
    await client.call('notes_add', { text: 'Milk' });
    const listed = await client.call('notes_list', { search: 'Mi' });
    expect(listed).toContain('Ada Marlow');
    const [, id = ''] = /"id":"([^"]+)"/.exec(listed) ?? [];
    expect(await client.call('notes_delete', { id })).toContain('Deleted the note “Milk”.');
    expect(await client.call('notes_delete', { id })).toContain('There is no such note.');
    await client.close();
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });
});

describe('@gatehouse/testing beside gatehouse', () => {
  // Contract: operation#contents-of-the-package — The tarball in the tests of a program
  it('starts a world with the portal and the demo provider, in a program outside the checkout', async () => {
    await installed.add('packages/testing');
    const program = join(installed.directory, 'world.mjs');
    await writeFile(
      program,
      `import { createWorld } from '@gatehouse/testing';
       const world = await createWorld({
         application: { roles: { EDITOR: { title: 'Editor', scopes: [] } } },
         cacheDirectory: ${JSON.stringify(join(installed.directory, 'prepared'))},
       });
       const person = await world.person({ role: 'EDITOR' });
       const headers = { 'content-type': 'application/json', authorization: await person.bearer() };
       const body = JSON.stringify({ query: '{ me { currentMembership { role } } }' });
       const me = await fetch(world.url + '/graphql', { method: 'POST', headers, body });
       const page = await fetch(world.frontendUrl + '/signin');
       const begun = await fetch(world.url + '/auth/google', { redirect: 'manual' });
       const provider = await fetch(new URL('/.well-known/openid-configuration', begun.headers.get('location')));
       await world.close();
       console.log(JSON.stringify([await me.json(), page.status, provider.status]));`,
    );
    const ended = await installed.run(process.execPath, program);
    const me = { data: { me: { currentMembership: { role: 'EDITOR' } } } };
    expect(ended).toEqual({ code: 0, stdout: `${JSON.stringify([me, 200, 200])}\n`, stderr: '' });
  });

  it('has types that a strict compiler accepts', async () => {
    const program = join(installed.directory, 'typed-world.mts');
    await writeFile(
      program,
      "import { createWorld } from '@gatehouse/testing';\nexport const made: number = createWorld;\n",
    );
    const { stdout } = await installed.run(compiler, ...strictly, program);
    expect(stdout.trim().split('\n')).toEqual([expect.stringContaining("'(options?: WorldOptions")]);
  });
});
