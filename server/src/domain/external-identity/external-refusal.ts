/**
 * The closed list of reasons for which a sign-in or a link by the outside provider ends before the portal has anything to
 * exchange. The browser routes put the code into `/signin?error=CODE`; the portal has a sentence for each.
 */

export const externalRefusalCodes = [
  /** The person said no at the provider. */
  'PROVIDER_CANCELLED',
  /** The provider does not answer, or not in time. */
  'PROVIDER_UNAVAILABLE',
  /** The provider answered what cannot be accepted: its fault, or somebody tampered with the way back. */
  'PROVIDER_REFUSED',
  /** The way back does not belong to an attempt of this browser that is still under way: replayed, forged, too late. */
  'ATTEMPT_OVER',
  /** The provider names no address that can be used for a new account. */
  'EMAIL_MISSING',
  /** The provider does not vouch for the address. */
  'EMAIL_UNVERIFIED',
  /** The account with this address is linked to another identity of the provider. */
  'ACCOUNT_HAS_OTHER_IDENTITY',
  /** There is an account with this address, and the provider does not know whose the address is now. */
  'ACCOUNT_EXISTS',
  /** Link: the identity belongs to another account. */
  'IDENTITY_TAKEN',
  /** Link: the session that prepared it has ended, or somebody else is signed in by now. */
  'LINK_SESSION_OVER',
  /** Link: the person was asked first, and said no. */
  'LINK_DECLINED',
  'RATE_LIMITED',
  /** The service itself does not get at what it needs. */
  'UNAVAILABLE',
] as const;

export type ExternalRefusalCode = (typeof externalRefusalCodes)[number];

export class ExternalRefusal extends Error {
  override readonly name = 'ExternalRefusal';
  readonly code: ExternalRefusalCode;
  /** For the log alone; never a value that came from outside. */
  readonly detail: string | null;

  constructor(code: ExternalRefusalCode, detail: string | null = null, options?: ErrorOptions) {
    super(`An external sign-in was refused: ${code}`, options);
    this.code = code;
    this.detail = detail;
  }
}
