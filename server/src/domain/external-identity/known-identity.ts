/** What the provider said of somebody, as far as accounts can use it. */
import { isRecord } from '../../kernel/records.ts';
import type { ProvidedIdentity } from '../../platform/identity-provider.ts';
import { emailReason, fittingName, isPrintable, normalizeEmail } from '../users/text-rules.ts';
import { ExternalRefusal } from './external-refusal.ts';

export interface KnownIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Normalized; null without one that could be the address of an account. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  /** See `ProvidedIdentity`. */
  readonly isEmailAuthoritative: boolean;
  /** As a name may be; empty without an address. */
  readonly name: string;
}

/** Whether a value that was read back, such as from sealed JSON, has the form of one. */
export const isKnownIdentity = (value: unknown): value is KnownIdentity =>
  isRecord(value) &&
  [value['issuer'], value['subject'], value['name']].every((text) => typeof text === 'string') &&
  (value['email'] === null || typeof value['email'] === 'string') &&
  [value['isEmailVerified'], value['isEmailAuthoritative']].every((flag) => typeof flag === 'boolean');

/** OpenID Connect Core 1.0, section 2: a subject has at most 255 ASCII characters. */
const longestSubject = 255;

/** @throws ExternalRefusal PROVIDER_REFUSED for a subject that cannot be one */
export const knownIdentityOf = (provided: ProvidedIdentity): KnownIdentity => {
  const { issuer, subject, email, isEmailVerified, isEmailAuthoritative, name } = provided;
  if (subject === '' || subject.length > longestSubject || !isPrintable(subject)) {
    throw new ExternalRefusal('PROVIDER_REFUSED', 'subject');
  }
  const address = normalizeEmail(email ?? '');
  const isUsable = isAscii(email ?? '') && emailReason(address) === null;
  return {
    issuer,
    subject,
    email: isUsable ? address : null,
    isEmailVerified: isUsable && isEmailVerified,
    isEmailAuthoritative: isUsable && isEmailAuthoritative,
    name: fittingName(name ?? '') ?? nameOfAddress(isUsable ? address : ''),
  };
};

/** In small letters the Kelvin sign is our k: another mailbox would become that of the account with the k. */
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** Whoever has no name is called like their mailbox. A dot is left out where it would make a link of it. */
const nameOfAddress = (address: string): string => {
  const [local = ''] = address.split('@');
  return fittingName(local) ?? fittingName(local.replaceAll('.', ' ')) ?? '';
};
