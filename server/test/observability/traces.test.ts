/** Spans received by an OpenTelemetry collector: which exist, their parents and names; and no personal data. */
import { fastify } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cleanupJobsFor } from '../../src/domain/cleanup/jobs.ts';
import { requestSpans } from '../../src/http-kit/request-hooks.ts';
import { traceDatabase } from '../../src/platform/database/decorators.ts';
import { runAllJobs } from '../../src/platform/jobs/job-schedule.ts';
import type { Span, SpanAttributes } from '../../src/platform/observability/context.ts';
import { createOtlpTracing } from '../../src/platform/observability/otlp-tracing.ts';
import { runAs } from '../support/actors/tenants.ts';
import { until } from '../support/checks/concurrency.ts';
import { goodPassword, newAddress, operations, post, registerAndSignIn } from '../support/clients/clients.ts';
import { callTool, newMcpClient } from '../support/clients/mcp.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { type Service, serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { type CollectedSpan, startCollector } from '../support/servers/collector.ts';

const cleanupJobs = cleanupJobsFor(30);

const collector = fixture(startCollector);
const service = serviceFixture(() => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }));

/** The spans of the request with this answer, once its own has arrived; that one comes first. */
const spansOf = async (
  { headers }: { readonly headers: Headers },
  from: Pick<Service, 'flush'> = service,
): Promise<CollectedSpan[]> => {
  const id = headers.get('x-correlation-id');
  const own = (): CollectedSpan | undefined =>
    collector.spans.find(({ attributes }) => attributes['correlation.id'] === id);
  await from.flush();
  await until('the span of a request came', async () => own() !== undefined);
  const root = own();
  if (root === undefined) throw new Error('It is gone');
  return [root, ...collector.spans.filter(({ traceId, spanId }) => traceId === root.traceId && spanId !== root.spanId)];
};

const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
  const span = spans.find((each) => each.name === name);
  if (span === undefined) throw new Error(`No ${name} among ${spans.map((each) => each.name).join(', ')}`);
  return span;
};

describe('A trace', () => {
  // Contract: operation#traces-when-configured — Traces by OpenTelemetry
  it('has the request by its route, the operation by its field, transactions and statements by their names', async () => {
    const email = newAddress();
    const answer = await post(service.url, operations.signUp, {
      input: { email, name: 'Canary Person', password: goodPassword },
    });
    const [request, ...below] = await spansOf(answer);
    expect(request).toMatchObject({ name: 'POST /graphql', kind: 2, parentSpanId: '' });
    expect(request?.attributes).toMatchObject({ 'http.route': '/graphql', 'http.response.status_code': 200 });
    const operation = named(below, 'mutation signUpWithPassword');
    expect(operation.parentSpanId).toBe(request?.spanId);
    const transaction = named(below, 'transaction');
    expect(transaction.parentSpanId).toBe(operation.spanId);
    expect(named(below, 'mail.insert')).toMatchObject({ kind: 3, parentSpanId: transaction.spanId });
  });

  // Contract: operation#traces-when-configured — Traces through the queue
  it('is linked from the mail that its request queued', async () => {
    const answer = await post(service.url, operations.signUp, {
      input: { email: newAddress(), name: 'Canary Person', password: goodPassword },
    });
    const [request] = await spansOf(answer);
    const sent = (): CollectedSpan | undefined =>
      collector.spans.find(({ name, links }) => name === 'mail send' && links[0]?.traceId === request?.traceId);
    await service.mailsAreSent();
    await service.flush();
    await until('the span of the mail came', async () => sent() !== undefined);
    expect(sent()?.traceId).not.toBe(request?.traceId);
    expect(sent()).toMatchObject({ kind: 5, parentSpanId: '' });
  });

  // Contract: operation#traces-when-configured — Traces of tool calls
  it('has a tool call and its outcome', async () => {
    const client = await newMcpClient(service, ['mcp:whoami']);
    const spans = await spansOf(await callTool(service, client, 'users_search', { query: 'canary' }));
    const call = named(spans, 'tools/call users_search');
    expect(call).toMatchObject({ parentSpanId: spans[0]?.spanId, attributes: { 'mcp.tool.outcome': 'deny' } });
  });

  it('has the error code of an operation, and is an error when the service failed', async () => {
    const refused = await spansOf(await post(service.url, operations.me));
    expect(refused[0]).toMatchObject({ statusCode: 0, attributes: { 'graphql.error.code': 'UNAUTHENTICATED' } });
    const { tokens } = await registerAndSignIn(service);
    await service.sql('ALTER TABLE credentials RENAME COLUMN issue_ip TO issue_ip_away');
    onTestFinished(
      async () => void (await service.sql('ALTER TABLE credentials RENAME COLUMN issue_ip_away TO issue_ip')),
    );
    const spans = await spansOf(await runAs(service, { tokens }, operations.mySessions));
    expect(spans[0]).toMatchObject({ statusCode: 2, attributes: { 'error.type': '5xx' } });
    expect(spans.filter(({ attributes }) => attributes['error.type'] === '42703')).toHaveLength(1);
  });

  it('is in the log lines of its request', async () => {
    const password = `${goodPassword}-wrong`;
    const answer = await post(service.url, operations.signIn, { input: { email: newAddress(), password } });
    const [request] = await spansOf(answer);
    const line = service.logs.find((text) => text.includes(String(answer.headers.get('x-correlation-id'))));
    expect(JSON.parse(line ?? '')).toMatchObject({ event: 'auth.sign_in_refused', traceId: request?.traceId });
  });

  // Contract: operation#continued-traces — Traces of untrusted clients are not continued
  it('is not continued from an untrusted client', async () => {
    const traceId = 'ab'.repeat(16);
    const headers = { traceparent: `00-${traceId}-${'cd'.repeat(8)}-01` };
    const [request] = await spansOf(await fetch(`${service.url}/auth/none`, { headers }));
    expect(request).toMatchObject({ parentSpanId: '' });
    expect(request?.traceId).not.toBe(traceId);
  });

  // Contract: operation#traces-when-configured — Traces of jobs
  it('has a scheduled job, with its statements, as its own trace', async () => {
    const tracing = createOtlpTracing(collector.url, silentLogger);
    await runAllJobs({ database: traceDatabase(service.database), logger: silentLogger, jobs: cleanupJobs, tracing });
    await tracing.close();
    const job = (): CollectedSpan | undefined => collector.spans.find(({ name }) => name.startsWith('job '));
    expect(job()).toMatchObject({ parentSpanId: '', attributes: { 'job.outcome': 'done' } });
    expect(collector.spans.filter(({ parentSpanId }) => parentSpanId === job()?.spanId)).not.toEqual([]);
  });

  it('is not recorded for periodic requests of machines', async () => {
    await fetch(`${service.url}/healthz`);
    await fetch(`${service.url}/readyz`);
    await spansOf(await fetch(`${service.url}/auth/none`));
    expect(collector.spans.filter(({ name }) => /healthz|readyz/.test(name))).toEqual([]);
  });

  // Contract: operation#continued-traces — A disconnected client, in traces
  it("of a disconnected client's request records that, and no status", async () => {
    const reported: SpanAttributes[] = [];
    const span: Span = {
      traceId: '',
      spanId: '',
      traceparent: '',
      child: () => span,
      set: (attributes) => {
        reported.push(attributes);
      },
      end: () => undefined,
    };
    const begin = requestSpans(
      { begin: () => span, flush: async () => undefined, close: async () => undefined },
      false,
    );
    const app = fastify();
    app.addHook('onRequest', (request, reply, done) => {
      begin(request, reply);
      done();
    });
    const left = new AbortController();
    app.get('/never', () => {
      left.abort();
      return new Promise(() => undefined);
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    await expect(fetch(`${url}/never`, { signal: left.signal })).rejects.toThrow(/abort/);
    await expect.poll(() => reported).toEqual([{ 'http.request.aborted': true }]);
    await app.close();
  });

  // Contract: operation#traces-when-configured — Nothing secret or personal in traces
  it('holds no address, name, password, token or argument', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    await spansOf(await runAs(service, { tokens }, operations.me));
    const client = await newMcpClient(service, ['mcp:whoami']);
    const call = await spansOf(await callTool(service, client, 'canary_tool', {}));
    expect(named(call, 'tools/call unknown').attributes['gen_ai.tool.name']).toBe('unknown');
    const text = collector.text();
    for (const secret of [email, goodPassword, 'Canary', 'canary', tokens.accessToken, '127.0.0.1', 'example.com'])
      expect(text).not.toContain(secret);
  });
});

// Contract: operation#continued-traces — Traces of trusted proxies are continued
it('Behind a proxy that TRUST_PROXY names, a trace is continued, and recorded whatever its sampling flag', async () => {
  const behind = await testFixture(startService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRUST_PROXY: '1' }));
  const [traceId, parentSpanId] = ['ef'.repeat(16), '12'.repeat(8)];
  const get = (traceparent: string): Promise<Response> =>
    fetch(`${behind.url}/auth/none`, { headers: { traceparent } });
  for (const flags of ['01', '00']) {
    const [request] = await spansOf(await get(`00-${traceId}-${parentSpanId}-${flags}`), behind);
    expect(request).toMatchObject({ traceId, parentSpanId });
  }
  for (const nonsense of ['', 'x', `ff-${traceId}-${parentSpanId}-01`, `00-${'0'.repeat(32)}-${parentSpanId}-01`]) {
    const [own] = await spansOf(await get(nonsense), behind);
    expect(own).toMatchObject({ parentSpanId: '' });
  }
});

describe('An unavailable collector', () => {
  // Contract: operation#unavailable-collector — An unavailable collector
  it('causes one log line and delays neither an answer nor the shutdown, and gets the spans after its return', async () => {
    const away = await testFixture(startCollector());
    away.answer(404);
    const lonely = await testFixture(startService({ OTEL_EXPORTER_OTLP_ENDPOINT: away.url }));
    const lines = (event: string): string[] => lonely.logs.filter((line) => line.includes(`"${event}"`));
    const ask = async (): Promise<void> => {
      expect((await fetch(`${lonely.url}/auth/none`)).status).toBe(404);
    };
    await ask();
    await until('it is logged', async () => {
      await ask();
      await lonely.flush();
      return lines('telemetry.unavailable').length > 0;
    });
    away.answer(200);
    await until('it is back', async () => {
      await ask();
      await lonely.flush();
      return lines('telemetry.available').length > 0;
    });
    expect(lines('telemetry.unavailable').filter((line) => line.includes('"traces"'))).toHaveLength(1);
    expect(away.spans.length).toBeGreaterThan(0);
  });

  // Contract: operation#unavailable-collector — Spans at the end of a process
  it('sends the remaining spans at the shutdown', async () => {
    const last = await startCollector();
    const ending = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: last.url });
    await fetch(`${ending.url}/auth/none`);
    expect(last.spans).toEqual([]);
    await ending.close();
    expect(last.spans.filter(({ kind }) => kind === 2)).toHaveLength(1);
    await last.close();
  });
});
