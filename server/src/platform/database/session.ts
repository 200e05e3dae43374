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

/**
 * For the connections of a pool: the server looks now and then whether the caller of a long statement is still there, and
 * ends it otherwise. Servers on other systems cannot look, and refuse to be told to.
 */
export const postgresSettings =
  "SELECT set_config('client_connection_check_interval', '500ms', false) WHERE version() LIKE '%linux%'";
