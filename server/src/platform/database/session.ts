/**
 * Owns the settings that every session starts with, on both engines, so that a statement means the same everywhere:
 * whatever the server, the role or the database were configured to.
 */

/** Text of simple statements to run once on each new session. */
export const sessionSettings = [
  "SET TimeZone TO 'UTC'",
  "SET DateStyle TO 'ISO, YMD'",
  "SET IntervalStyle TO 'postgres'",
  "SET bytea_output TO 'hex'",
  "SET default_transaction_isolation TO 'read committed'",
  'SET default_transaction_read_only TO off',
].join('; ');

/**
 * For look-ups: one plan for every length of an array parameter. Without it the planner looks at each new length anew,
 * which at few connections costs more than running the statement.
 */
export const lookupSettings = 'SET plan_cache_mode TO force_generic_plan';
