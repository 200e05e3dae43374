/** One-time codes of an authenticator app (RFC 6238) and recovery codes. Pure functions; instants are passed in. */
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { sha256 } from '../../kernel/secrets.ts';

// One-time codes: RFC 6238 with its defaults, which are all that most authenticator apps support.

const periodSeconds = 30;
const digits = 6;
/** RFC 4226, section 4, R6: 160 bits are recommended. */
const secretBytes = 20;
/** Time steps on either side of the current one: allows for the clock of a phone, and for the time to type. */
const toleratedSteps = 1;

/** A fresh secret, base32 (RFC 4648). */
export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32;

/**
 * The key URI for a QR code.
 * @param issuer the service's name; a colon would end it, and is left out
 * @param account the user's address
 */
export const keyUriOf = (secret: string, issuer: string, account: string): string =>
  new TOTP({
    issuer: issuer.replaceAll(/\s*:\s*/g, ' ').trim(),
    label: account,
    secret,
    digits,
    period: periodSeconds,
    algorithm: 'SHA1',
  }).toString();

/** The accepted time step whose code this is (RFC 6238, section 5.2), or null. @param secret base32 */
export const timeStepOf = (secret: string, code: string, at: Date): number | null => {
  const key = Secret.fromBase32(secret);
  const timestamp = at.getTime();
  const options = { secret: key, algorithm: 'SHA1', digits, period: periodSeconds, timestamp };
  const distance = TOTP.validate({ ...options, token: code, window: toleratedSteps });
  return distance === null ? null : TOTP.counter({ period: periodSeconds, timestamp }) + distance;
};

const shapeOfOneTimeCode = /^\d{6}$/;

export const isOneTimeCode = (code: string): boolean => shapeOfOneTimeCode.test(code);

// Recovery codes: 80 random bits, written in the alphabet of Crockford's base32, which has no I, L, O and U.

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const recoveryCodeBytes = 10;
const recoveryCodeCount = 10;
const groupLength = 4;
const bitsOfSymbol = 5;

/** Ten fresh recovery codes: sixteen symbols each, in groups of four. */
export const newRecoveryCodes = (): string[] => Array.from({ length: recoveryCodeCount }, newRecoveryCode);

const newRecoveryCode = (): string => {
  const bits = [...randomBytes(recoveryCodeBytes)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return inChunks(inChunks(bits, bitsOfSymbol).map(symbolOf).join(''), groupLength).join('-');
};

const symbolOf = (bits: string): string => alphabet.charAt(Number.parseInt(bits, 2));

const inChunks = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  );

/** The hash by which a recovery code is stored and found: SHA-256 of its symbols, however it was typed. */
export const hashRecoveryCode = (typed: string): Buffer =>
  sha256(typedCode(typed).toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1'));

/** No code is longer, with what may stand between its symbols; the rest of a longer text does not count. */
const maxTypedLength = 64;

/** Spaces, invisible signs, dashes and minus signs, which keyboards and word processors put between groups. */
const separators = /[\s\p{Default_Ignorable_Code_Point}\p{Dash_Punctuation}\u2212]/gu;
const decimalDigit = /\p{Decimal_Number}/gu;

/** A code as it was typed or pasted: without what separates its groups, and with the digits of any script in ASCII. */
export const typedCode = (text: string): string =>
  text.slice(0, maxTypedLength).replaceAll(separators, '').replaceAll(decimalDigit, asciiDigit);

/** Decimal digits of a script stand in a row, zero first; rows that touch have ten each (Unicode, section 4.6). */
const asciiDigit = (digit: string): string => {
  const place = digit.codePointAt(0) ?? 0;
  let first = place;
  while (isDecimalDigit(first - 1)) first -= 1;
  return String((place - first) % 10);
};

const isDecimalDigit = (place: number): boolean => /\p{Decimal_Number}/u.test(String.fromCodePoint(place));
