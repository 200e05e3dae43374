/**
 * The embedded engine in its worker thread: PGlite, with bytes of the wire protocol as input and output, so that the
 * service's event loop stays free while a statement runs.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import { describeThrown, stopWhenBroken } from './embedded-break.ts';
import type { EngineWorkerData, FromWorker, ToWorker } from './embedded-engine.ts';
import { openFiles } from './embedded-files.ts';

const tell = (port: MessagePort, message: FromWorker): void => {
  if (message.kind === 'answer') port.postMessage(message, [message.bytes.buffer as ArrayBuffer]);
  else port.postMessage(message);
};

/** Stops this thread permanently. The process terminates it; until then it must not touch the files. */
const freeze = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};

/** Takes all messages waiting on the port, so that concurrent statements run in one call of the engine. */
const takeAll = (port: MessagePort, first: ToWorker): ToWorker[] => {
  const taken = [first];
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
    taken.push(next.message as ToWorker);
  }
  return taken;
};

const serve = (port: MessagePort, engine: PGlite): void => {
  let output: Buffer[] = [];
  const broken = (reason: string): void => {
    tell(port, { kind: 'broken', reason });
    freeze();
  };
  stopWhenBroken(engine, () => Buffer.concat(output), broken);
  const execute = async (messages: readonly Uint8Array[]): Promise<void> => {
    output = [];
    const input = messages.length === 1 && messages[0] !== undefined ? messages[0] : Buffer.concat(messages);
    await engine.execProtocolRawStream(input, { onRawData: (bytes) => output.push(Buffer.from(bytes)) });
    tell(port, { kind: 'answer', bytes: new Uint8Array(Buffer.concat(output)) });
  };
  let running: Promise<void> = Promise.resolve();
  port.on('message', (first: ToWorker) => {
    const taken = takeAll(port, first);
    const messages = taken.filter((message) => message !== 'close');
    if (messages.length > 0) running = running.then(() => execute(messages));
    if (messages.length < taken.length) running = running.then(() => closeEngine(port, engine));
  });
};

const closeEngine = async (port: MessagePort, engine: PGlite): Promise<void> => {
  await engine.close();
  tell(port, { kind: 'closed' });
};

const main = async (port: MessagePort): Promise<void> => {
  const { directory, prepared } = workerData as EngineWorkerData;
  try {
    const engine = await openFiles(directory, prepared);
    serve(port, engine);
    tell(port, { kind: 'ready' });
  } catch (thrown) {
    tell(port, { kind: 'broken', reason: describeThrown(thrown) });
  }
};

if (parentPort === null) throw new Error('The embedded database runs in a worker thread only');
await main(parentPort);
