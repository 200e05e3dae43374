/**
 * Owns: the external identity provider as plain data, and its implementation over OpenID Connect.
 * Promises: An identity is returned only after its signature, issuer, audience, nonce and time are checked.
 *
 * The interface: Google, or any other configured OpenID Connect issuer. `openid-provider.ts` implements it.
 */

/** State kept between sending a browser to the provider and its return. All of it is secret. */
export interface ProviderAttempt {
  readonly state: string;
  readonly nonce: string;
  /** PKCE (RFC 7636). */
  readonly codeVerifier: string;
}

/** The identity that the provider asserted, after validation. */
export interface ProvidedIdentity {
  readonly issuer: string;
  /** Stable and unique at the issuer, unlike the email address. */
  readonly subject: string;
  /** As the provider wrote it; null when absent. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  /** Whether the provider knows the mailbox's current owner; otherwise it may have been reassigned since. */
  readonly isEmailAuthoritative: boolean;
  /** As the provider wrote it, of any length; null when absent. */
  readonly name: string | null;
  /** When the person authenticated at the provider (`auth_time`), in seconds since 1970; null when it does not say. */
  readonly authenticatedAt: number | null;
}

/**
 * A sign-in, which may be silent; a link, for which the person chooses the identity, if the provider can ask; a
 * reauthentication, for which they authenticate anew.
 */
export type ProviderPurpose = 'sign_in' | 'link' | 'reauthenticate';

export interface IdentityProvider {
  /** Shown on the portal's button. */
  readonly displayName: string;
  /**
   * The address to send a browser to.
   * @throws Refusal PROVIDER_CANCELLED, PROVIDER_UNAVAILABLE, PROVIDER_REFUSED
   * @throws DatabaseUnavailable: when the database's time cannot be read
   */
  authorizationUrl(attempt: ProviderAttempt, redirectUri: string, purpose: ProviderPurpose): Promise<string>;
  /**
   * Redeems the authorization code of the callback, and validates the provider's answers.
   * @param query of the callback, unmodified, without the question mark
   * @throws Refusal PROVIDER_CANCELLED, PROVIDER_UNAVAILABLE, PROVIDER_REFUSED
   * @throws DatabaseUnavailable: when the database's time cannot be read
   */
  identify(query: string, attempt: ProviderAttempt, redirectUri: string): Promise<ProvidedIdentity>;
}
