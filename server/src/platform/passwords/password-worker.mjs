// One thread that hashes and compares passwords, one at a time, at a low priority, so that hashing takes what
// requests leave over. Plain JavaScript: a thread that strips types would cost megabytes for nothing.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { compareSync, hashSync } from '@node-rs/bcrypt';

// On Linux a priority of process 0 is that of the calling thread; elsewhere it would be the whole process's.
if (process.platform === 'linux') setPriority(0, 10);

/** Takes 2 ** cost rounds also where the hash was made with fewer: 2 ** c, then 2 ** c and twice as many each time. */
const compare = (password, hash, cost) => {
  const fits = compareSync(password, hash);
  for (let at = Number(hash.split('$')[2]); at < cost; at += 1) hashSync(password, { cost: at });
  return fits;
};

parentPort.on('message', ({ id, password, hash, cost }) => {
  try {
    const value = hash === undefined ? hashSync(password, { cost }) : compare(password, hash, cost);
    parentPort.postMessage({ id, value });
  } catch (error) {
    parentPort.postMessage({ id, error: error instanceof Error ? error.message : 'bcrypt failed' });
  }
});
