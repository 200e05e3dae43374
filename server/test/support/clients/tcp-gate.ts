/** A connection to a TCP server that a test can cut and restore: a network fault, without touching the server. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface TcpGate {
  readonly port: number;
  /** Cuts every connection; new ones are cut at once. */
  cut(): void;
  /** Passes connections on again. */
  repair(): void;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1 and passes connections on to `host:port`. */
export const openTcpGate = async (host: string, port: number): Promise<TcpGate> => {
  const sockets = new Set<Socket>();
  let isOpen = true;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const gate = createServer((near) => {
    if (!isOpen) {
      near.destroy();
      return;
    }
    const far = connect(port, host);
    for (const socket of [near, far]) keep(socket);
    near.on('close', () => far.destroy()).pipe(far);
    far.on('close', () => near.destroy()).pipe(near);
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const address = gate.address();
  const cut = (): void => {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut,
    repair: () => {
      isOpen = true;
    },
    close: async () => {
      cut();
      gate.close();
      await once(gate, 'close');
    },
  };
};
