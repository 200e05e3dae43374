/**
 * Helper sessions: a handful of short texts that the service remembers for one browser (specification, "Cookies"). They
 * help a sign-in by an outside provider along and keep the visitor's decision about analytics. They never say who
 * somebody is: no surface may take an identity from here.
 *
 * Kept in Redis where REDIS_URL names one (`redis-helper-sessions.ts`), else in the database
 * (`database-helper-sessions.ts`). Either way a store sees the hash of the session's id and sealed values, so that its
 * dump tells nothing and whoever writes into it forges nothing: what was not sealed here for this session and this name
 * counts as not there.
 */

/** How long a helper session lives, in seconds (specification, "Limits"). */
export const helperSessionSeconds = 30 * 24 * 3600;

/**
 * What the stores have in common. A session's id is the raw one of the browser's cookie; lives are whole seconds from
 * now. Each call is one step: of several callers at once, each sees what was there before or after another.
 * @throws Refusal UNAVAILABLE (Redis) or DatabaseUnavailable, which every surface shows alike, when the store does not
 *   answer; whether a change was made is not known then
 */
export interface HelperSessions {
  /** What the session remembers under a name, or null. */
  read(sessionId: string, name: string): Promise<string | null>;
  /** Remembers a text, in place of what was there. */
  write(sessionId: string, name: string, value: string, lifeSeconds: number): Promise<void>;
  /** Remembers a text unless one is there, which then lives on for as long; answers the one that is remembered. */
  keep(sessionId: string, name: string, value: string, lifeSeconds: number): Promise<string>;
  /** Reads and forgets: of several callers at once, one gets it. */
  take(sessionId: string, name: string): Promise<string | null>;
}
