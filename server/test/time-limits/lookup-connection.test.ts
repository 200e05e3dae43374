/** The connection for lookups, with a server that answers as told and never closes a connection by itself. */
import { createServer, type Socket } from 'node:net';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { greeting } from '../../src/platform/database/embedded/embedded-stream.ts';
import { LookupConnection } from '../../src/platform/database/lookup-connection.ts';
import { trustingWatch } from '../support/database/trusting-watch.ts';
import { fixture } from '../support/fixture.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { waitAsInProduction } from '../support/gatehouse/wait-limits.ts';
import { listen } from '../support/servers/listen.ts';

waitAsInProduction();

const message = (type: string, body: string): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};

const startingUp = message('E', 'SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0');
/** Sends a reset at the end: a half-closed connection can still be written to. */
const notice = message('N', 'SNOTICE\0VNOTICE\0C00000\0Mstill here\0\0');
const done = Buffer.concat([message('C', 'SET\0'), message('Z', 'I')]);

let isStartingUp = false;
let refused = 0;
const sockets = new Set<Socket>();

/** Each chunk after the greeting is one query, or a few with the same answer. */
const serve = (socket: Socket): void => {
  sockets.add(socket);
  const noticing = setInterval(() => socket.write(notice), 100);
  // It detects a disconnected peer by the reset.
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    clearInterval(noticing);
    sockets.delete(socket);
  });
  socket.once('data', () => {
    if (isStartingUp) refused += 1;
    socket.write(isStartingUp ? startingUp : greeting());
    socket.on('data', (bytes) => {
      for (const byte of bytes) if (byte === 'Q'.charCodeAt(0)) socket.write(done);
    });
  });
};

const server = fixture(() => listen(createServer({ allowHalfOpen: true }, serve)));

const newConnection = () => {
  const events: string[] = [];
  const note = ({ event }: { readonly event: string }): void => void events.push(event);
  const logger = { ...silentLogger, info: note, warn: note };
  const config = { host: '127.0.0.1', port: server.port, user: 'test', connectionTimeoutMillis: 1_000 };
  const newClient = (settings: pg.ClientConfig) => new pg.Client({ ...config, ...settings });
  return { connection: new LookupConnection(newClient, trustingWatch(), logger), events };
};

describe('The connection for lookups', () => {
  it('is refused at once by a server that is starting, even when that keeps the socket open', async () => {
    isStartingUp = true;
    const { connection } = newConnection();
    await expect(connection.open()).rejects.toThrow('starting up');
    await expect.poll(() => sockets.size, { interval: 20 }).toBe(0);
    isStartingUp = false;
  });

  it('is retried until that server has started, and closes even when that does not', async () => {
    const { connection, events } = newConnection();
    await connection.open();
    isStartingUp = true;
    refused = 0;
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => refused, { interval: 20 }).toBeGreaterThan(2);
    isStartingUp = false;
    await expect.poll(() => events, { interval: 20 }).toContain('database.lookups_back');
    await connection.close();
    await expect.poll(() => sockets.size, { interval: 20 }).toBe(0);
  });
});
