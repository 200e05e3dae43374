/** Password hashes of tests: bcrypt at its minimum cost, without the queue. */
import { compare, hash } from 'bcrypt';
import type { PasswordHasher } from '../platform/passwords/password-hasher.ts';

const rounds = 4;
const dummy = hash(crypto.randomUUID(), rounds);

export const cheapPasswords: PasswordHasher & { readonly rounds: number } = {
  rounds,
  requireRoom: () => undefined,
  hash: (password) => hash(password, rounds),
  matches: async (password, known) => (await compare(password, known ?? (await dummy))) && known !== null,
  load: () => ({ running: 0, waiting: 0 }),
  close: () => Promise.resolve(),
};
