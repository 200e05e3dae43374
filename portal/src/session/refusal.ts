/** Refusals that the portal handles, by their codes of the server or of the client. */
import { isRefusal, Refusal } from '@gatehouse/client';

export { Refusal };

/** Codes of the transport: no connection, and an unreadable response. */
type TransportCode = 'OFFLINE' | 'UNREADABLE';

/** Codes of the server that the portal handles. Any other is shown as a general failure. */
type HandledCode =
  | 'UNAUTHENTICATED'
  | 'ACCESS_EXPIRED'
  | 'INVALID_CREDENTIALS'
  | 'EMAIL_NOT_VERIFIED'
  | 'ACCOUNT_SUSPENDED'
  | 'REAUTHENTICATION_REQUIRED'
  | 'SECOND_FACTOR_REQUIRED'
  | 'CHALLENGE_REFUSED'
  | 'REFRESH_REFUSED'
  | 'REFRESH_SUPERSEDED'
  | 'BAD_USER_INPUT'
  | 'NOT_FOUND'
  | 'FORBIDDEN'
  | 'MEMBERSHIP_REQUIRED'
  | 'INVITATION_NOT_OPEN'
  | 'LINK_NOT_OPEN'
  | 'ACCOUNT_MISMATCH'
  | 'ALREADY_SIGNED_IN'
  | 'LAST_OWNER'
  | 'SEATS_EXHAUSTED'
  | 'LIMIT_REACHED'
  | 'SUBSCRIPTION_ACTIVE'
  | 'CONFLICT'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'
  | 'INTERNAL';

// `string & {}` keeps completion for the known codes and accepts those of a newer server.
type RefusalCode = TransportCode | HandledCode | (string & {});

const transientCodes: readonly RefusalCode[] = ['OFFLINE', 'UNAVAILABLE', 'RATE_LIMITED', 'REFRESH_SUPERSEDED'];

/** A temporary failure that says nothing about the session: a retry may succeed, and the person stays signed in. */
export const isTransient = (error: unknown): error is Refusal => isRefusal(error, ...transientCodes);

/** The service was silent for too long: what was asked for may have been done, or may be done yet. */
export const isUnanswered = (error: unknown): error is Refusal =>
  isRefusal(error, 'OFFLINE') && error.cause instanceof DOMException && error.cause.name === 'TimeoutError';

export const hasCode = (error: unknown, code: RefusalCode): error is Refusal => isRefusal(error, code);
