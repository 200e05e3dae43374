/** Rules for addresses, names, passwords (PASSWORD_BLOCKLIST) and searches: a reason without the input, or null. */
import { domainToASCII } from 'node:url';
import { requireValidInput } from '../../kernel/errors.ts';
import { controlCharacters, isPrintable, loneSurrogate, withoutInvisibleSigns } from '../../kernel/printable.ts';
import type { SearchText } from '../../platform/database/searched-list.ts';
import { isCommonPassword } from './common-passwords.ts';

/** The reason for which a text is refused, or null. */
type Reason = string | null;

/** Invisible characters: a name of these alone would be blank. */
const invisible = /[\p{Default_Ignorable_Code_Point}\s]/gu;

const codePoints = (text: string): number => [...text].length;

/**
 * An address as stored and compared: trimmed, lower case, domain in ASCII (IDNA), without invisible signs of pasting
 * except joiners in the domain (RFC 5892, appendix A).
 */
export const normalizeEmail = (typed: string): string => inAscii(typed).toLowerCase();

/** With the domain in ASCII; only trimmed and without invisible signs where it has no ASCII form. */
const inAscii = (typed: string): string => {
  const address = withoutInvisibleSigns(typed).trim();
  const [, local = '', domain = ''] = /^([^@]*@)([-a-z0-9.\u0080-\u{10ffff}]*)$/iu.exec(address) ?? [];
  // Hyphens at the ends of a label would be inside its ASCII form.
  if (!/\P{ASCII}/u.test(domain) || /(?:^|\.)-|-(?:\.|$)/.test(domain)) return address;
  const asTyped = typed.slice(typed.indexOf('@') + 1).trim();
  return `${local}${domainToASCII(asTyped) || domainToASCII(domain) || domain}`;
};

/**
 * One key for addresses that may share a mailbox: providers ignore dots and what follows a plus. For counting only: two
 * such addresses may belong to two users.
 * @param email normalized
 */
export const mailboxOf = (email: string): string => {
  const at = email.lastIndexOf('@');
  const [local = ''] = email.slice(0, Math.max(0, at)).split('+', 1);
  return `${local.replaceAll('.', '')}@${email.slice(at + 1)}`;
};

const addressShape =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** The domain of the addresses of service accounts: names in `.invalid` never exist (RFC 6761, section 6.4). */
export const serviceAccountDomain = 'service-account.invalid';

/** @param email normalized; its form is that of HTML's e-mail field, with a dot in the domain (RFC 5321 lengths) */
export const emailReason = (email: string): Reason => {
  if (email === '') return 'Enter an e-mail address.';
  if (email.length > 254) return 'This is longer than an e-mail address can be.';
  const [local = '', domain] = email.split('@');
  if (domain === serviceAccountDomain) return 'Addresses of this domain belong to service accounts.';
  const hasStrayDot = local.startsWith('.') || local.endsWith('.') || local.includes('..');
  return addressShape.test(email) && !hasStrayDot ? null : 'This is not an e-mail address.';
};

/** In UTF-16 code units. Composition shortens a text to a quarter at most, so a longer one is refused uncomposed. */
const maxComposedLength = 4096;

/**
 * A name as it is stored: trimmed and composed (NFC). A text that is too long for any name is not composed: composition
 * takes quadratic time in a run of accents, seconds for one that fits a request body.
 */
export const normalizeName = (typed: string): string =>
  (typed.length > maxComposedLength ? typed : typed.normalize('NFC')).trim();

const maxNameLength = 100;
/** Texts that mail programs make clickable: an untrusted name must not put a link into another user's mailbox. */
const link = /:\/\/|\bwww\./i;

/** As keyboards of some scripts type them; invisible, and ended by the text around an isolated name. */
const directionMarks = /[\u061c\u200e\u200f]/g;

/** @param name normalized */
export const nameReason = (name: string): Reason => {
  if (name.length > maxNameLength * 4 || codePoints(name) > maxNameLength) {
    return `A name has at most ${maxNameLength} characters.`;
  }
  if (name.replaceAll(invisible, '') === '') return 'Enter a name.';
  if (link.test(name)) return 'A name cannot contain a link.';
  return isPrintable(name.replaceAll(directionMarks, ''))
    ? null
    : 'A name cannot contain control or text-direction characters.';
};

/** A name from outside made to fit: printable, truncated. @returns null when no allowed name remains */
export const fittingName = (foreign: string): string | null => {
  const signs = [...foreign.slice(0, maxComposedLength).replaceAll(/\s+/g, ' ')];
  const composed = normalizeName(signs.filter(isPrintable).join(''));
  const name = [...composed].slice(0, maxNameLength).join('').trim();
  return nameReason(name) === null ? name : null;
};

const maxExplanationLength = 200;

/** @param text normalized like a name; it reaches no mail, so that it may have a link */
export const explanationReason = (text: string): Reason => {
  if (text.length > maxExplanationLength * 4 || codePoints(text) > maxExplanationLength) {
    return `A reason has at most ${maxExplanationLength} characters.`;
  }
  if (text.replaceAll(invisible, '') === '') return 'Enter a reason.';
  return isPrintable(text) ? null : 'A reason cannot contain control or text-direction characters.';
};

const passwordParts: readonly (readonly [RegExp, string])[] = [
  [/\p{Lu}/u, 'an upper-case letter'],
  [/\p{Ll}/u, 'a lower-case letter'],
  [/[0-9]/, 'a digit'],
  [/[@.#$!%*?&]/, 'one of the characters @ . # $ ! % * ? &'],
];

/** bcrypt ignores the bytes beyond these. */
const bcryptBytes = 72;

/**
 * The password rules (contract/accounts.md#password-rules): 8 to 40 characters (code points) with the four parts; also
 * bcrypt's 72 bytes, and common passwords where the configuration refuses them.
 */
export const passwordReason = (password: string, refuseCommon: boolean): Reason => {
  if (password.length < 8 || password.length > 80) return lengthReason;
  const length = codePoints(password);
  if (length < 8 || length > 40) return lengthReason;
  if (controlCharacters.test(password) || loneSurrogate.test(password)) {
    return 'A password cannot contain control characters.';
  }
  if (Buffer.byteLength(password) > bcryptBytes) {
    return `This password takes more than ${bcryptBytes} bytes: use fewer emoji or accented characters.`;
  }
  const missing = passwordParts.filter(([pattern]) => !pattern.test(password)).map(([, part]) => part);
  if (missing.length > 0) return `A password needs ${inWords(missing)}.`;
  return refuseCommon && isCommonPassword(password) ? 'This password is too common, so it is easy to guess.' : null;
};

/** Whether bcrypt hashes the whole text: it compares a part of any other, which is never a right password. */
export const isWhollyHashed = (password: string): boolean =>
  Buffer.byteLength(password) <= bcryptBytes && !controlCharacters.test(password) && !loneSurrogate.test(password);

const lengthReason = 'A password has 8 to 40 characters.';

const inWords = (parts: readonly string[]): string => {
  const last = parts.at(-1) ?? '';
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last;
};

// Searches by part of a name or an address: the rule for the input, and the resulting pattern.

/**
 * The pattern for a field `search`.
 * @param longest in code points
 * @returns as `searchPattern`; null matches everything
 * @throws Refusal BAD_USER_INPUT: names `search`
 */
export const readSearch = (typed: string | null | undefined, longest: number): string | null =>
  readSearchText(typed, longest)?.pattern ?? null;

/** The text for a field `search` of a searched list. @throws Refusal BAD_USER_INPUT: as {@link readSearch} */
export const readSearchText = (typed: string | null | undefined, longest: number): SearchText | null => {
  // A text with an @ is part of an address; only names keep their invisible signs.
  const search = normalizeName(typed?.includes('@') === true ? inAscii(typed) : (typed ?? ''));
  requireValidInput({ search: searchReason(search, longest) });
  return searchTextOf(search);
};

/** @param longest in characters (code points) */
export const searchReason = (search: string, longest: number): Reason => {
  if (search.length > longest * 2 || [...search].length > longest) return `Search for at most ${longest} characters.`;
  // PostgreSQL cannot store NUL in text.
  return search.includes('\u0000') ? 'No name or address contains this character.' : null;
};

/** A text in lower case with the pattern that finds it; null, which matches everything, for an empty text. */
export const searchTextOf = (search: string): SearchText | null => {
  const pattern = searchPattern(search);
  return pattern === null ? null : { text: search.toLowerCase(), pattern };
};

/** A LIKE pattern that finds the text anywhere, in any case; null, which matches everything, for an empty text. */
const searchPattern = (search: string): string | null =>
  search === '' ? null : `%${search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
