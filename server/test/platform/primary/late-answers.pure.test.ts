/** Answers that came while the thread was busy for longer than a statement may take. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type Answer, runText, type StatementClient } from '../../../src/platform/database/connection.ts';
import { DatabaseUnavailable } from '../../../src/platform/database/database.ts';
import { listen } from '../../support/servers/listen.ts';

const timeoutMillis = 20;

/** Both ends of a connection. */
const newConnection = async (): Promise<readonly [client: Socket, server: Socket]> => {
  const listener = createServer();
  const { port, close } = await listen(listener);
  const client = connect(port, '127.0.0.1');
  const [server] = (await once(listener, 'connection')) as [Socket];
  onTestFinished(async () => {
    client.destroy();
    server.destroy();
    await close();
  });
  return [client, server];
};

const empty: Answer = { command: 'SELECT', rows: [], rowCount: 0 };

/** A client whose statements are answered by the next data that arrives. */
const answeredBy = (stream: Socket): StatementClient => ({
  connection: { stream },
  query: (_options, callback) => void stream.once('data', () => callback(null, empty)),
});

const blockFor = (millis: number): void => {
  const end = performance.now() + millis;
  while (performance.now() < end);
};

// Contract: operation#deadline-of-a-request — What the process itself needs does not count as a wait of a request
it('are taken, and the connection is kept', async () => {
  const [client, server] = await newConnection();
  const answer = runText(answeredBy(client), 'SELECT 1', timeoutMillis);
  server.write('answer');
  blockFor(10 * timeoutMillis);
  expect(await answer.catch((error: unknown) => error)).toBe(empty);
  expect(client.destroyed).toBe(false);
});

it('that did not come are given up, with their connection', async () => {
  const [client] = await newConnection();
  await expect(runText(answeredBy(client), 'SELECT 1', timeoutMillis)).rejects.toBeInstanceOf(DatabaseUnavailable);
  expect(client.destroyed).toBe(true);
});
