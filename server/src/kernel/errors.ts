/**
 * Owns: errors, identifiers, secrets, paging, addresses and waits: what every layer may use.
 * Promises: It imports only built-in modules and its functions keep no state.
 *
 * The closed lists of reasons for which Gatehouse refuses a request. Operations throw {@link Refusal}; each surface has
 * one function that maps it to an answer (decision 0038). A refusal in the codes of another surface, like any other
 * error, is a defect: it is logged with a correlation id and shown without detail.
 */

/**
 * In the order of contract/requests.md#error-codes; UNAVAILABLE is a dependency that does not answer.
 * @internal Tests compare the status of an answer with that of its code.
 */
export const refusalStatus = {
  UNAUTHENTICATED: 401,
  ACCESS_EXPIRED: 401,
  INVALID_CREDENTIALS: 401,
  EMAIL_NOT_VERIFIED: 403,
  ACCOUNT_SUSPENDED: 403,
  REAUTHENTICATION_REQUIRED: 403,
  SECOND_FACTOR_REQUIRED: 403,
  CHALLENGE_REFUSED: 401,
  REFRESH_REFUSED: 401,
  REFRESH_SUPERSEDED: 409,
  FORBIDDEN: 403,
  MEMBERSHIP_REQUIRED: 403,
  ORIGIN_REFUSED: 403,
  ALREADY_SIGNED_IN: 403,
  ACCOUNT_MISMATCH: 409,
  BAD_USER_INPUT: 400,
  INVITATION_NOT_OPEN: 410,
  LINK_NOT_OPEN: 410,
  EXCHANGE_REFUSED: 401,
  NOT_FOUND: 404,
  LAST_OWNER: 409,
  SEATS_EXHAUSTED: 409,
  LIMIT_REACHED: 409,
  SUBSCRIPTION_ACTIVE: 409,
  CONFLICT: 409,
  RATE_LIMITED: 429,
  OPERATION_TOO_COSTLY: 400,
  UNAVAILABLE: 503,
} as const;

export type RefusalCode = keyof typeof refusalStatus;

/** HTTP status of every code of RFC 6749 (4.1.2.1 and 5.2), RFC 7591 (3.2.2), and RFC 8707 (2). */
const oauthStatus = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  access_denied: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
} as const;

export type OAuthErrorCode = keyof typeof oauthStatus;

/**
 * Why an external sign-in or link ends before the portal has anything to exchange: the browser routes put the code into
 * `/signin?error=CODE`, for which the portal has a sentence.
 * @internal A test goes through each entry.
 */
export const externalRefusalCodes = [
  /** The user declined at the provider. */
  'PROVIDER_CANCELLED',
  /** The provider does not answer, or not in time. */
  'PROVIDER_UNAVAILABLE',
  /** The provider's answer is not acceptable: a fault of the provider, or a manipulated callback. */
  'PROVIDER_REFUSED',
  /** The callback does not match a pending attempt of this browser: replayed, forged or expired. */
  'ATTEMPT_OVER',
  /** The provider supplies no address that a new account can use. */
  'EMAIL_MISSING',
  /** The provider does not vouch for the address. */
  'EMAIL_UNVERIFIED',
  /** The account with this address is linked to another identity of the provider. */
  'ACCOUNT_HAS_OTHER_IDENTITY',
  /** There is an account with this address, and the provider is not authoritative for the address. */
  'ACCOUNT_EXISTS',
  'ACCOUNT_SUSPENDED',
  /** Link: the identity belongs to another account. */
  'IDENTITY_TAKEN',
  /** Link: the session that prepared it has ended, or another user is signed in. */
  'LINK_SESSION_OVER',
  /** Link: the user was asked for confirmation, and declined. */
  'LINK_DECLINED',
  'RATE_LIMITED',
  /** The service cannot reach a dependency. */
  'UNAVAILABLE',
] as const;

export type ExternalRefusalCode = (typeof externalRefusalCodes)[number];

/**
 * The rules that refuse a step of an MCP client's connection; `client-onboarding/steps.ts` explains each.
 * @internal A test goes through each entry.
 */
export const connectionRules = [
  'host_or_origin',
  'portal_token',
  'token_not_accepted',
  'protocol_version',
  'message_malformed',
  'registration_malformed',
  'redirect_uri_not_allowed',
  'client_document_not_listed',
  'client_document_address',
  'client_document_unreachable',
  'client_document_gone',
  'client_document_invalid',
  'client_unknown',
  'client_revoked',
  'redirect_uri_not_registered',
  'request_malformed',
  'pkce_missing',
  'resource_foreign',
  'scope_unknown',
  'scope_not_held',
  'not_super_admin',
  'not_a_member',
  'client_not_accepted',
  'consent_denied',
  'consent_expired',
  'consent_other_browser',
  'code_unknown',
  'code_expired',
  'code_replayed',
  'code_other_client',
  'verifier_mismatch',
  'refresh_refused',
  'refresh_superseded',
  'scope_widened',
  'tool_denied',
  'rate_limited',
] as const;
export type ConnectionRule = (typeof connectionRules)[number];

/** Details for the client beside code and message. Never a value that the client sent. */
export interface RefusalDetails {
  /**
   * BAD_USER_INPUT: a sentence for a person by input field. NOT_FOUND of a tool: the argument that names the object.
   */
  readonly fields?: Readonly<Record<string, string>>;
  /** FORBIDDEN: the scopes that were missing. */
  readonly missingScopes?: readonly string[];
  /** FORBIDDEN because a change of the caller's address can still be undone: until when, ISO 8601. */
  readonly undoableUntil?: string;
  /** CONFLICT: the number that there is now, where another one was expected. */
  readonly count?: number;
  /** RATE_LIMITED, and UNAVAILABLE where it is known: whole seconds until a retry can succeed. */
  readonly retryAfterSeconds?: number;
  /** SECOND_FACTOR_REQUIRED at a sign-in: the secret with which `completeSecondFactor` goes on with it. */
  readonly challenge?: string;
  /** SECOND_FACTOR_REQUIRED at a sign-in: what completes it, values of `SecondFactorMethod`. */
  readonly methods?: readonly string[];
  /** SECOND_FACTOR_REQUIRED at a sign-in: when the challenge expires, ISO 8601. */
  readonly expiresAt?: string;
  /** UNAVAILABLE caused by a dependency, INTERNAL: an id for the operator, to find the error in the log. */
  readonly correlationId?: string;
}

/** Details for logs and the connection record; no client sees them. */
interface RefusalRecord {
  /** The rule in the connection record; null when the step is not recorded. */
  readonly rule?: ConnectionRule | null;
  /** The refused value or a further reason; neither a secret nor, for an external sign-in, a value from outside. */
  readonly detail?: string | null;
  /** The client whose request was refused, where the caller may not know it. */
  readonly clientId?: string | null;
  /** The person whose account an attempt to sign in was for, where the caller may not know it. */
  readonly userId?: string | null;
  /** The organization whose policy refuses a client. */
  readonly organizationId?: string | null;
}

interface RefusalFacts extends RefusalDetails, RefusalRecord, ErrorOptions {
  /** HTTP status, where it is not the code's. */
  readonly status?: number;
}

/** OAuth refusals are steps of a connection: each names its rule, or says that it has none. */
type OAuthFacts = RefusalFacts & Required<Pick<RefusalRecord, 'rule'>>;

/** Its message is shown to people, or to a client's developer: neutral, and without input values. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode | OAuthErrorCode | ExternalRefusalCode;
  readonly details: RefusalDetails;
  readonly #record: Required<RefusalRecord>;
  readonly #status: number;

  constructor(code: OAuthErrorCode, message: string, facts: OAuthFacts);
  constructor(code: RefusalCode | ExternalRefusalCode, message: string, facts?: RefusalFacts);
  constructor(code: Refusal['code'], message: string, facts: RefusalFacts = {}) {
    const {
      status,
      cause,
      rule = null,
      detail = null,
      clientId = null,
      userId = null,
      organizationId = null,
      ...details
    } = facts;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
    this.#record = { rule, detail, clientId, userId, organizationId };
    this.#status = status ?? statuses[code] ?? 500;
  }

  /** HTTP status; 500 for a code that only a redirect carries. */
  get status(): number {
    return this.#status;
  }

  get rule(): ConnectionRule | null {
    return this.#record.rule;
  }

  get detail(): string | null {
    return this.#record.detail;
  }

  get clientId(): string | null {
    return this.#record.clientId;
  }

  get userId(): string | null {
    return this.#record.userId;
  }

  get organizationId(): string | null {
    return this.#record.organizationId;
  }
}

const statuses: Readonly<Partial<Record<Refusal['code'], number>>> = { ...refusalStatus, ...oauthStatus };

/** A surface answers only the refusals of its own list; RATE_LIMITED and UNAVAILABLE are in two. */
const isRefusalIn =
  <Code extends Refusal['code']>(codes: readonly string[]) =>
  (error: unknown): error is Refusal & { readonly code: Code } =>
    error instanceof Refusal && codes.includes(error.code);

export const isPublicRefusal = isRefusalIn<RefusalCode>(Object.keys(refusalStatus));
export const isOAuthRefusal = isRefusalIn<OAuthErrorCode>(Object.keys(oauthStatus));
export const isExternalRefusal = isRefusalIn<ExternalRefusalCode>(externalRefusalCodes);

export type PublicRefusal = Refusal & { readonly code: RefusalCode };
export type OAuthRefusal = Refusal & { readonly code: OAuthErrorCode };

/** The portal has the sentence that people read. @param detail for the log only; never a value from outside */
export const externalRefusal = (
  code: ExternalRefusalCode,
  detail: string | null = null,
  facts: Pick<RefusalFacts, 'cause' | 'userId'> = {},
): Refusal => new Refusal(code, `An external sign-in was refused: ${code}`, { ...facts, detail });

/** @param fields by input field, why it is refused */
export const invalidInput = (fields: Readonly<Record<string, string>>): Refusal =>
  new Refusal('BAD_USER_INPUT', 'Some of the input is not valid.', { fields });

/** @param reasons by input field, or null @throws BAD_USER_INPUT: with the reasons of all refused fields */
export const requireValidInput = (reasons: Readonly<Record<string, string | null>>): void => {
  const fields: Record<string, string> = {};
  for (const [field, reason] of Object.entries(reasons)) if (reason !== null) fields[field] = reason;
  if (Object.keys(fields).length > 0) throw invalidInput(fields);
};
