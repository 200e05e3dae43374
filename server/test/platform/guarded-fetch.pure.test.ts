/**
 * The fetch of a document over the public internet alone: its addresses, its certificate, and how long an answer is
 * fresh.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { describe, expect, it } from 'vitest';
import { isLoopbackAddress, isPublicAddress } from '../../src/kernel/public-addresses.ts';
import { fetchDocument, freshSecondsOf } from '../../src/platform/guarded-fetch.ts';
import { fixture } from '../support/fixture.ts';
import { answering, startDocumentSite } from '../support/servers/document-site.ts';
import { listen } from '../support/servers/listen.ts';

type FetchOptions = NonNullable<Parameters<typeof fetchDocument>[1]>;
type Resolver = NonNullable<FetchOptions['resolve']>;

const site = fixture(startDocumentSite);

/** Answers each question with the next of these addresses, and counts the questions. */
const resolving = (...answers: readonly (readonly string[])[]) => {
  let asked = 0;
  const resolve: Resolver = async () => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { resolve, asked: () => asked };
};

const special = [
  '',
  '8.8.8.8 ',
  ...`0.0.0.0 0.1.2.3 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.254 169.254.0.1
    169.254.169.254 172.16.0.0 172.31.255.255 192.0.0.1 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1
    192.168.0.0 192.168.255.255 192.175.48.1 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1
    239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:7f00:1 ::127.0.0.1
    ::ffff:0:127.0.0.1 64:ff9b::8.8.8.8 64:ff9b::a00:1 64:ff9b:1::1 100::1 100:0:0:1::1 2001::1
    2001:0:5ef5:79fb::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 2002::1 2002:a00:1::1 2002:808:808::1
    2620:4f:8000::1 3fff::1 3fff:fff:ffff::1 5f00::1 fc00::1 fd12:3456::1 fe80::1 fe80::1%lo 2600::1%eth0 fec0::1
    ff02::1 4000::1 localhost 8.8.8 8.8.8.8.8 0x8.8.8.8`.split(/\s+/),
];

const ordinary =
  `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
    172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
    223.255.255.255 2600::1 2606:4700:4700::1111 2001:200::1 2001:4860:4860::8888 2003::1 2a00:1450::1 3ffe::1`.split(
    /\s+/,
  );

describe('An address', () => {
  // Contract: organization-mcp#fetch-of-a-document — Special-use addresses by the registries of IANA
  it.each(special)('%j is none of the public internet', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(ordinary)('%s is one of the public internet', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it('is one of this machine in the loopback network of IPv4 and as ::1 alone', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1'].every(isLoopbackAddress)).toBe(true);
    expect(['126.0.0.1', '10.0.0.1', '::', '::ffff:127.0.0.1', 'localhost', ''].some(isLoopbackAddress)).toBe(false);
  });
});

const url = 'https://client.example/client.json';

describe('A document', () => {
  // Contract: organization-mcp#fetch-of-a-document — Private addresses by DNS
  it.each([
    ['a private address', ['10.0.0.1']],
    ['a private address beside a public one', ['8.8.8.8', '192.168.0.1']],
    ['a loopback address', ['127.0.0.1']],
    ['a mapped address', ['::ffff:10.0.0.1']],
    ['6to4 of a private address', ['2002:a00:1::1']],
    ['NAT64 of a public address', ['64:ff9b::808:808']],
  ])('whose host has %s is not fetched', async (_case, addresses) => {
    const { resolve } = resolving(addresses);
    expect(await fetchDocument(url, { resolve })).toEqual({
      kind: 'address',
      reason: 'its host has an address of special use',
    });
  });

  it.each([
    ['has no address', async () => []],
    ['cannot be resolved', () => Promise.reject(Object.assign(new Error('secret.example'), { code: 'ENOTFOUND' }))],
  ])('whose host %s is unreachable', async (_case, resolve) => {
    const fetched = await fetchDocument(url, { resolve });
    expect(fetched).toMatchObject({ kind: 'outage' });
    expect(JSON.stringify(fetched)).not.toContain('secret');
  });

  // Contract: organization-mcp#fetch-of-a-document — DNS that changes its answer
  it('is fetched from the address that was checked, however its name resolves the next time', async () => {
    const answer = answering('{"a":1}');
    const local = site.publish(answer);
    const { port } = new URL(local);
    const { resolve, asked } = resolving(['127.0.0.1'], ['10.0.0.1']);
    const named = local.replace('127.0.0.1', 'rebound.example');
    site.change(local, answer);
    const allowed: string[] = [];
    const isAllowed = (address: string): boolean => allowed.push(address) > 0;
    expect(await fetchDocument(named, { resolve, isAllowed })).toMatchObject({ kind: 'document' });
    expect([asked(), allowed, port]).toEqual([1, ['127.0.0.1'], new URL(named).port]);
  });

  it('of an http URL is fetched from this machine alone', async () => {
    const { resolve } = resolving(['8.8.8.8']);
    expect(await fetchDocument('http://localhost:9/client.json', { resolve })).toMatchObject({ kind: 'address' });
  });

  it('is fetched without a proxy, whatever the environment says', async () => {
    const local = site.publish(answering('{}'));
    const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'NODE_USE_ENV_PROXY'] as const;
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : 'http://127.0.0.1:9';
    try {
      expect(await fetchDocument(local)).toMatchObject({ kind: 'document', text: '{}' });
    } finally {
      for (const [index, name] of names.entries()) {
        const value = before[index];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  it('is asked for as JSON without compression, and without anything that identifies a person', async () => {
    let sent: readonly string[] = [];
    const local = site.publish((response, request) => {
      sent = Object.keys(request.headers);
      answering(JSON.stringify({ accept: request.headers.accept }))(response, request);
    });
    expect(await fetchDocument(local)).toMatchObject({ kind: 'document', text: '{"accept":"application/json"}' });
    expect([...sent].sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  });

  it('that is not UTF-8 cannot be used', async () => {
    const local = site.publish((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0x22, 0xff, 0x22]));
    });
    expect(await fetchDocument(local)).toMatchObject({ kind: 'unusable' });
  });
});

const pem = (name: string): Buffer => readFileSync(new URL(`../support/fixtures/${name}.pem`, import.meta.url));

describe('A document over https', () => {
  const secure = fixture(async () => {
    const [valid, expired] = await Promise.all(
      ['tls-valid', 'tls-expired'].map((name) => {
        const key = pem(name);
        return listen(
          createServer({ key, cert: key }, (_request, response) => {
            response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
          }),
        );
      }),
    );
    return { valid, expired, close: () => Promise.all([valid?.close(), expired?.close()]) };
  });
  const local: FetchOptions = { resolve: resolving(['127.0.0.1']).resolve, isAllowed: () => true };

  // Contract: organization-mcp#fetch-of-a-document — The certificate is verified
  it.each(['valid', 'expired'] as const)(
    'is not fetched from a site whose certificate no known authority signed: %s',
    async (which) => {
      const fetched = await fetchDocument(`https://localhost:${secure[which]?.port}/client.json`, local);
      expect(fetched).toMatchObject({ kind: 'outage' });
      expect(JSON.stringify(fetched)).toMatch(/CERT|SIGNATURE|ISSUER/);
    },
  );
});

describe('The freshness of an answer', () => {
  const date = 'Sun, 06 Nov 1994 08:00:00 GMT';
  // Contract: organization-mcp#cache-of-a-document — Cached by its headers, bounded
  it.each([
    [{}, 300],
    [{ 'cache-control': 'max-age=0' }, 300],
    [{ 'cache-control': 'max-age=299' }, 300],
    [{ 'cache-control': 'max-age=3600' }, 3600],
    [{ 'cache-control': 'MAX-AGE = "3600", public' }, 3600],
    [{ 'cache-control': 'max-age=3600', age: '600' }, 3000],
    [{ 'cache-control': 'max-age=3600', age: 'old' }, 3600],
    [{ 'cache-control': 's-maxage=7200, max-age=3600' }, 7200],
    [{ 'cache-control': 'x-max-age=3600' }, 300],
    [{ 'cache-control': 'max-age=-1' }, 300],
    [{ 'cache-control': 'no-store, max-age=3600' }, 300],
    [{ 'cache-control': 'no-cache' }, 300],
    [{ 'cache-control': 'max-age=99999999999999' }, 86_400],
    [{ 'cache-control': 'max-age=86401' }, 86_400],
    [{ expires: 'Sun, 06 Nov 1994 09:00:00 GMT', date }, 3600],
    [{ expires: 'Sun, 06 Nov 1994 07:00:00 GMT', date }, 300],
    [{ expires: 'Sun, 06 Nov 2044 07:00:00 GMT', date }, 86_400],
    [{ expires: '0', date }, 300],
    [{ expires: 'Sun, 06 Nov 1994 09:00:00 GMT' }, 300],
    [{ 'cache-control': 'max-age=600', expires: 'Sun, 06 Nov 1994 09:00:00 GMT', date }, 600],
  ])('with %j is %s seconds', (headers, seconds) => {
    expect(freshSecondsOf(headers)).toBe(seconds);
  });
});
