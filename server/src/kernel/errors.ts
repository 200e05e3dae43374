/**
 * Owns the closed list of reasons for which Gatehouse refuses a request, and the error class that carries them.
 *
 * Operations throw {@link Refusal}; each surface maps it once (`graphql/error-format.ts`, `http/fallbacks.ts`). Any
 * other error is a defect: it is logged with a correlation id and shown as INTERNAL without detail.
 */

/** HTTP status of every code, in the order of the public contract; UNAVAILABLE is a dependency that does not answer. */
export const refusalStatus = {
  UNAUTHENTICATED: 401,
  ACCESS_EXPIRED: 401,
  INVALID_CREDENTIALS: 401,
  EMAIL_NOT_VERIFIED: 403,
  REFRESH_REFUSED: 401,
  REFRESH_SUPERSEDED: 409,
  FORBIDDEN: 403,
  MEMBERSHIP_REQUIRED: 403,
  ORIGIN_REFUSED: 403,
  ALREADY_SIGNED_IN: 403,
  ACCOUNT_MISMATCH: 409,
  BAD_USER_INPUT: 400,
  INVITATION_NOT_OPEN: 410,
  EXCHANGE_REFUSED: 401,
  NOT_FOUND: 404,
  LAST_OWNER: 409,
  RATE_LIMITED: 429,
  OPERATION_TOO_COSTLY: 400,
  UNAVAILABLE: 503,
} as const;

export type RefusalCode = keyof typeof refusalStatus;

/** Details for the client beside code and message. Never a value that the client sent. */
export interface RefusalDetails {
  /**
   * BAD_USER_INPUT: input field name → reason, a sentence for the person who filled the field in. NOT_FOUND of a tool:
   * the argument that names the missing object.
   */
  readonly fields?: Readonly<Record<string, string>>;
  /** FORBIDDEN: the scopes that were missing. */
  readonly missingScopes?: readonly string[];
  /** RATE_LIMITED, and UNAVAILABLE where it is known: whole seconds until a retry can succeed. */
  readonly retryAfterSeconds?: number;
  /** UNAVAILABLE caused by a dependency, INTERNAL: an id for the operator, to find the error in the log. */
  readonly correlationId?: string;
}

/** A refusal with a code of the closed list. The message is shown to people: neutral, and without input values. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly details: RefusalDetails;

  constructor(code: RefusalCode, message: string, details: RefusalDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return refusalStatus[this.code];
  }
}

/**
 * Creates a BAD_USER_INPUT refusal.
 * @param fields input field name → why it is refused
 */
export const invalidInput = (fields: Readonly<Record<string, string>>): Refusal =>
  new Refusal('BAD_USER_INPUT', 'Some of the input is not valid.', { fields });

/**
 * Passes when every field's reason is null.
 * @param reasons input field name → why it is refused, or null
 * @throws BAD_USER_INPUT: with the reasons of all refused fields
 */
export const requireValidInput = (reasons: Readonly<Record<string, string | null>>): void => {
  const fields: Record<string, string> = {};
  for (const [field, reason] of Object.entries(reasons)) if (reason !== null) fields[field] = reason;
  if (Object.keys(fields).length > 0) throw invalidInput(fields);
};
