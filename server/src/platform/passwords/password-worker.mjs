// A thread that hashes and compares passwords, one at a time, at the process' priority (decision 0083). Plain
// JavaScript: stripping types in each thread would cost megabytes.
import { parentPort } from 'node:worker_threads';
import { compareSync, hashSync } from 'bcrypt';

/** Takes 2 ** cost rounds also for a hash made with fewer: 2 ** c, then 2 ** c and twice as many each time. */
const compare = (password, hash, cost) => {
  const fits = compareSync(password, hash);
  for (let at = Number(hash.split('$')[2]); at < cost; at += 1) hashSync(password, at);
  return fits;
};

parentPort.on('message', ({ id, password, hash, cost }) => {
  try {
    const value = hash === undefined ? hashSync(password, cost) : compare(password, hash, cost);
    parentPort.postMessage({ id, value });
  } catch (error) {
    parentPort.postMessage({ id, error: error instanceof Error ? error.message : 'bcrypt failed' });
  }
});
