/** Refusals of the authorization server, with the error codes of its protocol; each endpoint maps them once. */
import type { ConnectionRule } from '../client-onboarding/steps.ts';

/** Error codes of RFC 6749, sections 4.1.2.1 and 5.2, RFC 7591, section 3.2.2, and RFC 8707, section 2. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'access_denied'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata';

/**
 * The message becomes `error_description`: a sentence for the client's developer that contains nothing the client sent.
 */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal';
  readonly error: OAuthErrorCode;
  /** For the connection record. */
  readonly rule: ConnectionRule;
  /** The value that the rule refused, see `ConnectionStepEvent`; never a secret. */
  readonly detail: string | null;
  /** The client whose request was refused, where it is known here and the caller may not know it. */
  readonly clientId: string | null;

  constructor(
    error: OAuthErrorCode,
    rule: ConnectionRule,
    message: string,
    detail: string | null = null,
    clientId: string | null = null,
  ) {
    super(message);
    this.error = error;
    this.rule = rule;
    this.detail = detail;
    this.clientId = clientId;
  }
}
