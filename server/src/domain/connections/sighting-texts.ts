/** What may be written of a sighting: texts of strangers, made short and free of what must not be kept. Pure. */
import { plainAddress } from '../../kernel/network.ts';

const longestUserAgent = 200;
const longestDetail = 300;
const longestIp = 64;

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not reach the database or a page
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** Whoever puts a token where none belongs must not find it in a record. */
const token = /gate_[a-z]_[\w-]*/g;

const cleaned = (text: string, longest: number): string =>
  // Cut twice, so that a text of any length costs little.
  text
    .slice(0, longest * 2)
    .replaceAll(unprintable, '')
    .replaceAll(token, 'gate_…')
    .slice(0, longest)
    .toWellFormed();

/** Empty for none. */
export const cleanUserAgent = (userAgent: string | null): string => cleaned(userAgent ?? '', longestUserAgent);

/** Empty for none. Ends before a query or a fragment: both can hold a secret. */
export const cleanDetail = (detail: string | null): string =>
  cleaned((detail ?? '').slice(0, longestDetail * 2).split(/[?#]/, 1)[0] ?? '', longestDetail);

/** Short, and in one spelling. */
export const cleanIp = (ip: string): string => cleaned(plainAddress(ip), longestIp);
