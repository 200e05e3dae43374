/** The published MCP conformance suite. docs/mcp-conformance.md lists the parts that do not apply here. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { registerClient } from '../support/clients/authorization.ts';
import { startProxy } from '../support/clients/http-proxy.ts';
import { connect } from '../support/clients/oauth.ts';
import { connectToOrganization, organizationPath } from '../support/clients/organization-mcp.ts';
import { newDirectory } from '../support/database/databases.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { freePort } from '../support/servers/listen.ts';
import { newPerson } from './approving-user.ts';
import { programs, start } from './commands.ts';

const proxy = fixture(startProxy);
const service = serviceFixture(() => ({ BASE_URL: proxy.url, FRONTEND_URL: proxy.url }));
beforeAll(async () => {
  passWith(null);
});

/** The suite has no OAuth towards a server under test: a proxy adds a token to requests without one. */
const passWith = (accessToken: string | null): void =>
  proxy.pass(`http://127.0.0.1:${service.config.port}`, {
    request: (headers) => {
      if (accessToken !== null) headers.authorization ??= `Bearer ${accessToken}`;
    },
  });

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
}

const checksIn = async (directory: string): Promise<ReadonlyMap<string, readonly Check[]>> => {
  const entries = (await readdir(directory)).map(async (entry): Promise<[string, readonly Check[]]> => {
    const scenario = entry.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, '');
    return [scenario, JSON.parse(await readFile(join(directory, entry, 'checks.json'), 'utf8')) as readonly Check[]];
  });
  return new Map(await Promise.all(entries));
};

/** Both endpoints, with a client of each. */
const surfaces = [
  { path: '/mcp', connected: () => connect(service) },
  { path: organizationPath, connected: () => connectToOrganization(service) },
] as const;
type Surface = (typeof surfaces)[number];

const runServerSuite = async (
  { path, connected }: Surface,
  version: string,
): Promise<ReadonlyMap<string, readonly Check[]>> => {
  passWith((await connected()).tokens.accessToken);
  const home = await newDirectory();
  const results = join(home, 'results');
  const args = ['server', '--url', `${service.url}${path}`, '--suite', 'all', '--spec-version', version, '-o', results];
  await start(programs.conformance, args, home).ended;
  return checksIn(results);
};

/** Methods that a server with only tools lacks, and tools of the suite's own reference server. */
const doesNotApply =
  /^(completion-complete|logging-set-level|prompts-.*|resources-.*|tools-call-.*|elicitation-.*|json-schema-2020-12|http-custom-header-server-validation|input-required-result-.*)$/;

/** Checks within applicable scenarios, for the same two reasons. */
const checksThatDoNotApply: ReadonlySet<string> = new Set([
  'server-stateless:sep-2575-server-rejects-undeclared-capability',
  'server-stateless:sep-2575-missing-capability-http-400',
  'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
  'server-stateless:sep-2575-server-no-log-without-loglevel',
  'caching:sep-2549-prompts-list-caching-hints',
  'caching:sep-2549-resources-list-caching-hints',
  'caching:sep-2549-resources-templates-list-caching-hints',
]);

const schemaCheck = 'wire-schema-valid';

const failuresIn = (found: ReadonlyMap<string, readonly Check[]>): string[] =>
  [...found].flatMap(([scenario, checks]) =>
    checks
      .filter(({ status }) => status === 'FAILURE')
      .filter(({ id }) => id === schemaCheck || !doesNotApply.test(scenario))
      .map(({ id }) => `${scenario}:${id}`)
      .filter((name) => !checksThatDoNotApply.has(name)),
  );

/** Scenarios of which at least one check beyond the schema succeeded. */
const passedIn = (found: ReadonlyMap<string, readonly Check[]>): string[] =>
  [...found]
    .filter(([, checks]) => checks.some(({ id, status }) => status === 'SUCCESS' && id !== schemaCheck))
    .map(([scenario]) => scenario);

const applicable = [
  { version: '2025-06-18', passes: ['server-initialize', 'ping', 'tools-list'] },
  { version: '2025-11-25', passes: ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'] },
  {
    version: '2026-07-28',
    passes: ['server-stateless', 'tools-list', 'caching', 'http-header-validation', 'dns-rebinding-protection'],
  },
];

// Contract: platform-mcp#tested-clients — The conformance suite for 2025-06-18, 2025-11-25 and 2026-07-28, for a server
//   with tools
it.each(surfaces.flatMap((surface) => applicable.map((expected) => ({ ...surface, ...expected }))))(
  'The conformance suite passes what applies of $version at $path, with valid messages',
  async ({ version, passes, ...surface }) => {
    const found = await runServerSuite(surface, version);
    expect(failuresIn(found)).toEqual([]);
    expect(passedIn(found)).toEqual(expect.arrayContaining(passes));
  },
);

// Contract: platform-mcp#tested-clients — RFC 8414 and the authorization code grant, by the conformance suite
it.each(surfaces)('The conformance suite passes against the authorization server for $path', async ({ path }) => {
  passWith(null);
  const person = await newPerson(service);
  const port = String(await freePort());
  const client = await registerClient(service, 'Conformance', [`http://127.0.0.1:${port}/callback`]);
  const what = ['--url', service.url, '--client-id', client, '--resource', `${service.url}${path}`, '--port', port];
  const program = start(programs.conformance, ['authorization', ...what], await newDirectory());
  await person.allowAndReturn(await program.said(/http\S+\/auth\/mcp\/authorize\S+(?=\s)/));
  expect(await program.ended, program.output()).toBe(0);
  expect(program.output()).toContain('authorization-server-metadata-endpoint: 2 passed, 0 failed');
  expect(program.output()).toContain('authorization-code-grant: 1 passed, 0 failed');
});
