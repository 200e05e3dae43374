/**
 * Servers of tests on this machine, for any protocol: each listens on 127.0.0.1, and closes with all its connections.
 */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

export interface Listening {
  readonly port: number;
  /** For HTTP servers. */
  readonly url: string;
  /** Cuts every connection; no effect once it is closed. */
  readonly close: () => Promise<void>;
}

/**
 * @param port a free one unless it is given
 * @param host an address of this machine
 */
export const listen = async (server: Server, port = 0, host = '127.0.0.1'): Promise<Listening> => {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  // A client that keeps connections open must not meet the end of an idle one, which could come as it sends.
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = 0;
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return {
    port: address.port,
    url: `http://${host}:${address.port}`,
    close: async () => {
      if (!server.listening) return;
      server.close();
      for (const connection of connections) connection.destroy();
      await once(server, 'close');
    },
  };
};

/** Of 127.0.0.1, for a server that is told its port. */
export const freePort = async (): Promise<number> => {
  const { port, close } = await listen(createServer());
  await close();
  return port;
};
