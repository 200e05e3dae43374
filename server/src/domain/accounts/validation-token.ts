/** The secret in a verification link (specification, "Limits": 32 random bytes as hex). */
import { randomHex } from '../../kernel/secrets.ts';

const bytes = 32;
const shape = /^[0-9a-f]{64}$/;

export const newValidationToken = (): string => randomHex(bytes);

/** Whether a text can be such a token at all. Asks nobody. */
export const isWellFormedValidationToken = (text: string): boolean => shape.test(text);
