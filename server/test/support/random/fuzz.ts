/**
 * Shared parts of the random tests: the number of tries, their input, and checks for all answers of any surface.
 * FUZZ_FACTOR multiplies the tries (`test:rest` takes 0.5, `test:nightly` 50); a failure prints the seed and the path
 * that repeat it, as FUZZ_SEED and FUZZ_PATH.
 */
import { Agent, request } from 'node:http';
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { testSecret } from '../gatehouse/gatehouse.ts';

const factor = Number(process.env['FUZZ_FACTOR'] ?? '1');

const { FUZZ_SEED: seedText, FUZZ_PATH: path } = process.env;

/** A new one in each run, unless one is to be repeated. */
export const seed: number | undefined = seedText === undefined ? undefined : Number(seedText);

export interface Tries {
  readonly numRuns: number;
  readonly seed?: number;
  readonly path?: string;
}

/** @param count of tries at FUZZ_FACTOR 1 */
export const tries = (count: number): Tries => ({
  numRuns: Math.ceil(count * factor),
  ...(seed === undefined ? {} : { seed }),
  ...(path === undefined ? {} : { path }),
});

/** A property that no try reached proves nothing. A repeated failure is a few tries only, and may reach none. */
const expectMore = (seen: number, least: number): void => {
  if (path === undefined) expect(seen).toBeGreaterThan(least);
};

/**
 * How many tries reached a state, which grows with their number. Few tries vary by chance, so a third suffices.
 * @param usual of the tries at FUZZ_FACTOR 1
 */
export const expectOften = (seen: number, usual: number): void => expectMore(seen, (usual * factor) / 3);

/** How many different kinds were reached, which hardly grows with the tries. @param least at any FUZZ_FACTOR */
export const expectKinds = (kinds: number, least: number): void => expectMore(kinds, least);

/** Much longer than any answer takes on a busy machine: a longer wait for a healthy server is a hang. */
const hangMilliseconds = 20_000;

const pieces = [
  '',
  ' ',
  '\u0000',
  '\r\n',
  '\u202e',
  '\ud83d',
  '%00',
  '%2e%2e%2f',
  '../../etc/passwd',
  '//evil.example',
  '\\evil.example',
  'javascript:alert(1)',
  '<script>alert(1)</script>',
  "' OR 1=1 --",
  '$(sleep 9)',
  '{{7*7}}',
  `$\{jndi:ldap://127.0.0.1:1/x}`,
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e999',
  '9007199254740993',
  '[object Object]',
  'true',
  '{"$ne":null}',
  '*',
  'İ',
  '😀'.repeat(30),
  'A'.repeat(5000),
] as const;

/** A text of an attacker, or of a broken machine. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...pieces),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  fc.uuid(),
  fc.stringMatching(/^[\w-]{43}$/),
  fc.stringMatching(/^[0-9a-f]{64}$/),
  fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((parts) => parts.join('')),
);

const parsed = (text: string): unknown => JSON.parse(text);

/** Any value that JSON can carry, hostile texts and deep nesting included. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  hostileText,
  fc.dictionary(hostileText, hostileText, { maxKeys: 4 }),
  fc.constant('{"__proto__":{"isSuperAdmin":true},"constructor":{"prototype":{"x":1}}}').map(parsed),
  fc.integer({ min: 1, max: 2000 }).map((depth) => parsed('['.repeat(depth) + ']'.repeat(depth))),
);

/** Removes a few characters of a text, doubles or replaces them. */
export const mutation: fc.Arbitrary<(text: string) => string> = fc
  .array(fc.record({ at: fc.nat(), taken: fc.nat(6), put: hostileText }), { minLength: 1, maxLength: 3 })
  .map((changes) => (text: string) => {
    const places = Math.max(1, text.length);
    return changes.reduce((now, { at, taken, put }) => {
      const from = at % places;
      return now.slice(0, from) + put.slice(0, 20) + now.slice(from + taken);
    }, text);
  });

export const mutated = (text: string): fc.Arbitrary<string> => mutation.map((change) => change(text));

export interface WireRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/**
 * Node frames no body of DELETE, OPTIONS or TRACE: the server would read it as the next request, and answer that too.
 */
const framing = (body: WireRequest['body']): Readonly<Record<string, string>> =>
  body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };

/** Sends requests that `fetch` would not. Rejects when the server hangs, or ends the connection without an answer. */
export const sendOnWire = (url: string, { method, path, headers, body }: WireRequest): Promise<WireAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const options = { agent, hostname, port, method, path, timeout: hangMilliseconds };
    const sent = request({ ...options, headers: { ...headers, ...framing(body) } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(parts).toString('utf8'),
        }),
      );
    });
    sent.on('timeout', () => sent.destroy(new Error(`No answer to ${method} ${path} in ${hangMilliseconds} ms`)));
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });

/** The answer that `fetch` would have returned, from `sendOnWire`. */
export const wireAnswerOf = ({
  status,
  headers,
  text,
}: {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}): WireAnswer => ({
  status,
  headers: { ...Object.fromEntries(headers), 'set-cookie': headers.getSetCookie() },
  text,
});

/** Settings of a service with secrets other than tokens, and without peers: port 1 never answers. */
export const secretSettings = {
  STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_the_tests',
  STRIPE_API_BASE: 'http://127.0.0.1:1',
  GOOGLE_CLIENT_ID: 'client-of-the-tests',
  GOOGLE_CLIENT_SECRET: 'secret-of-the-tests',
  GOOGLE_ISSUER: 'http://127.0.0.1:1',
} as const;

const configuredSecrets = [
  testSecret,
  secretSettings.STRIPE_SECRET_KEY,
  secretSettings.STRIPE_WEBHOOK_SECRET,
  secretSettings.GOOGLE_CLIENT_SECRET,
] as const;

/** Those of them, and of the configuration, that occur in the text. */
const reportedIn = (text: string, secrets: readonly string[]): readonly string[] =>
  [...configuredSecrets, ...secrets].filter((secret) => text.includes(secret));

/** A source location in our code, or in a library: never shown to clients. */
const traces = /\bat .{0,200}:\d+:\d+|node_modules|\/src\/[\w/-]+\.ts|SELECT .{0,80} FROM |duplicate key|PGlite/;

/**
 * Checks of every answer to any request.
 * @param secrets that exist in the database as hashes, or not at all: no answer contains one, or one of the
 *   configuration
 */
export const expectValidAnswer = ({ status, headers, text }: WireAnswer, secrets: readonly string[]): void => {
  expect(status, text.slice(0, 500)).toBeLessThan(500);
  expect(text).not.toMatch(traces);
  expect(reportedIn(text + JSON.stringify(headers), secrets)).toEqual([]);
  expect(headers['x-content-type-options']).toBe('nosniff');
};

/**
 * Expects in the log of a service no internal error, which is never the answer to a request, and no secret.
 * @param secrets in addition to those of the configuration
 */
export const expectCleanLog = (logs: readonly string[], secrets: readonly string[]): void => {
  expect(logs.filter((line) => line.includes('"request.failed"') || line.includes('"level":"fatal"'))).toEqual([]);
  expect(logs.filter((line) => reportedIn(line, secrets).length > 0)).toEqual([]);
};
