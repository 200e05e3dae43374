/**
 * What the record keeps of a call's arguments: a keyed digest, alike for equal arguments, so that two calls can be
 * compared; without the key nobody can tell by trying whether a guess is right.
 */
import type { Keyring } from '../../kernel/secrets.ts';

/**
 * @param args as they were parsed from JSON; absent ones are the same as none, `{}`
 * @returns HMAC-SHA256 over their canonical JSON, as base64url; another one after GATEHOUSE_SECRET changed
 */
export const argumentDigest = (keyring: Keyring, args: unknown): string =>
  keyring.mac('digest of tool arguments', canonicalJson(args === undefined ? {} : args));

/** A value that is still to be written, or text as it is. */
type Piece = { readonly value: unknown } | string;

/**
 * JSON in the one form of RFC 8785: no space, members in the order of their names' UTF-16 code units. Written with a
 * stack of its own: depth is the client's choice and must not be able to exhaust ours.
 */
export const canonicalJson = (value: unknown): string => {
  const written: string[] = [];
  const ahead: Piece[] = [{ value }];
  for (let piece = ahead.pop(); piece !== undefined; piece = ahead.pop()) {
    if (typeof piece === 'string') written.push(piece);
    else for (const next of piecesOf(piece.value)) ahead.push(next);
  }
  return written.join('');
};

/** Last piece first, as a stack takes them. */
const piecesOf = (value: unknown): Piece[] => {
  if (Array.isArray(value))
    return enclosed(
      '[',
      value.map((item: unknown): Piece[] => [{ value: item }]),
      ']',
    );
  if (typeof value === 'object' && value !== null) return enclosed('{', membersOf(value), '}');
  return [JSON.stringify(value) ?? 'null'];
};

const membersOf = (value: object): Piece[][] => {
  const members: [string, unknown][] = Object.entries(value);
  return members
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => [`${JSON.stringify(name)}:`, { value: member }]);
};

const enclosed = (opening: string, items: readonly Piece[][], closing: string): Piece[] =>
  [opening, ...items.flatMap((item, index) => (index === 0 ? item : [',', ...item])), closing].reverse();
