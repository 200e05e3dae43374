/** Modules of a process: it loads no library at its start that most processes never use. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations, post } from '../../support/clients/clients.ts';
import { createTestDatabase } from '../../support/database/databases.ts';
import { environmentFor, serve, sourceProgram } from '../../support/gatehouse/gatehouse-process.ts';
import { type Collector, startCollector } from '../../support/servers/collector.ts';

let collector: Collector;
beforeAll(async () => {
  collector = await startCollector();
});
afterAll(() => collector.close());

const hook = fileURLToPath(new URL('../../support/fixtures/tell-loaded.mjs', import.meta.url));

/** What a process loads until it has answered an operation. */
const loadedBy = async (environment: Readonly<Record<string, string>>): Promise<string> => {
  const stored = await createTestDatabase();
  try {
    const variables = { ...environmentFor(stored), NODE_OPTIONS: `--import=${hook}`, ...environment };
    const process = await serve(variables, sourceProgram);
    await post(process.url, operations.me);
    return (await process.stop()).stderr;
  } finally {
    await stored.drop();
  }
};

describe('A service without added routes', () => {
  it('loads no compiler of JSON schemas', async () => {
    expect(await loadedBy({})).not.toMatch(/loaded ajv/);
  });
});

describe('Without a collector', () => {
  // Contract: operation#traces-when-configured — When configured: otherwise nothing of it is loaded
  it('no tracing library is loaded', async () => {
    expect(await loadedBy({})).not.toMatch(/loaded (?:sdk-trace|.*otlp)/);
    expect(await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })).toMatch(/loaded sdk-trace/);
  });
});
