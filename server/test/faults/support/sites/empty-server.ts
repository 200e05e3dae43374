/** The minimum cost of a server on this machine: a process that answers `{}`. Prints its address. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens at no port');
  process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
