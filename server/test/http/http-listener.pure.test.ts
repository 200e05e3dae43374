/** Shutdown of a listening server, for any behaviour of its clients. */
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { HttpListener } from '../../src/app/http-listener.ts';
import { RawConnection } from '../support/clients/raw-http.ts';

const never = 600_000;

/** Short timeout for clients, none for work. */
const shortWithClients = { withClients: 20, withWork: never };

const start = async () => {
  const http = Fastify();
  const begun = Promise.withResolvers<void>();
  const work = Promise.withResolvers<string>();
  http.post('/', async () => 'done');
  http.get('/work', () => {
    begun.resolve();
    return work.promise;
  });
  http.server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.pipe(socket);
  });
  const listener = new HttpListener(http);
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as AddressInfo;
  return {
    listener,
    url: `http://127.0.0.1:${port}`,
    /** Resolves when `GET /work` is being served. */
    workHasBegun: begun.promise,
    endWork: () => work.resolve('done'),
  };
};

describe('The shutdown of a listening server', () => {
  it('ends after the timeout when a client never sends the rest of its request', async () => {
    const { listener, url } = await start();
    const connection = await RawConnection.open(url);
    connection.write('POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n');
    await connection.received(/^HTTP\/1\.1 100 /m);
    connection.write('x');
    await listener.close(shortWithClients);
    expect(await connection.closed()).not.toContain('200');
  });

  it('ends after the timeout when a connection was upgraded', async () => {
    const { listener, url } = await start();
    const asked = request(url, { headers: { connection: 'Upgrade', upgrade: 'echo' } }).end();
    const ended = new Promise((resolve) => {
      asked.on('upgrade', (_response, socket) => socket.on('error', resolve).on('close', resolve));
    });
    await new Promise((resolve) => {
      asked.on('upgrade', resolve);
    });
    await listener.close(shortWithClients);
    await ended;
  });

  it('waits longer for a request in progress than for an unsent one', async () => {
    const { listener, url, workHasBegun, endWork } = await start();
    const [slow, unsent] = [await RawConnection.open(url), await RawConnection.open(url)];
    slow.write('GET /work HTTP/1.1\r\nHost: a\r\n\r\n');
    await workHasBegun;
    unsent.write('POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n');
    await unsent.received(/^HTTP\/1\.1 100 /m);
    const closed = listener.close(shortWithClients);
    await unsent.closed();
    endWork();
    await closed;
    expect(await slow.closed()).toMatch(/^HTTP\/1\.1 200 [\s\S]*done$/);
  });

  it('ends after the timeout for requests in progress when a request never ends', async () => {
    const { listener, url, workHasBegun } = await start();
    const endless = await RawConnection.open(url);
    endless.write('GET /work HTTP/1.1\r\nHost: a\r\n\r\n');
    await workHasBegun;
    await listener.close({ withClients: never, withWork: 20 });
    expect(await endless.closed()).toBe('');
  });

  it('ends at once when no connection is left', async () => {
    const { listener } = await start();
    await listener.close({ withClients: never, withWork: never });
  });
});
