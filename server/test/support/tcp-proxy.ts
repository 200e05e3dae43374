/** A stretch of network between a server and its database, which a test can cut or clog. */
import { connect, createServer, type Server, type Socket } from 'node:net';

interface Stretch {
  readonly near: Socket;
  readonly far: Socket;
}

export class TcpProxy {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #stretches = new Set<Stretch>();
  #server: Server | null = null;
  #port = 0;
  #isClogged = false;

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

  /** Ends every connection and refuses new ones. */
  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    const closed = new Promise<void>((resolve) => {
      if (server === null) resolve();
      else server.close(() => resolve());
    });
    for (const stretch of this.#stretches) this.#drop(stretch);
    await closed;
  }

  /** Connections stay, and new ones are taken, but nothing comes through. */
  clog(): void {
    this.#isClogged = true;
    for (const { near, far } of this.#stretches) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  }

  /** Lets everything through again, also what was sent meanwhile. */
  async restore(): Promise<void> {
    this.#isClogged = false;
    for (const stretch of this.#stretches) flow(stretch);
    if (this.#server !== null) return;
    const server = createServer((near) => this.#accept(near));
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
    const stretch = { near, far: connect(this.#target) };
    this.#stretches.add(stretch);
    for (const socket of [near, stretch.far]) {
      socket.on('error', () => this.#drop(stretch));
      socket.on('close', () => this.#drop(stretch));
    }
    if (!this.#isClogged) flow(stretch);
  }

  #drop(stretch: Stretch): void {
    this.#stretches.delete(stretch);
    stretch.near.destroy();
    stretch.far.destroy();
  }
}

const flow = ({ near, far }: Stretch): void => {
  near.pipe(far);
  far.pipe(near);
};
