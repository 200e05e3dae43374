/** The budget of unauthenticated bodies: bytes are reserved, refused and released. */
import { fastify } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mountFailures, mountFallbacks } from '../../src/http/fallbacks.ts';
import { BodyBudget, type BodyOptions, holdBodiesWithin, readBodiesWithin } from '../../src/http-kit/request-bodies.ts';
import { Refusal } from '../../src/kernel/errors.ts';
import { until } from '../support/checks/concurrency.ts';
import { RawConnection } from '../support/clients/raw-http.ts';

const most = 100_000;
const pieceBytes = 16 * 1024;

/**
 * A service that answers each body, at `/`, and knows no other path but `/added`, with the parsers of the framework.
 */
const start = async (options: Partial<BodyOptions> = {}) => {
  const http = fastify();
  const refusals: string[] = [];
  const budget = new BodyBudget(() => refusals.push('refused'), most);
  mountFailures(http);
  await http.register(async (scope) => {
    readBodiesWithin(scope, { budget, maxBytes: 80_000, contentType: '*', as: 'text', ...options });
    scope.post('/', async ({ body }) => ({ length: String(body).length, text: String(body).slice(0, 20) }));
  });
  await http.register(async (scope) => {
    holdBodiesWithin(scope, budget);
    scope.post('/added', { bodyLimit: 70_000 }, async ({ body }) => ({ body }));
  });
  mountFallbacks(http, null);
  const url = await http.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => http.close());
  return { url, budget, refusals };
};

const open = async (url: string): Promise<RawConnection> => {
  const connection = await RawConnection.open(url);
  onTestFinished(() => connection.close());
  return connection;
};

/** Sends a head, and waits until the service has read it; the body follows separately. */
const begin = async (url: string, framing: string, path = '/', type = 'text/plain'): Promise<RawConnection> => {
  const connection = await open(url);
  connection.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nExpect: 100-continue\r\n${framing}\r\n\r\n`,
  );
  await connection.received(/^HTTP\/1\.1 100 /m);
  return connection;
};

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const isHeld = (budget: BodyBudget, bytes: number): Promise<void> =>
  until(`${bytes} bytes are held`, async () => budget.held === bytes);

it('The budget of a process is 64 MiB', () => {
  const budget = new BodyBudget();
  const all = 64 * 1024 * 1024;
  budget.hold(all);
  expect(() => budget.hold(1)).toThrow(Refusal);
  expect(budget.held).toBe(all);
});

it('A part of the budget has its own limit, and counts in the whole', () => {
  const refusals: string[] = [];
  const whole = new BodyBudget(() => refusals.push('refused'), 100);
  const part = whole.part(40);
  part.hold(40);
  expect(() => part.hold(1)).toThrow(Refusal);
  whole.hold(60);
  expect(() => whole.hold(1)).toThrow(Refusal);
  part.release(40);
  whole.hold(40);
  expect(() => part.hold(1)).toThrow(Refusal);
  expect([part.held, whole.held, refusals.length]).toEqual([0, 100, 3]);
});

describe('A body with a length', () => {
  // Contract: requests#memory-for-bodies — A body with a length is reserved as it arrives: the announced length
  //   reserves nothing
  it('reserves one piece at its head, whatever its length, and more as it arrives', async () => {
    const { url, budget } = await start();
    const announced = await Promise.all([1, 2, 3, 4].map(() => begin(url, 'Content-Length: 80000')));
    expect(budget.held).toBe(4 * pieceBytes);
    for (const connection of announced) connection.close();
    await isHeld(budget, 0);
    const connection = await begin(url, 'Content-Length: 60000');
    connection.write('x'.repeat(pieceBytes + 1));
    await isHeld(budget, 2 * pieceBytes);
    connection.write('x'.repeat(60_000 - pieceBytes - 1));
    expect(await connection.received(/"text"/)).toContain('"length":60000');
    await isHeld(budget, 0);
  });

  it('is refused with 503 without budget, at its head or while it arrives', async () => {
    const { url, budget, refusals } = await start();
    const first = await begin(url, 'Content-Length: 80000');
    first.write('x'.repeat(70_000));
    await isHeld(budget, 5 * pieceBytes);
    const second = await begin(url, 'Content-Length: 60000');
    await isHeld(budget, 6 * pieceBytes);
    for (const refused of [await begin(url, 'Content-Length: 5000'), second]) {
      if (refused === second) second.write('x'.repeat(20_000));
      const answer = await refused.closed();
      expect(answer).toMatch(/^HTTP\/1\.1 503 /m);
      expect(answer).toMatch(/^retry-after: 5\r$/m);
      expect(answer).toContain('"code":"UNAVAILABLE"');
    }
    expect(refusals).toEqual(['refused', 'refused']);
    await isHeld(budget, 5 * pieceBytes);
    first.write('x'.repeat(10_000));
    expect(await first.received(/"text"/)).toContain('"length":80000');
    await isHeld(budget, 0);
  });

  it('releases its budget when its client leaves before the end', async () => {
    const { url, budget } = await start();
    const connection = await begin(url, 'Content-Length: 60000');
    connection.write('x'.repeat(1000));
    connection.close();
    await isHeld(budget, 0);
  });

  it('that is too long is refused with 413 and reserves nothing', async () => {
    const { url, budget, refusals } = await start();
    const connection = await begin(url, 'Content-Length: 80001');
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 413 /m);
    expect([budget.held, refusals]).toEqual([0, []]);
  });

  it('arrives complete, in any number of pieces and with any characters split', async () => {
    const { url } = await start();
    const text = 'é€🤖'.repeat(3000);
    const connection = await begin(url, `Content-Length: ${Buffer.byteLength(text)}`);
    // A character is cut at the end of a piece.
    const bytes = Buffer.from(text);
    connection.write(bytes.subarray(0, 10_001));
    connection.write(bytes.subarray(10_001));
    expect(await connection.received(/"text"/)).toContain(
      JSON.stringify({ length: text.length, text: text.slice(0, 20) }).slice(1, -1),
    );
  });
});

describe('A body without a length', () => {
  // Contract: requests#memory-for-bodies — A body in chunks is reserved as it arrives
  it('reserves pieces as it arrives, also in chunks of a byte, and arrives whole', async () => {
    const { url, budget } = await start();
    const connection = await begin(url, 'Transfer-Encoding: chunked');
    expect(budget.held).toBe(0);
    connection.write(chunk('a').repeat(100));
    await isHeld(budget, pieceBytes);
    connection.write(chunk('b').repeat(pieceBytes));
    await isHeld(budget, 2 * pieceBytes);
    connection.write('0\r\n\r\n');
    expect(await connection.received(/"text"/)).toContain(`"length":${pieceBytes + 100}`);
    await isHeld(budget, 0);
  });

  it('is refused with 503 at the chunk beyond the budget, and releases its reservation', async () => {
    const { url, budget, refusals } = await start();
    const first = await begin(url, 'Content-Length: 80000');
    first.write('x'.repeat(79_999));
    await isHeld(budget, 5 * pieceBytes);
    const connection = await begin(url, 'Transfer-Encoding: chunked');
    connection.write(chunk('a'.repeat(pieceBytes)));
    await isHeld(budget, 6 * pieceBytes);
    connection.write(chunk('a'));
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 503 /m);
    expect(refusals).toEqual(['refused']);
    await isHeld(budget, 5 * pieceBytes);
    first.close();
    await isHeld(budget, 0);
  });

  it('that is too long is refused with 413, and releases its reservation', async () => {
    const { url, budget } = await start();
    const connection = await begin(url, 'Transfer-Encoding: chunked');
    connection.write(chunk('a'.repeat(80_001)));
    expect(await connection.closed()).toMatch(/^HTTP\/1\.1 413 /m);
    await isHeld(budget, 0);
  });
});

it('A body that other code reads reserves its length, or the maximum of its route, until it is answered', async () => {
  const { url, budget } = await start();
  const [sized, chunked] = [
    await begin(url, 'Content-Length: 7', '/added', 'application/json'),
    await begin(url, 'Transfer-Encoding: chunked', '/added', 'application/json'),
  ];
  expect(budget.held).toBe(7 + 70_000);
  expect(await (await begin(url, 'Transfer-Encoding: chunked', '/added')).closed()).toMatch(/^HTTP\/1\.1 503 /m);
  sized.write('{"a":1}');
  expect(await sized.received(/\}\}$/)).toContain('{"body":{"a":1}}');
  await isHeld(budget, 70_000);
  chunked.close();
  await isHeld(budget, 0);
});

it('A body without a route is answered with 404 before it is read', async () => {
  const { url, budget } = await start();
  const connection = await begin(url, 'Content-Length: 1000000', '/nowhere', 'application/json');
  expect(await connection.received(/NOT_FOUND/)).toMatch(/^HTTP\/1\.1 404 /m);
  expect(budget.held).toBe(0);
});
