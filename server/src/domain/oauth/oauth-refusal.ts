/** Why the authorization server refuses, in the words of its protocol; each endpoint maps it once. */
import type { ConnectionRule } from '../client-onboarding/steps.ts';

/** RFC 6749 sections 4.1.2.1 and 5.2, RFC 7591 section 3.2.2, RFC 8707 section 2. */
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

/** The message becomes `error_description`: a sentence for the client's developer, free of what the client sent. */
export class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal';
  readonly error: OAuthErrorCode;
  /** For the record of connections. */
  readonly rule: ConnectionRule;
  /** What the rule refused, see `ConnectionStepEvent`; never a secret. */
  readonly detail: string | null;
  /** Whose request was refused, where that is known and the caller may not know it. */
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
