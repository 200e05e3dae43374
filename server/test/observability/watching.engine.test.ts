/** The monitoring files in deploy/ against the metrics of a service: a missing metric would never raise an alert. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parser } from '@prometheus-io/lezer-promql';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { cleanupJobsFor } from '../../src/domain/cleanup/jobs.ts';
import { runAllJobs } from '../../src/platform/jobs/job-schedule.ts';
import { runAs } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { operations, post, registerByMail, signIn, tokensOf } from '../support/clients/clients.ts';
import { callTool, newMcpClient } from '../support/clients/mcp.ts';
import { connect, refreshAs } from '../support/clients/oauth.ts';
import { embedded, redisUrl } from '../support/database/engines.ts';
import { type Service, serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { type Scrape, scrape } from '../support/gatehouse/metrics.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const cleanupJobs = cleanupJobsFor(30);

const textOf = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const { groups } = parse(textOf('deploy/prometheus/alerts.yml')) as {
  readonly groups: readonly { readonly rules: readonly Alert[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules);

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly description?: string;
  readonly gridPos: Readonly<Record<'h' | 'w' | 'x' | 'y', number>>;
  readonly targets?: readonly { readonly expr: string }[];
}

const dashboard = JSON.parse(textOf('deploy/grafana/gatehouse.json')) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly definition?: string }[] };
};

/** The query as Grafana sends it, with the values of its variables. */
const filledIn = (query: string): string =>
  query.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*').replaceAll('$job', 'gatehouse');

const queries: readonly (readonly [where: string, query: string])[] = [
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, filledIn(expr)] as const)),
];

/** The selectors of a query, and whether it is valid PromQL. */
const readQuery = (query: string): { readonly names: readonly string[]; readonly isWellFormed: boolean } => {
  const names: string[] = [];
  let isWellFormed = true;
  parser.parse(query).iterate({
    enter: ({ type, node, from, to }) => {
      if (type.isError) isWellFormed = false;
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector') names.push(query.slice(from, to));
    },
  });
  return { names, isWellFormed };
};

/** Reported by Prometheus itself, for each scrape. */
const own = ['up'];
const withPostgres = [
  'gatehouse_database_pool_',
  'gatehouse_database_heartbeat_',
  'gatehouse_database_commits_',
  'gatehouse_database_server_',
];
const withRedis = ['gatehouse_redis_'];
const withWorkers = ['gatehouse_worker'];
const absent = [...withWorkers, ...(embedded ? withPostgres : []), ...(redisUrl === undefined ? withRedis : [])];

const isReported = (reported: Scrape, name: string): boolean =>
  own.includes(name) || absent.some((prefix) => name.startsWith(prefix)) || reported.has(name);

/** A user does everything once that has its own metric. */
const exercise = async (service: Service): Promise<void> => {
  const tokens = await signIn(service, await registerByMail(service));
  const refreshed = tokensOf(await post(service.url, operations.refresh, { ...tokens }));
  await runAs(service, { tokens: refreshed }, operations.signOut);
  const input = { email: 'nobody@example.org', password: 'Wrong.horse7' };
  for (const _attempt of range(12)) await post(service.url, operations.signIn, { input });
  await callTool(service, await newMcpClient(service), 'mcp_whoami');
  await refreshAs(service, await connect(service));
  await runAllJobs({ database: service.database, logger: silentLogger, jobs: cleanupJobs });
};

let reported: Scrape;
// With its own secret, no other test's permits are counted.
const service = serviceFixture({
  RATE_LIMITS_ENABLED: 'true',
  GATEHOUSE_SECRET: `${crypto.randomUUID()} ${crypto.randomUUID()}`,
  ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
});
beforeAll(async () => {
  await exercise(service);
  reported = await scrape(service);
});

describe('deploy/prometheus/alerts.yml and deploy/grafana/gatehouse.json', () => {
  // Contract: incidents#dashboard-and-alerts — Dashboard and alert rules query existing metrics
  it('query only metrics that the service exports, in valid PromQL', () => {
    for (const [where, query] of queries) {
      const { names, isWellFormed } = readQuery(query);
      const asked = { where, query, isWellFormed, suppressed: names.filter((name) => !isReported(reported, name)) };
      expect(asked).toEqual({ where, query, isWellFormed: true, suppressed: [] });
    }
    expect(queries.length).toBeGreaterThan(40);
  });

  it('filter by labels that the series have', () => {
    for (const [where, query] of queries) {
      for (const [, name = '', matchers = ''] of query.matchAll(/\b([a-z_]+)\{([^}]*)\}/g)) {
        const known = new Set(
          reported.samples.filter((sample) => sample.name === name).flatMap(({ labels }) => Object.keys(labels)),
        );
        const asked = Array.from(matchers.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g), ([, label = '']) => label);
        const unknown = asked.filter((label) => !['job', 'instance'].includes(label) && !known.has(label));
        expect({ where, name, unknown: reported.has(name) ? unknown : [] }).toEqual({ where, name, unknown: [] });
      }
    }
  });
});

// Contract: incidents#dashboard-and-alerts — Each alert has a runbook
it('deploy/prometheus/alerts.yml has for each alert a severity, a sentence, and its section in docs/watching.md', () => {
  const page = textOf('docs/watching.md');
  const sections = Array.from(page.matchAll(/^### (Gatehouse\w+)$/gm), ([, name]) => name);
  expect(sections).toEqual(alerts.map(({ alert }) => alert));
  for (const { alert, labels, annotations } of alerts) {
    expect(['critical', 'warning', 'info'], alert).toContain(labels.severity);
    expect(annotations.summary, alert).toMatch(/\.$/);
    expect(annotations.runbook).toBe(`docs/watching.md#${alert.toLowerCase()}`);
  }
});

it('GatehouseMemory fires before Kubernetes kills the process, and docs/watching.md says when that is', () => {
  const mebibytes = (text: string, shape: RegExp): number => Number(shape.exec(text)?.[1]);
  const limit = mebibytes(textOf('deploy/kubernetes/deployment.yaml'), /limits: \{ memory: (\d+)Mi \}/);
  const { expr = '' } = alerts.find(({ alert }) => alert === 'GatehouseMemory') ?? {};
  const heard = mebibytes(expr, /> (\d+) \* 1024 \* 1024$/);
  expect(heard).toBeGreaterThan(limit / 2);
  expect(heard).toBeLessThan(0.9 * limit);
  const [, section = ''] = textOf('docs/watching.md').split('### GatehouseMemory\n');
  expect(section).toMatch(new RegExp(`^\\s+A process holds over ${heard} MiB;[^#]* at ${limit} MiB`));
});

it('deploy/grafana/gatehouse.json has panels that do not overlap, each with a number, a title, a description and a query', () => {
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const shown = panels.filter(({ type }) => type !== 'row');
  const isWhole = ({ description = '', targets = [] }: Panel): boolean =>
    description.endsWith('.') && targets.length > 0;
  expect(shown.filter((panel) => !isWhole(panel)).map(({ title }) => title)).toEqual([]);
  expect(shown.length).toBeGreaterThan(30);
  const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
    range(h).flatMap((down) => range(w).map((right) => `${x + right} ${y + down}`)),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(panels.every(({ gridPos: { w, x } }) => x + w <= 24)).toBe(true);
});

it('docs/operations.md names every metric that a service exports, and no other', () => {
  const [, section = ''] = textOf('docs/operations.md').split('\n## Metrics\n');
  const [table = ''] = section.split('\n## ');
  const named = Array.from(table.matchAll(/^\| (`[^|]+`) \|/gm), ([, cell = '']) => cell).flatMap((cell) =>
    Array.from(cell.matchAll(/`([a-z_]+)(?:\{[a-z_,]*\})?`/g), ([, name = '']) => name),
  );
  const families = Array.from(reported.text.matchAll(/^# TYPE ([a-z_]+) /gm), ([, name = '']) => name);
  expect(named.length).toBeGreaterThan(20);
  expect(families.filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name) => !families.includes(name) && !absent.some((prefix) => name.startsWith(prefix)))).toEqual(
    [],
  );
});
