/**
 * docs/afternoon.md as a reader follows it: its files are written and its commands run in the order of the page, beside
 * a checkout, and a browser does what the page describes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser/chromium.ts';
import { freePort } from '../support/servers/listen.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

type Block =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'command'; readonly text: string };

/** The files and commands of the page, in its order. */
const blocksOf = (page: string): readonly Block[] =>
  Array.from(page.matchAll(/(?:\*\*`([^`]+)`\*\*\n\n)?```(\w+)\n([\s\S]*?)```/g), ([, name, language, text = '']) => {
    if (name !== undefined) return { kind: 'file', name, text };
    if (language !== 'sh') throw new Error(`A block of ${language} has no name of a file`);
    return { kind: 'command', text };
  });

/** Commands that keep running, each in a terminal of its own. */
const isServer = ({ text }: Block): boolean => /gatehouse serve|node server\.ts|npx vite/.test(text);

const terminalVariables =
  /^(PATH|HOME|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|(HTTPS?|NO)_PROXY|npm_config_(registry|cafile))$/i;

/** As in a new terminal: the runner's own variables, such as BASE_URL, would be settings of the service. */
const terminalEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => terminalVariables.test(name)));

class Terminal {
  output = '';
  readonly #child: ChildProcess;

  constructor(command: string, cwd: string, environment: Readonly<Record<string, string>>) {
    const npm = { npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };
    // A group of its own, so that its end is that of all its processes.
    this.#child = spawn('bash', ['-c', command], {
      cwd,
      env: { ...terminalEnvironment(), ...npm, NO_COLOR: '1', ...environment },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    }
  }

  async ended(): Promise<string> {
    if (this.#child.exitCode === null) await once(this.#child, 'close');
    if (this.#child.exitCode !== 0) throw new Error(`It ended with ${this.#child.exitCode}: ${this.output}`);
    return this.output;
  }

  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.output);
      if (found !== null) return found;
      if (this.#child.exitCode !== null) throw new Error(`It ended: ${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  kill(): void {
    const { pid } = this.#child;
    if (pid !== undefined && this.#child.exitCode === null) process.kill(-pid, 'SIGKILL');
  }
}

describe.skipIf(chromiumPath === null)('An application in an afternoon', () => {
  const terminals: Terminal[] = [];
  let root: string;
  let directory: string;
  let blocks: readonly Block[];
  let environment: Readonly<Record<string, string>>;
  let web: string;
  let gatehouse: string;
  let browser: Browser;
  let mary: Page;

  const open = (command: string, cwd = directory): Terminal => {
    const terminal = new Terminal(command, cwd, environment);
    terminals.push(terminal);
    return terminal;
  };

  const server = (name: string): Terminal => open(blocks.find(({ text }) => text.includes(name))?.text ?? '');

  const newPage = async (): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(60_000);
    return page;
  };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'gatehouse-afternoon-'));
    directory = join(root, 'acme-notes');
    await symlink(repository, join(root, 'gatehouse'));
    blocks = blocksOf(await readFile(join(repository, 'docs/afternoon.md'), 'utf8'));
    const [port, apiPort] = [String(await freePort()), String(await freePort())];
    gatehouse = `http://localhost:${port}`;
    const api = `http://localhost:${apiPort}`;
    const addresses = { GATEHOUSE_URL: gatehouse, VITE_GATEHOUSE_URL: gatehouse, VITE_API_URL: api };
    // The page's ports may be taken on this machine.
    environment = { PORT: port, API_PORT: apiPort, ...addresses };
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  });

  afterAll(async () => {
    for (const terminal of terminals) terminal.kill();
    await browser.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  });

  it('is installed and checked by its commands', async () => {
    const [installing] = blocks;
    await open(installing?.text ?? '', root).ended();
    await mkdir(directory, { recursive: true });
    for (const block of blocks) if (block.kind === 'file') await writeFile(join(directory, block.name), block.text);
    const checked = await open(blocks.find(({ text }) => text.includes('check-application'))?.text ?? '').ended();
    expect(checked).toContain('notes:export');
    expect(checked).toMatch(/EDITOR|Editor/);
  }, 600_000);

  it('serves Gatehouse, the API and the front end in three terminals', async () => {
    const vite = server('npx vite');
    web = (await vite.printed(/http:\/\/localhost:\d+/))[0];
    environment = { ...environment, WEB_URL: web };
    const serving = server('gatehouse serve');
    await serving.printed(/"event":"service\.started"/);
    expect(serving.output).toMatch(/mary@harbor\.example.*Demo\.gate1/);
    await server('node server.ts').printed(/The API listens/);
  }, 300_000);

  it('leads a person through the portal and back, and lets an owner write', async () => {
    mary = await newPage();
    await mary.goto(web);
    await mary.getByRole('link', { name: 'Sign in' }).click();
    await mary.getByLabel('E-mail address').fill('mary@harbor.example');
    await mary.getByLabel('Password', { exact: true }).fill('Demo.gate1');
    await mary.getByRole('button', { name: 'Sign in', exact: true }).click();
    await mary.getByText('Mary Lindqvist at Harbor Press').waitFor();
    expect(new URL(mary.url()).origin).toBe(web);
    await mary.getByLabel('Note').fill('Buy milk');
    await mary.getByRole('button', { name: 'Write' }).click();
    await mary.getByText('Buy milk (Mary Lindqvist)').waitFor();
    expect(await mary.getByRole('link', { name: 'Export' }).count()).toBe(0);
  }, 180_000);

  it('invites a colleague with the role of the definition', async () => {
    await mary.getByRole('link', { name: 'Members' }).click();
    await mary.getByRole('button', { name: 'Invite a member' }).click();
    await mary.getByLabel('E-mail address').fill('mia@harbor.example');
    await mary.getByRole('radio', { name: /Editor/ }).check();
    await mary.getByRole('button', { name: 'Send invitation' }).click();
    await mary.getByText('mia@harbor.example').first().waitFor();
    const mia = await newPage();
    await mia.goto(`${gatehouse}/dev/mailbox`);
    const mail = mia.locator('iframe').first().contentFrame();
    await mia.goto((await mail.locator('a[href*="/invitation/"]').first().getAttribute('href')) ?? '');
    await mia.getByLabel('Name').fill('Mia Holm');
    await mia.getByLabel('Password', { exact: true }).fill('Mias.gate1');
    await mia.getByRole('button', { name: 'Create account and join' }).click();
    await mia.waitForURL(`${gatehouse}/`);
    await mia.goto(web);
    await mia.getByText('Buy milk (Mary Lindqvist)').waitFor();
    await mia.getByLabel('Note').fill('And bread');
    await mia.getByRole('button', { name: 'Write' }).click();
    await mia.getByText('And bread (Mia Holm)').waitFor();
    await mia.getByRole('link', { name: 'Members' }).click();
    await mia.getByText('mary@harbor.example').first().waitFor();
  }, 180_000);

  it('sells a plan, whose scope the page then shows', async () => {
    await mary.goto(web);
    await mary.getByRole('link', { name: 'Plan' }).click();
    await mary.getByRole('button', { name: /Team/ }).click();
    await mary.getByRole('button', { name: 'Pay' }).click();
    await mary.waitForURL(/\/plan/);
    await mary.goto(web);
    await mary.getByRole('link', { name: 'Export' }).waitFor();
  }, 180_000);

  it('is tested by its own test', async () => {
    expect(await open(blocks.find(({ text }) => text === 'node --test\n')?.text ?? '').ended()).toMatch(/pass 2\n/);
  }, 300_000);

  it('has no command that this test does not run', () => {
    const commands = blocks.filter(({ kind }) => kind === 'command');
    expect(commands.filter(isServer)).toHaveLength(3);
    expect(commands).toHaveLength(6);
  });
});
