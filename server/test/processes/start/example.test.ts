/** The example as its users run it: a program that imports the package, and the page that describes it. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { until } from '../../support/checks/concurrency.ts';
import { bearer, goodPassword, operations, post, tokensOf } from '../../support/clients/clients.ts';
import { createTestDatabase } from '../../support/database/databases.ts';
import { environmentFor, inDirectory, startProgram } from '../../support/gatehouse/gatehouse-process.ts';
import { freePort } from '../../support/servers/listen.ts';

const repository = fileURLToPath(new URL('../../../..', import.meta.url));
const example = join(repository, 'examples/added-routes');

describe('The example', () => {
  // Contract: requests#paths-of-added-routes — The example
  it('serves the portal, GraphQL and its own routes at one address, and shuts down in order', async () => {
    const stored = await createTestDatabase();
    const url = `http://127.0.0.1:${await freePort()}`;
    const root = { email: 'root@example.com', password: goodPassword };
    const program = startProgram(join(example, 'start.ts'), [], {
      ...environmentFor(stored),
      PORT: new URL(url).port,
      BASE_URL: url,
      SUPER_ADMIN_EMAIL: root.email,
      SUPER_ADMIN_PASSWORD: root.password,
    });
    await program.printed(/"event":"service\.started"/);
    const page = await fetch(`${url}/signin`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const none = await fetch(`${url}/api/none`);
    expect([none.status, none.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
    const tokens = tokensOf(await post(url, operations.signIn, { input: root }));
    for (const path of ['/api/notes', '/classic/notes']) {
      expect((await fetch(`${url}${path}`)).status).toBe(401);
      const read = await fetch(`${url}${path}`, { headers: bearer(tokens) });
      expect([read.status, await read.json()]).toMatchObject([200, { notes: [] }]);
    }
    program.signal('SIGTERM');
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
    await stored.drop();
  });

  it('handles a signal while it starts, and shuts down in order afterwards', async () => {
    await inDirectory(async (dataDirectory) => {
      const program = startProgram(join(example, 'start.ts'), [], {
        ...environmentFor({ dataDirectory }),
        PORT: String(await freePort()),
      });
      await until('it makes files', async () => existsSync(join(dataDirectory, 'database.unfinished', 'base')));
      program.signal('SIGTERM');
      const { code, stdout, stderr } = await program.ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('"event":"service.started"');
    });
    // It creates a database, at the speed of a busy disk.
  }, 120_000);

  it.each(['start.ts', 'notes-on-fastify.ts', 'notes-on-express.ts', 'guests-elsewhere.mjs'])(
    'is on its page as in %s',
    async (file) => {
      const page = await readFile(join(repository, 'docs/added-routes.md'), 'utf8');
      expect(page).toContain(`\n${await readFile(join(example, file), 'utf8')}\`\`\`\n`);
    },
  );
});

describe('The package', () => {
  it('can be imported by an external program that links it, and exports only its declared names', async () => {
    await inDirectory(async (directory) => {
      await mkdir(join(directory, 'node_modules'));
      await symlink(join(repository, 'server'), join(directory, 'node_modules/gatehouse'), 'dir');
      const path = join(directory, 'program.mjs');
      const lines = [
        "import * as gatehouse from 'gatehouse';",
        'console.log(Object.entries(gatehouse).map(([name, value]) => name + ":" + typeof value).join());',
        "const deep = await import('gatehouse/src/app.ts').then(() => 'open', (error) => error.code);",
        'console.log(deep);',
      ];
      await writeFile(path, lines.join('\n'));
      const { code, output } = await startProgram(path, [], {}, { cwd: directory }).ended;
      expect({ code, output }).toEqual({
        code: 0,
        output:
          'ToolError:function,defineApplication:function,defineTool:function,isRefusal:function,startGatehouse:function\nERR_PACKAGE_PATH_NOT_EXPORTED\n',
      });
    });
  });

  it('returns the problems of the variables to the program that starts it, and does not end it', async () => {
    await inDirectory(async (directory) => {
      await mkdir(join(directory, 'node_modules'));
      await symlink(join(repository, 'server'), join(directory, 'node_modules/gatehouse'), 'dir');
      const path = join(directory, 'program.mjs');
      const lines = [
        "import { startGatehouse } from 'gatehouse';",
        'await startGatehouse().catch((error) => console.log(error.message));',
        "console.log('and continues');",
      ];
      await writeFile(path, lines.join('\n'));
      const environment = { PORT: 'none', DATA_DIR: directory };
      const { code, stdout } = await startProgram(path, [], environment, { cwd: directory }).ended;
      expect(code).toBe(0);
      expect(stdout).toMatch(/PORT[\s\S]*\nand continues\n$/);
    });
  });
});
