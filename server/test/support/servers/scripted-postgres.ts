/** PostgreSQL servers of tests that only say which role they have. */
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { greeting } from '../../../src/platform/database/embedded/embedded-stream.ts';
import { type Listening, listen } from './listen.ts';

/** `silent`: it accepts connections and never answers; else an error with its SQLSTATE ends the session. */
export type Role = 'primary' | 'standby' | 'silent' | { readonly refuses: string };

export interface ScriptedPostgres extends Listening {
  role: Role;
  timeline: number;
  /** What it waits for before it tells its timeline. */
  after: Promise<unknown>;
  /** Resolves once it has told its timeline. */
  readonly told: Promise<unknown>;
  /** Sessions that began. */
  readonly sessions: number;
}

const message = (type: string, ...parts: readonly (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

const numbers = (...values: readonly (readonly [size: number, value: number])[]): Buffer =>
  Buffer.concat(
    values.map(([size, value]) => {
      const bytes = Buffer.alloc(size);
      bytes.writeIntBE(value, 0, size);
      return bytes;
    }),
  );

const [boolean, text] = [16, 25];

/** The answer to a query: one value. */
const answer = (name: string, type: number, value: string): Buffer =>
  Buffer.concat([
    message('T', numbers([2, 1]), `${name}\0`, numbers([4, 0], [2, 0], [4, type], [2, -1], [4, -1], [2, 0])),
    message('D', numbers([2, 1], [4, value.length]), value),
    message('C', 'SELECT 1\0'),
    message('Z', 'I'),
  ]);

const tlsRequest = 80_877_103;

/** @param certificate a fixture with key and certificate; absent: without TLS */
export const startScriptedPostgres = async (
  role: Role,
  certificate?: URL,
  address?: string,
): Promise<ScriptedPostgres> => {
  let sessions = 0;
  const serve = (socket: Socket): void => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (bytes) => {
      if (certificate !== undefined && bytes.readInt32BE(4) === tlsRequest) {
        socket.write('S');
        const pem = readFileSync(certificate);
        serve(new TLSSocket(socket, { isServer: true, key: pem, cert: pem }));
        return;
      }
      begin(socket);
    });
  };
  const { promise: told, resolve: tell } = Promise.withResolvers<unknown>();
  const answerTimeline = async (socket: Socket): Promise<void> => {
    await scripted.after;
    socket.write(answer('timeline', text, scripted.timeline.toString(16).padStart(8, '0')), tell);
  };
  const begin = (socket: Socket): void => {
    if (scripted.role === 'silent') return;
    if (typeof scripted.role === 'object') {
      socket.end(message('E', `SFATAL\0C${scripted.role.refuses}\0Mnot this one\0\0`));
      return;
    }
    sessions += 1;
    socket.write(greeting());
    socket.on('data', (bytes) => {
      if (bytes[0] !== 'Q'.charCodeAt(0)) socket.end();
      else if (bytes.includes('timeline')) answerTimeline(socket).catch(() => socket.destroy());
      else socket.write(answer('isStandby', boolean, scripted.role === 'standby' ? 't' : 'f'));
    });
  };
  const listening = await listen(createServer(serve), 0, address);
  const scripted = {
    ...listening,
    role,
    timeline: 1,
    after: Promise.resolve(),
    told,
    get sessions() {
      return sessions;
    },
  };
  return scripted;
};
