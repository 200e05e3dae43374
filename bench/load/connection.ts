/**
 * One keep-alive connection that sends prepared bytes and finds the end of each answer by its content-length: on two
 * cores a generator that builds and parses more would be measured instead of the server.
 */
import { connect, type Socket } from 'node:net';

const endOfHead = Buffer.from('\r\n\r\n');
const lengthHeader = Buffer.from('content-length: ');
const [carriageReturn, zero, two] = [13, 48, 50];

export interface ConnectionEvents {
  /** The next request, when there is to be one. */
  answered(body: Buffer): void;
  failed(error: Error): void;
}

export class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  #received: Buffer = Buffer.alloc(0);

  constructor(port: number, events: ConnectionEvents) {
    this.#events = events;
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#socket.on('error', (error) => events.failed(error));
    this.#socket.on('end', () => events.failed(new Error('The server closed a connection')));
  }

  send(request: Buffer): void {
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const answer = this.#received;
    const bodyStart = answer.indexOf(endOfHead) + endOfHead.length;
    if (bodyStart < endOfHead.length) return;
    const end = bodyStart + contentLength(answer, bodyStart);
    if (answer.length < end) return;
    this.#received = Buffer.alloc(0);
    // HTTP/1.1 2xx: the digit stands at the tenth place.
    if (answer[9] === two) this.#events.answered(answer.subarray(bodyStart, end));
    else this.#events.failed(new Error(`The server answered ${answer.toString('utf8', 0, 2000)}`));
  }
}

const contentLength = (answer: Buffer, bodyStart: number): number => {
  const header = answer.indexOf(lengthHeader);
  if (header < 0 || header > bodyStart) throw new Error('An answer without content-length');
  let length = 0;
  for (let at = header + lengthHeader.length; answer[at] !== carriageReturn; at += 1) {
    length = length * 10 + (answer[at] ?? zero) - zero;
  }
  return length;
};
