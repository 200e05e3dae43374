/** Many connections with unfinished bodies of up to 1 MB: the memory of the process is bounded. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { range, tally, until } from '../support/checks/concurrency.ts';
import { RawConnection } from '../support/clients/raw-http.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { embedded, postgresOnly } from '../support/database/engines.ts';
import { fixture } from '../support/fixture.ts';
import { environmentFor, type Serving, serve, sourceProgram } from '../support/gatehouse/gatehouse-process.ts';
import { webhookSecret } from '../support/servers/payments.ts';

const megabyte = 1_000_000;
const mostOfWebhook = 256 * 1024;
const mostOfEvents = 16 * 1024 * 1024;
/** A document of 40 KB in chunks takes three pieces of 16 KiB. */
const mostOfDocuments = Math.floor((64 * 1024 * 1024) / (48 * 1024));
/** The rest of the budget is less than two pieces. */
const moreThanOnePiece = 20_000;
const mostResident = 300 * megabyte;

const forged = `Stripe-Signature: t=1767225600,v1=${'0'.repeat(64)}\r\n`;

const head = (path: string, lines: string): string =>
  `POST ${path} HTTP/1.1\r\nContent-Type: application/json\r\n${lines}\r\n`;

/** `cut` where the connection ended before its answer could be read, as when more is sent than is accepted. */
const statusOf = (received: string): string => /^HTTP\/1\.1 ([2-5]\d\d) /m.exec(received)?.[1] ?? 'cut';

interface Held {
  finish(): Promise<string>;
}

/** Bodies of 1 MB that are refused at their head. */
const sendRefused = async (connection: RawConnection, path: string, lines: string): Promise<string> => {
  connection.write(`${head(path, `${lines}Content-Length: ${megabyte}\r\n`)}${'x'.repeat(1000)}`);
  return statusOf(await connection.received(/^HTTP\/1\.1 [2-5]/m));
};

/** A body of the maximum length, with a well-formed signature header, without its last byte. */
const holdEvent = async (connection: RawConnection, host: string): Promise<Held> => {
  connection.write(
    head('/webhooks/stripe', `${host}${forged}Content-Length: ${mostOfWebhook}\r\nExpect: 100-continue\r\n`),
  );
  await connection.received(/^HTTP\/1\.1 100 /m);
  await connection.sent(Buffer.alloc(mostOfWebhook - 1, 'x'));
  return { finish: () => finish(connection, 'x') };
};

/** A document of 40 KB in small chunks, without the last one. */
const holdDocument = async (connection: RawConnection, host: string): Promise<Held> => {
  connection.write(head('/graphql', `${host}Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n`));
  await connection.received(/^HTTP\/1\.1 100 /m);
  await connection.sent(Buffer.from(`40\r\n${' '.repeat(64)}\r\n`.repeat(625)));
  return { finish: () => finish(connection, '0\r\n\r\n') };
};

const finish = async (connection: RawConnection, rest: string): Promise<string> => {
  connection.write(rest);
  return statusOf(await connection.answered());
};

const peakResidentBytes = async ({ pid }: Serving): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
};

describe(`900 slow connections${postgresOnly}`, () => {
  let serving: Serving;
  const connections: RawConnection[] = [];
  const stored = fixture(createTestDatabase, (stored) => stored.drop());
  beforeAll(async () => {
    // Without limits no request here waits for the database, however slow it is.
    const environment = {
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      RATE_LIMITS_ENABLED: 'false',
      // As in the image and in `npm start` (decision 0041).
      NODE_OPTIONS: '--max-semi-space-size=16',
    };
    // From the sources: loaded modules are part of the memory.
    if (!embedded) serving = await serve({ ...environmentFor(stored), ...environment }, sourceProgram);
  });
  afterAll(async () => {
    for (const connection of connections) connection.close();
    if (!embedded) await serving.stop();
  });

  const each = <Result>(
    count: number,
    work: (connection: RawConnection, host: string) => Promise<Result>,
  ): Promise<Result[]> =>
    Promise.all(
      range(count).map(async () => {
        const connection = await RawConnection.open(serving.url);
        connections.push(connection);
        return work(connection, `Host: ${new URL(serving.url).host}\r\n`);
      }),
    );

  // The embedded engine alone takes as much as the process may.
  // Contract: requests#memory-for-bodies — 900 slow connections of 1 MB each leave the process under 300 MB
  it.skipIf(embedded)('of 1 MB each leave the process under 300 MB', async () => {
    const unsigned = await each(210, (connection, host) => sendRefused(connection, '/webhooks/stripe', host));
    expect(tally(unsigned)).toEqual({ 400: 210 });
    const unknown = await each(200, (connection, host) =>
      sendRefused(connection, '/mcp', `${host}Authorization: Bearer none\r\n`),
    );
    expect(tally(unknown)).toEqual({ 401: 200 });
    // 15 MiB of events, and 20 of documents.
    const held = [...(await each(60, holdEvent)), ...(await each(430, holdDocument))];
    // The budget sufficed for all; a slow machine has cut some by the request timeout.
    const { 400: read = 0, 408: late = 0, cut = 0 } = tally(await Promise.all(held.map((body) => body.finish())));
    expect(read + late + cut).toBe(490);
    // All of it has arrived by now.
    expect(await peakResidentBytes(serving)).toBeLessThan(mostResident);
  });

  /** Empty where the connection was reset before its answer was read: more was sent than is accepted. */
  const answerOf = async (path: string, lines: string): Promise<string> => {
    const answers = await each(1, (connection, host) => {
      connection.write(
        `${head(path, `${host}${lines}Content-Length: ${moreThanOnePiece}\r\n`)}${'x'.repeat(moreThanOnePiece)}`,
      );
      return connection.answered();
    });
    return answers.join('');
  };

  /** Some sent bytes may not have been read yet, and a refusal may be lost with its connection. */
  const untilRefused = async (path: string, lines: string): Promise<string> => {
    let refused = '';
    await until(`there is no room left for ${path}`, async () => {
      refused = await answerOf(path, lines);
      return /^HTTP\/1\.1 503 [\s\S]*\r\n\r\n/m.test(refused);
    });
    return refused;
  };

  // Contract: requests#memory-for-bodies — Payment events in flight exclude no other body
  it.skipIf(embedded)('that hold the maximum of events do not affect the other surfaces', async () => {
    const held = await each(mostOfEvents / mostOfWebhook, holdEvent);
    expect(await untilRefused('/webhooks/stripe', forged)).toMatch(/^HTTP\/1\.1 503 [\s\S]*^retry-after: 5\r$/m);
    expect(statusOf(await answerOf('/graphql', ''))).toBe('400');
    expect(tally(await Promise.all(held.map((body) => body.finish())))).toEqual({ 400: held.length });
    expect(await (await each(1, holdEvent))[0]?.finish()).toBe('400');
  });

  // Contract: requests#memory-for-bodies — Unauthenticated bodies in flight stay under 64 MiB, 503 past it
  it.skipIf(embedded)('hold 64 MiB together at most: later ones are answered 503', async () => {
    const held = await each(mostOfDocuments, holdDocument);
    expect(await untilRefused('/graphql', '')).toMatch(/^HTTP\/1\.1 503 [\s\S]*^retry-after: 5\r$/m);
    // Requests without a body are served, and the held ones are answered.
    expect((await fetch(`${serving.url}/healthz`)).status).toBe(200);
    expect(tally(await Promise.all(held.map((body) => body.finish())))).toEqual({ 400: held.length });
    expect(await (await each(1, holdDocument))[0]?.finish()).toBe('400');
  });
});
