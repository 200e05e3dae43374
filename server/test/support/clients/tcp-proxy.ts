/** A network link between a server and its database, which a test can cut or block. */
import { connect, createServer, type Server, type Socket } from 'node:net';

interface Stretch {
  readonly near: Socket;
  readonly far: Socket;
  /** The last matching message of a connection. */
  said: string;
}

/** Interrupts matching messages of a client: the connection is reset at the message. */
export interface Interception {
  readonly said: RegExp;
  /** Whether the target still receives it: then it executes the message, and only its answer is lost. */
  readonly isDelivered: () => boolean;
  /**
   * Which of the matching messages are interrupted.
   * @param said the message and everything sent with it
   * @param before the previous match on this connection; an empty text when there was none
   */
  readonly isInterrupted: (said: string, before: string) => boolean;
}

export class TcpProxy {
  #target: { readonly host: string; readonly port: number };
  readonly #stretches = new Set<Stretch>();
  readonly #forgotten: Stretch[] = [];
  #server: Server | null = null;
  #port = 0;
  #isClogged = false;
  #ambush: Interception | null = null;

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#target = target;
  }

  static async start(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await proxy.restore();
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  /** The ports from which the target sees the connections. */
  get farPorts(): readonly number[] {
    return [...this.#stretches].flatMap(({ far }) => far.localPort ?? []);
  }

  /** New connections lead there; existing ones stay where they are. */
  redirect(target: { readonly host: string; readonly port: number }): void {
    this.#target = target;
  }

  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    const closed = new Promise<void>((resolve) => {
      if (server === null) resolve();
      else server.close(() => resolve());
    });
    for (const stretch of [...this.#stretches, ...this.#forgotten]) this.#drop(stretch);
    await closed;
  }

  /** Connections stay open, and new ones are accepted, but no bytes pass. */
  block(): void {
    this.#isClogged = true;
    for (const stretch of this.#stretches) halt(stretch);
  }

  /** No bytes pass the existing connections, permanently; new ones work. */
  forget(): void {
    for (const stretch of this.#stretches) halt(stretch);
    this.#forgotten.push(...this.#stretches);
    this.#stretches.clear();
  }

  /** Resets connections from now on, existing and new ones; null stops that. */
  intercept(how: Interception | null): void {
    this.#ambush = how;
  }

  /** Passes everything again, including bytes sent meanwhile. */
  async restore(): Promise<void> {
    this.#isClogged = false;
    for (const stretch of this.#stretches) flow(stretch);
    if (this.#server !== null) return;
    const server = createServer({ noDelay: true }, (near) => this.#accept(near));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The proxy does not listen');
    this.#port = address.port;
    this.#server = server;
  }

  #accept(near: Socket): void {
    // It adds no delays of its own: the drivers at both ends disable Nagle's algorithm too.
    const stretch: Stretch = { near, far: connect({ ...this.#target, noDelay: true }), said: '' };
    this.#stretches.add(stretch);
    for (const socket of [near, stretch.far]) {
      socket.on('error', () => this.#drop(stretch));
      socket.on('close', () => this.#drop(stretch));
    }
    // Before it is passed on.
    near.on('data', (chunk: Buffer) => this.#look(stretch, chunk));
    near.pause();
    if (!this.#isClogged) flow(stretch);
  }

  #look(stretch: Stretch, chunk: Buffer): void {
    const intercept = this.#ambush;
    const said = chunk.toString('latin1');
    if (intercept === null || !intercept.said.test(said)) return;
    const isInterrupted = intercept.isInterrupted(said, stretch.said);
    stretch.said = said;
    if (!isInterrupted) return;
    const { near, far } = stretch;
    if (!intercept.isDelivered()) far.resetAndDestroy();
    // After the target received the message, unless it is gone by then.
    process.nextTick(() => {
      near.resetAndDestroy();
      far.end();
    });
  }

  #drop(stretch: Stretch): void {
    this.#stretches.delete(stretch);
    stretch.near.destroy();
    stretch.far.destroy();
  }
}

const halt = ({ near, far }: Stretch): void => {
  near.unpipe(far).pause();
  far.unpipe(near).pause();
};

const flow = ({ near, far }: Stretch): void => {
  near.pipe(far);
  far.pipe(near);
};
