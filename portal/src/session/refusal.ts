/** Refusals: why a request failed, as a code of the server or of the transport. */

/** Codes of the transport: no connection, and an unreadable response. */
type TransportCode = 'OFFLINE' | 'UNREADABLE';

/** Codes of the server that the portal handles. Any other is shown as a general failure. */
type HandledCode =
  | 'UNAUTHENTICATED'
  | 'ACCESS_EXPIRED'
  | 'INVALID_CREDENTIALS'
  | 'EMAIL_NOT_VERIFIED'
  | 'REFRESH_REFUSED'
  | 'REFRESH_SUPERSEDED'
  | 'BAD_USER_INPUT'
  | 'NOT_FOUND'
  | 'FORBIDDEN'
  | 'MEMBERSHIP_REQUIRED'
  | 'INVITATION_NOT_OPEN'
  | 'ACCOUNT_MISMATCH'
  | 'ALREADY_SIGNED_IN'
  | 'LAST_OWNER'
  | 'SEATS_EXHAUSTED'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'
  | 'INTERNAL';

// `string & {}` keeps completion for the known codes and accepts those of a newer server.
type RefusalCode = TransportCode | HandledCode | (string & {});

interface RefusalDetails {
  readonly fields?: Readonly<Record<string, string>> | undefined;
  readonly correlationId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly fields: Readonly<Record<string, string>>;
  readonly correlationId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: RefusalCode, message: string, facts: RefusalDetails = {}) {
    super(message, { cause: facts.cause });
    this.code = code;
    this.fields = facts.fields ?? {};
    this.correlationId = facts.correlationId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

const transientCodes: ReadonlySet<string> = new Set(['OFFLINE', 'UNAVAILABLE', 'RATE_LIMITED', 'REFRESH_SUPERSEDED']);

/** A temporary failure that says nothing about the session: a retry may succeed, and the person stays signed in. */
export const isTransient = (error: unknown): error is Refusal =>
  error instanceof Refusal && transientCodes.has(error.code);

/** Wraps an unexpected error for display. */
export const asRefusal = (error: unknown): Refusal =>
  error instanceof Refusal
    ? error
    : new Refusal('UNREADABLE', 'The portal met an unexpected failure.', { cause: error });

export const hasCode = (error: unknown, code: RefusalCode): error is Refusal =>
  error instanceof Refusal && error.code === code;

/** Refreshes the person on a refusal that may mean that role, plan or organization have changed. */
export const refreshOnForbidden = async (
  session: { readonly recheck: () => Promise<unknown> },
  error: unknown,
): Promise<void> => {
  if (hasCode(error, 'FORBIDDEN') || hasCode(error, 'MEMBERSHIP_REQUIRED')) await session.recheck();
};
