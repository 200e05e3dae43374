/** Real bcrypt hashes at bcrypt's minimum cost, without the queue: few tests are about that cost. */
import { compare, hash } from 'bcrypt';
import type { PasswordHasher } from '../../../src/platform/passwords/password-hasher.ts';

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
