/** How a listening server ends, whatever its clients do meanwhile. */
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { HttpListener } from '../src/app/http-listener.ts';
import { RawConnection } from './support/raw-http.ts';

const patience = { withClients: 300, withWork: 1500 };

const start = async () => {
  const http = Fastify();
  http.post('/', async () => 'done');
  http.get<{ Params: { milliseconds: string } }>('/after/:milliseconds', async ({ params }) => {
    await sleep(Number(params.milliseconds), undefined, { ref: false });
    return 'done';
  });
  http.server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  const listener = new HttpListener(http);
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as AddressInfo;
  return { listener, url: `http://127.0.0.1:${port}` };
};

describe('The end of a listening server', () => {
  it('comes after its patience where a client never sends the rest of its request', async () => {
    const { listener, url } = await start();
    const connection = await RawConnection.open(url);
    connection.write('POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n');
    await connection.received(/^HTTP\/1\.1 100 /m);
    connection.write('x');
    await listener.close(patience);
    expect(await connection.closed()).not.toContain('200');
  });

  it('comes after its patience where a connection was upgraded', async () => {
    const { listener, url } = await start();
    const asked = request(url, { headers: { connection: 'Upgrade', upgrade: 'echo' } }).end();
    const ended = new Promise((resolve) => {
      asked.on('upgrade', (_response, socket) => socket.on('error', resolve).on('close', resolve));
    });
    await new Promise((resolve) => {
      asked.on('upgrade', resolve);
    });
    await listener.close(patience);
    await ended;
  });

  it('waits longer for a request that is worked on, and not for ever', async () => {
    const { listener, url } = await start();
    const [slow, endless] = [await RawConnection.open(url), await RawConnection.open(url)];
    slow.write('GET /after/800 HTTP/1.1\r\nHost: a\r\n\r\n');
    endless.write('GET /after/60000 HTTP/1.1\r\nHost: a\r\n\r\n');
    // Whoever answers another connection has heard of these before.
    await fetch(`${url}/after/0`);
    await listener.close(patience);
    expect(await slow.closed()).toMatch(/^HTTP\/1\.1 200 [\s\S]*done$/);
    expect(await endless.closed()).toBe('');
  });

  it('does not wait for its patience where nothing is left', async () => {
    const { listener } = await start();
    const begun = performance.now();
    await listener.close();
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});
