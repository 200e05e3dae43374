/** Why a request did not succeed: the server's code, or what happened on the way to it. */

/** Codes that the transport itself adds to the server's: no connection, and an answer nobody can read. */
type TransportCode = 'OFFLINE' | 'UNREADABLE';

/** The server's codes that the portal acts on. Any other code is shown as a plain failure. */
type ActedOnCode =
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
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'
  | 'INTERNAL';

// `string & {}` keeps the known names in completion while any code of a newer server stays representable.
type RefusalCode = TransportCode | ActedOnCode | (string & {});

interface RefusalFacts {
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

  constructor(code: RefusalCode, message: string, facts: RefusalFacts = {}) {
    super(message, { cause: facts.cause });
    this.code = code;
    this.fields = facts.fields ?? {};
    this.correlationId = facts.correlationId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

const passing: ReadonlySet<string> = new Set(['OFFLINE', 'UNAVAILABLE', 'RATE_LIMITED', 'REFRESH_SUPERSEDED']);

/** A refusal that says nothing about the session: trying again later may succeed, and nobody is signed out for it. */
export const isPassing = (error: unknown): error is Refusal => error instanceof Refusal && passing.has(error.code);

/** For who is told of a failure: what is no refusal is a defect. */
export const asRefusal = (error: unknown): Refusal =>
  error instanceof Refusal
    ? error
    : new Refusal('UNREADABLE', 'The portal met an unexpected failure.', { cause: error });

export const hasCode = (error: unknown, code: RefusalCode): error is Refusal =>
  error instanceof Refusal && error.code === code;

/** A refusal that may mean that role, plan or organization have changed since this tab asked: refreshes the person. */
export const refreshOnForbidden = async (
  session: { readonly recheck: () => Promise<unknown> },
  error: unknown,
): Promise<void> => {
  if (hasCode(error, 'FORBIDDEN') || hasCode(error, 'MEMBERSHIP_REQUIRED')) await session.recheck();
};
