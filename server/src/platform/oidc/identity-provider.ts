/**
 * An outside provider that says who somebody is: what the service needs of it, in plain data. Google, or any other
 * OpenID Connect issuer by configuration; `openid-provider.ts` speaks to it.
 */

/** What is kept between sending a browser to the provider and its coming back. Secrets, all of them. */
export interface ProviderAttempt {
  readonly state: string;
  readonly nonce: string;
  /** PKCE (RFC 7636). */
  readonly codeVerifier: string;
}

/** What the provider said, once its word was validated. */
export interface ProvidedIdentity {
  readonly issuer: string;
  /** Stable and unique at the issuer; the address is neither. */
  readonly subject: string;
  /** As the provider wrote it; null without one. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  /**
   * Whether the provider knows whose mailbox it is now. Otherwise the address was the person's once, and may have been
   * given to somebody else since.
   */
  readonly isEmailAuthoritative: boolean;
  /** As the provider wrote it, of any length; null without one. */
  readonly name: string | null;
}

/**
 * Why a provider did not say who somebody is: `cancelled`, the person said no there; `unavailable`, it does not answer in
 * time or at all; `refused`, it answers what cannot be accepted.
 */
export type ProviderFailureReason = 'cancelled' | 'unavailable' | 'refused';

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  readonly reason: ProviderFailureReason;
  /** For the log: the library's error code, never a value that came from outside. */
  readonly detail: string;

  constructor(reason: ProviderFailureReason, detail: string, options?: ErrorOptions) {
    super(`The identity provider failed: ${reason}`, options);
    this.reason = reason;
    this.detail = detail;
  }
}

export interface IdentityProvider {
  /** As people know it: on the portal's button. */
  readonly displayName: string;
  /**
   * Where to send a browser.
   * @param isLink the identity is for an account that is there: the provider asks the person which one, where it can
   * @throws ProviderFailure; DatabaseUnavailable when there is nobody to tell the time
   */
  authorizationUrl(attempt: ProviderAttempt, redirectUri: string, isLink: boolean): Promise<string>;
  /**
   * Redeems the code that the browser came back with, and validates everything that the provider says.
   * @param query of the callback, as it came, without the question mark
   * @throws ProviderFailure; DatabaseUnavailable when there is nobody to tell the time
   */
  identify(query: string, attempt: ProviderAttempt, redirectUri: string): Promise<ProvidedIdentity>;
}
