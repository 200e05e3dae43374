/**
 * Owns the fetch of a small JSON document from an address that a caller of this service named: over a connection to the
 * public internet alone, with an answer of bounded size and time.
 *
 * Its host name is resolved once, and the connection goes to an address of that answer, so that a changing answer
 * cannot lead elsewhere (DNS rebinding). Nor can a proxy or a redirect: none is used. Certificates are verified.
 */
import { type LookupAddress, lookup } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { orNull } from '../kernel/attempts.ts';
import { isLoopbackAddress, isPublicAddress } from '../kernel/public-addresses.ts';
import { within } from '../kernel/waits/within.ts';

/**
 * `outage`: the server did not answer, or said that it cannot now; `address`: it is not on the public internet; `gone`:
 * it said so; `unusable`: it answered with anything but a small JSON text.
 */
export type FetchedDocument =
  | { readonly kind: 'document'; readonly text: string; readonly freshSeconds: number }
  | { readonly kind: 'outage' | 'address' | 'gone' | 'unusable'; readonly reason: string };

type Failure = Exclude<FetchedDocument, { kind: 'document' }>;

type Resolver = (hostname: string) => Promise<readonly LookupAddress[]>;

interface FetchOptions {
  /** For resolution, connection, headers and body together. Default 5 s. */
  readonly timeoutMilliseconds?: number;
  /** Default: as the operating system resolves it. */
  readonly resolve?: Resolver;
  /** Default: {@link isPublicAddress}, and for an http URL loopback alone. */
  readonly isAllowed?: (address: string) => boolean;
}

/** In bytes: 5 KB, as draft-ietf-oauth-client-id-metadata-document recommends. */
const maxDocumentBytes = 5 * 1024;

const defaultMilliseconds = 5000;

/**
 * @param url https; or http, which only loopback addresses may serve. The caller decides which URLs are fetched
 * @returns never rejects; a reason contains nothing that the server sent but its status
 */
export const fetchDocument = (url: string, options: FetchOptions = {}): Promise<FetchedDocument> => {
  const { timeoutMilliseconds = defaultMilliseconds } = options;
  const ending = new AbortController();
  return within<FetchedDocument, Failure>(timeoutMilliseconds, attempt(new URL(url), options, ending.signal), () => {
    ending.abort();
    return { kind: 'outage', reason: 'no complete answer in time' };
  });
};

const attempt = async (url: URL, options: FetchOptions, signal: AbortSignal): Promise<FetchedDocument> => {
  const { resolve = resolveHost, isAllowed = url.protocol === 'http:' ? isLoopbackAddress : isPublicAddress } = options;
  try {
    const addresses = await addressesOf(url.hostname, resolve);
    if (addresses.length === 0) return { kind: 'outage', reason: 'its host has no address' };
    if (!addresses.every(({ address }) => isAllowed(address))) {
      return { kind: 'address', reason: 'its host has an address of special use' };
    }
    return await answerOf(await request(url, addresses, signal));
  } catch (error) {
    return { kind: 'outage', reason: `no answer: ${codeOf(error)}` };
  }
};

/** A code of Node, such as ECONNREFUSED or CERT_HAS_EXPIRED. */
const codeOf = (error: unknown): string => {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'unreachable';
};

// Resolution and connection.

const resolveHost: Resolver = (hostname) =>
  new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });

/** The URL parser has already turned every spelling of an IPv4 address into four decimal numbers. */
const addressesOf = async (hostname: string, resolve: Resolver): Promise<readonly LookupAddress[]> => {
  const literal = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(literal);
  return family === 0 ? resolve(hostname) : [{ address: literal, family }];
};

/** Answers every look-up of the connection with the addresses that were checked. */
const pinnedTo =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    const [first = { address: '', family: 0 }] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };

const headers = {
  accept: 'application/json',
  // A compressed body could be small and its content large.
  'accept-encoding': 'identity',
  'user-agent': 'Gatehouse',
};

const request = (url: URL, addresses: readonly LookupAddress[], signal: AbortSignal): Promise<http.IncomingMessage> => {
  const { Agent, request: begin } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    begin(url, {
      // An agent of its own has no proxy, whatever the environment says, and its connection serves no other request.
      agent: new Agent({ keepAlive: false }),
      headers,
      lookup: pinnedTo(addresses),
      maxHeaderSize: 8 * 1024,
      rejectUnauthorized: true,
      signal,
    })
      .once('response', resolve)
      .on('error', reject)
      .end();
  });
};

// The answer.

const answerOf = async (response: http.IncomingMessage): Promise<FetchedDocument> => {
  const text = isOfSmallJson(response) ? await readText(response) : null;
  response.destroy();
  return text === null
    ? failureOf(response)
    : { kind: 'document', text, freshSeconds: freshSecondsOf(response.headers) };
};

const isOfSmallJson = ({ statusCode, headers: sent }: http.IncomingMessage): boolean =>
  statusCode === 200 &&
  isJson(sent['content-type']) &&
  (sent['content-encoding'] ?? 'identity') === 'identity' &&
  Number(sent['content-length'] ?? 0) <= maxDocumentBytes;

/** application/json, or a subtype with its suffix (RFC 6839, section 3.1). */
const isJson = (type = ''): boolean =>
  /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type);

/** Null when the body is larger than allowed, or is not UTF-8. */
const readText = async (response: http.IncomingMessage): Promise<string | null> => {
  const chunks: Buffer[] = [];
  let total = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > maxDocumentBytes) return null;
    chunks.push(chunk);
  }
  return orNull(() => new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)));
};

/** Statuses of a server that cannot answer now: RFC 9110, sections 15.5.9 and 15.6; RFC 6585, section 4. */
const isPassing = (status: number): boolean => status >= 500 || status === 408 || status === 429;

const failureOf = ({ statusCode: status = 0, headers: sent }: http.IncomingMessage): Failure => {
  if (status === 404 || status === 410) return { kind: 'gone', reason: `status ${status}` };
  if (status !== 200) return { kind: isPassing(status) ? 'outage' : 'unusable', reason: `status ${status}` };
  const reason = isJson(sent['content-type'])
    ? `the answer is not UTF-8, is compressed, or has more than ${maxDocumentBytes} bytes`
    : 'the answer is not application/json';
  return { kind: 'unusable', reason };
};

// Freshness, as the server states it (RFC 9111, section 4.2), within bounds.

/** In seconds. */
const leastFresh = 300;
const mostFresh = 86_400;

/**
 * In seconds; without a statement, or with one that forbids storage, the least.
 * @internal A test covers the cases that no request reaches.
 */
export const freshSecondsOf = (sent: http.IncomingHttpHeaders): number => {
  const stated = statedSeconds(sent);
  return Math.min(Math.max(Math.floor(stated), leastFresh), mostFresh);
};

const statedSeconds = ({ 'cache-control': control = '', age, expires, date }: http.IncomingHttpHeaders): number => {
  if (/(?:^|,)\s*(?:no-store|no-cache)\b/i.test(control)) return 0;
  // This cache serves many people: the directive for shared caches counts first.
  const seconds = directive(control, 's-maxage') ?? directive(control, 'max-age');
  if (seconds !== null) return seconds - wholeSeconds(age);
  const [until, now] = [instantOf(expires), instantOf(date)];
  return Number.isFinite(until - now) ? (until - now) / 1000 : 0;
};

/** RFC 9110, section 5.6.7; NaN for other text, such as the 0 of servers that want no storage. */
const instantOf = (text = ''): number => (text.endsWith(' GMT') ? Date.parse(text) : Number.NaN);

const directive = (control: string, name: string): number | null => {
  const [, seconds] = new RegExp(`(?:^|,)\\s*${name}\\s*=\\s*"?(\\d{1,15})"?\\s*(?:,|$)`, 'i').exec(control) ?? [];
  return seconds === undefined ? null : Number(seconds);
};

const wholeSeconds = (age = '0'): number => (/^\d{1,15}$/.test(age) ? Number(age) : 0);
