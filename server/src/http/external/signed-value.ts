/** A small object for a cookie, signed: a browser carries it and cannot change it. Whoever has it can read it. */
import { isRecord, type JsonRecord } from '../../kernel/records.ts';
import type { Keyring } from '../../kernel/secrets.ts';

export interface Signing {
  readonly keyring: Keyring;
  readonly purpose: string;
  /** What the value belongs to; it counts nowhere else. */
  readonly context: string;
}

export const signValue = ({ keyring, purpose, context }: Signing, value: JsonRecord): string => {
  const body = Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${body}.${keyring.mac(purpose, `${context} ${body}`)}`;
};

/** Null for what was not signed here, for this context. */
export const readSignedValue = (
  { keyring, purpose, context }: Signing,
  text: string | undefined,
): JsonRecord | null => {
  const [body = '', mac = '', ...rest] = (text ?? '').split('.');
  if (rest.length > 0 || !keyring.isMac(purpose, `${context} ${body}`, mac)) return null;
  const value: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
  return isRecord(value) ? value : null;
};
