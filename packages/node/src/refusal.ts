/** The refusals of a request, with the codes, statuses and details that the service answers. */

const statuses = {
  UNAUTHENTICATED: 401,
  ACCESS_EXPIRED: 401,
  ORIGIN_REFUSED: 403,
  MEMBERSHIP_REQUIRED: 403,
  SECOND_FACTOR_REQUIRED: 403,
  FORBIDDEN: 403,
  UNAVAILABLE: 503,
} as const;

export type RefusalCode = keyof typeof statuses;

export interface RefusalDetails {
  /** FORBIDDEN: the scopes that were missing. */
  readonly missingScopes?: readonly string[];
}

/** A refusal whose status, code and message may be shown to the caller. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly details: RefusalDetails;
  /** Headers of the answer: the challenge of a 401, and of a 403 of an MCP server. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: RefusalCode,
    message: string,
    { details = {}, headers = {}, ...options }: RefusalOptions & ErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
    this.headers = headers;
  }

  /** The HTTP status. */
  get status(): number {
    return statuses[this.code];
  }

  /** The body that the service itself answers: `{ "error": { "code", "message", … } }`. */
  get body(): { readonly error: RefusalDetails & { readonly code: RefusalCode; readonly message: string } } {
    return { error: { code: this.code, message: this.message, ...this.details } };
  }
}

interface RefusalOptions {
  readonly details?: RefusalDetails;
  readonly headers?: Readonly<Record<string, string>>;
}

export const isRefusalCode = (code: unknown): code is RefusalCode =>
  typeof code === 'string' && Object.hasOwn(statuses, code);

/** The service does not answer, or not as expected. Nothing is known of the caller, who may well be signed in. */
export const unavailable = (cause: unknown): Refusal =>
  new Refusal('UNAVAILABLE', 'The service is briefly unavailable. Try again in a moment.', { cause });
