/**
 * Owns cryptography: hashing of secrets at rest, and keys derived from GATEHOUSE_SECRET, which seal values stored in
 * the database and authenticate values that we issued.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { orNull } from './attempts.ts';
import { getOrInsert } from './collections.ts';

/** SHA-256 of a secret's whole text. High-entropy secrets only; passwords go through bcrypt. */
export const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares two secrets without revealing anything by timing. */
export const isSameSecret = (left: string, right: string): boolean => timingSafeEqual(sha256(left), sha256(right));

/** `byteLength` random bytes as lower-case hex. */
export const randomHex = (byteLength: number): string => randomBytes(byteLength).toString('hex');

/** A random secret as base64url: 256 bits unless fewer are asked for (RFC 6749, section 10.10: at least 128). */
export const randomSecret = (byteLength = 32): string => randomBytes(byteLength).toString('base64url');

const nonceBytes = 12;
const tagBytes = 16;

/** Keys derived from the service's secrets: the first one signs and seals, all of them verify and open. */
export class Keyring {
  readonly #secrets: readonly string[];
  /** Deriving costs more than using; the number of purposes is fixed in the code. */
  readonly #derived = new Map<string, readonly KeyObject[]>();

  /** @param secrets GATEHOUSE_SECRET's list, newest first; never empty */
  constructor(secrets: readonly string[]) {
    if (secrets.length === 0) throw new Error('A keyring needs a secret');
    this.#secrets = secrets;
  }

  /** 256-bit keys for a purpose (HKDF-SHA256, RFC 5869), newest first. A KeyObject is prepared only once. */
  #keysFor(purpose: string): readonly KeyObject[] {
    return getOrInsert(this.#derived, purpose, () =>
      this.#secrets.map((secret) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'gatehouse', purpose, 32)))),
    );
  }

  /**
   * Encrypts with AES-256-GCM.
   * @param purpose selects the key
   * @param context bound to the result: opening under another context fails
   */
  seal(purpose: string, context: string, plaintext: string): Buffer {
    const key = this.#newestKeyFor(purpose);
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, body, cipher.getAuthTag()]);
  }

  /** HMAC-SHA256 (RFC 2104) of a text under the newest key of a purpose, as base64url. */
  mac(purpose: string, text: string): string {
    return macUnder(this.#newestKeyFor(purpose), text);
  }

  /** Whether `mac` made this, with any of the secrets. Constant time for every wrong value of the right length. */
  isMac(purpose: string, text: string, candidate: string): boolean {
    const given = Buffer.from(candidate);
    const matches = this.#keysFor(purpose).map((key) => {
      const expected = Buffer.from(macUnder(key, text));
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    return matches.includes(true);
  }

  /**
   * Signs a text that stays readable, such as the value of a cookie.
   * @param context bound to the signature, without spaces: verifying under another context fails; empty for none
   * @returns `text.mac`
   */
  sign(purpose: string, context: string, text: string): string {
    return `${text}.${this.mac(purpose, inContext(context, text))}`;
  }

  /** The text of a result of `sign`; null for any other value, and for one of another purpose or context. */
  verify(purpose: string, context: string, signed: string | undefined): string | null {
    const end = signed?.lastIndexOf('.') ?? -1;
    if (signed === undefined || end < 1) return null;
    const text = signed.slice(0, end);
    return this.isMac(purpose, inContext(context, text), signed.slice(end + 1)) ? text : null;
  }

  /** Decrypts a result of `seal`, with any of the secrets; null when none fits. */
  open(purpose: string, context: string, sealed: Buffer): string | null {
    for (const key of this.#keysFor(purpose)) {
      const plaintext = openWith(key, context, sealed);
      if (plaintext !== null) return plaintext;
    }
    return null;
  }

  #newestKeyFor(purpose: string): KeyObject {
    const [key] = this.#keysFor(purpose);
    if (key === undefined) throw new Error('A keyring needs a secret');
    return key;
  }
}

const inContext = (context: string, text: string): string => (context === '' ? text : `${context} ${text}`);

const macUnder = (key: KeyObject, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

const openWith = (key: KeyObject, context: string, sealed: Buffer): string | null => {
  if (sealed.length < nonceBytes + tagBytes) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-tagBytes));
  const body = sealed.subarray(nonceBytes, -tagBytes);
  // Node reports a wrong key and a forged text alike, as a failed final().
  return orNull(() => Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8'));
};
