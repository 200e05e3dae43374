/** Handmade HTTP, for requests that fetch does not allow: in pieces, pipelined, with invalid URLs. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export class RawConnection {
  readonly #socket: Socket;
  #received = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8').on('data', (part: string) => {
      this.#received += part;
    });
    // The close that follows ends each wait.
    socket.on('error', () => undefined);
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  write(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Resolves when the system has accepted all of it, or when the other side has closed the connection. */
  async sent(bytes: Uint8Array): Promise<void> {
    if (this.#socket.destroyed) return;
    await new Promise<void>((resolve) => {
      this.#socket.write(bytes, () => resolve());
    });
  }

  /** Resolves with everything received once there is a whole answer, or the connection has ended. */
  async answered(): Promise<string> {
    while (!/^HTTP\/1\.1 [2-5]/m.test(this.#received) && !this.#socket.readableEnded && !this.#socket.destroyed) {
      await new Promise<void>((resolve) => {
        this.#socket.once('data', () => resolve()).once('close', () => resolve());
      });
    }
    return this.#received;
  }

  /** Resolves with everything received so far once it matches; rejects when the connection ends before. */
  async received(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.#received)) {
      if (this.#socket.readableEnded || this.#socket.destroyed) throw new Error(`It ended with: ${this.#received}`);
      await Promise.race([once(this.#socket, 'data'), once(this.#socket, 'close')]);
    }
    return this.#received;
  }

  /** Resolves with everything received once the other side has closed the connection. */
  async closed(): Promise<string> {
    await new Promise<void>((resolve) => {
      if (this.#socket.closed) resolve();
      else this.#socket.once('close', () => resolve());
    });
    return this.#received;
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Starts a POST to /graphql, and resolves once the server waits for its body; the returned function sends that. */
export const beginPost = async (connection: RawConnection, query: string, variables = {}): Promise<() => void> => {
  const body = JSON.stringify({ query, variables });
  const head = [
    'POST /graphql HTTP/1.1',
    'Host: gatehouse',
    'Content-Type: application/json',
    'Accept: application/graphql-response+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Expect: 100-continue',
  ];
  connection.write(`${head.join('\r\n')}\r\n\r\n`);
  await connection.received(/^HTTP\/1\.1 100 /m);
  return () => connection.write(body);
};

export const isListening = async (url: string): Promise<boolean> => {
  try {
    (await RawConnection.open(url)).close();
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ECONNREFUSED') return false;
    // The port was closed under the connection: the next one is refused.
    if (code === 'ECONNRESET') return true;
    throw error;
  }
};
