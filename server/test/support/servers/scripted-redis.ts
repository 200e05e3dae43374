/** A server with Redis's protocol and the answers of a test; a real one sends some of them only in trouble. */
import { createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';

/** The reply to a command; null leaves it without one, {@link goodbye} ends the connection. */
export type Script = (command: readonly string[]) => string | null;

export const goodbye = '';

export interface ScriptedRedis {
  readonly url: string;
  /** Number of connections so far. */
  readonly accepted: () => number;
  readonly open: () => number;
  dropAll(): void;
  follow(script: Script): void;
  close(): Promise<void>;
}

export const hello = '%1\r\n$6\r\nserver\r\n$5\r\nredis\r\n';
const ok = '+OK\r\n';

/** The answer to INFO of a Redis with a limit of memory. */
export const infoOf = (policy: string): string => {
  const info = `maxmemory:100\r\nmaxmemory_policy:${policy}\r\n`;
  return `$${info.length}\r\n${info}\r\n`;
};

/** What a new connection asks. */
const greeting = (verb: string | undefined): string | null => {
  if (verb === 'HELLO') return hello;
  return verb === 'INFO' ? infoOf('noeviction') : null;
};

/** Everything works, and nothing is stored. */
export const obliging: Script = ([verb]) => greeting(verb) ?? ok;

/** Accepts every login, and answers every command with this. */
export const answering =
  (reply: string | null): Script =>
  ([verb]) =>
    greeting(verb) ?? (verb === 'CLIENT' ? ok : reply);

/** @param port 0 takes a free one */
export const startScriptedRedis = async (first: Script, port = 0): Promise<ScriptedRedis> => {
  const sockets = new Set<Socket>();
  let script = first;
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    let rest = '';
    socket.on('data', (chunk: Buffer) => {
      const { commands, left } = commandsIn(rest + chunk.toString('latin1'));
      rest = left;
      for (const command of commands) {
        const reply = script(command);
        if (reply === goodbye) socket.destroy();
        else if (reply !== null) socket.write(reply);
      }
    });
  });
  const listening = await listen(server, port);
  const dropAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `redis://127.0.0.1:${listening.port}`,
    accepted: () => accepted,
    open: () => sockets.size,
    dropAll,
    follow: (next) => {
      script = next;
    },
    close: listening.close,
  };
};

/** Commands are arrays of bulk strings, `*2 $3 GET $1 a` with line breaks between. */
const commandsIn = (text: string): { readonly commands: readonly (readonly string[])[]; readonly left: string } => {
  const commands: string[][] = [];
  let left = text;
  for (;;) {
    const next = commandAt(left);
    if (next === null) return { commands, left };
    commands.push(next.command);
    left = left.slice(next.length);
  }
};

const commandAt = (text: string): { readonly command: string[]; readonly length: number } | null => {
  const head = /^\*(\d+)\r\n/.exec(text);
  if (head === null) return null;
  let at = head[0].length;
  const command: string[] = [];
  for (let index = 0; index < Number(head[1]); index += 1) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at));
    if (size === null) return null;
    const begin = at + size[0].length;
    const end = begin + Number(size[1]);
    if (text.length < end + 2) return null;
    command.push(text.slice(begin, end));
    at = end + 2;
  }
  return { command, length: at };
};
