/**
 * One keep-alive connection that sends prepared bytes and finds the end of each answer by its content-length, or by the
 * empty last chunk: on two cores a generator that builds and parses more would measure itself.
 */
import { connect, type Socket } from 'node:net';

const endOfHead = Buffer.from('\r\n\r\n');
const lengthHeader = Buffer.from('content-length: ');
const endOfChunks = Buffer.from('\r\n0\r\n\r\n');
const [carriageReturn, zero, two] = [13, 48, 50];
const tooMany = Buffer.from(' 429 ');

export interface ConnectionEvents {
  /** Returns the next request, or null at the end. */
  answered(body: Buffer): void;
  failed(error: Error): void;
}

export class Connection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  readonly #bearsRefusals: boolean;
  #received: Buffer = Buffer.alloc(0);

  /** @param acceptsRefusals whether 429 counts as an answer like others */
  constructor(port: number, acceptsRefusals: boolean, events: ConnectionEvents) {
    this.#bearsRefusals = acceptsRefusals;
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
    const end = endOf(answer, bodyStart);
    if (end === null || answer.length < end) return;
    this.#received = Buffer.alloc(0);
    // HTTP/1.1 2xx: the digit is at the tenth place.
    if (answer[9] === two || (this.#bearsRefusals && answer.indexOf(tooMany) === 8))
      this.#events.answered(answer.subarray(bodyStart, end));
    else this.#events.failed(new Error(`The server answered ${answer.toString('utf8', 0, 2000)}`));
  }
}

/** End of the answer; null until the last chunk has come. */
const endOf = (answer: Buffer, bodyStart: number): number | null => {
  const header = answer.indexOf(lengthHeader);
  if (header < 0 || header > bodyStart) return endByOtherHeaders(answer, bodyStart);
  let length = 0;
  for (let at = header + lengthHeader.length; answer[at] !== carriageReturn; at += 1) {
    length = length * 10 + (answer[at] ?? zero) - zero;
  }
  return bodyStart + length;
};

/** For peers that spell the header differently, or send chunks. */
const endByOtherHeaders = (answer: Buffer, bodyStart: number): number | null => {
  const head = answer.toString('latin1', 0, bodyStart);
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1];
  if (length !== undefined) return bodyStart + Number(length);
  if (!/\r\ntransfer-encoding: chunked\r\n/i.test(head)) throw new Error('An answer without a length');
  const last = answer.indexOf(endOfChunks, bodyStart);
  return last < 0 ? null : last + endOfChunks.length;
};
