/**
 * Helper sessions: a handful of short texts that the service remembers for one browser (specification, "Cookies"). They
 * help a sign-in by an outside provider along and keep the visitor's decision about analytics. They never say who
 * somebody is: no surface may take an identity from here.
 *
 * Kept in Redis where REDIS_URL names one (`redis-helper-sessions.ts`), else in the database
 * (`database-helper-sessions.ts`). Either way a store sees the hash of the session's id and sealed values, so that its
 * dump tells nothing and whoever writes into it forges nothing.
 */

/** How long a helper session lives, in seconds (specification, "Limits"). */
export const helperSessionSeconds = 30 * 24 * 3600;

export interface HelperSessions {
  /**
   * What the session remembers under a name, or null.
   * @param sessionId raw, as the browser's cookie has it
   * @throws Refusal UNAVAILABLE when the store does not answer
   */
  read(sessionId: string, name: string): Promise<string | null>;
  /** Remembers a text, in place of what was there. @throws Refusal UNAVAILABLE */
  write(sessionId: string, name: string, value: string, lifeSeconds: number): Promise<void>;
  /** Reads and forgets in one step: of several callers at once, one gets it. @throws Refusal UNAVAILABLE */
  take(sessionId: string, name: string): Promise<string | null>;
  /** Idempotent. */
  close(): Promise<void>;
}
