/**
 * Time that passes in a world: every stored instant moves back, while the clocks stay as they are, so that whatever
 * compares an instant with now behaves as though that time had passed.
 */
import type { ScriptDatabase } from '../platform/database/transaction.ts';

const maxSeconds = 36_525 * 24 * 3600;
const timeoutMillis = 60_000;

/**
 * Moves the instants of all tables, in one transaction. The triggers stay on: they count the versions of the rows, by
 * which the process rebuilds cached actors. The expiry of a credential is read from the database with each request.
 * @param seconds from 0 to a hundred years
 * @throws RangeError another number
 */
export const passTime = async (database: ScriptDatabase, seconds: number): Promise<void> => {
  if (!(seconds >= 0 && seconds <= maxSeconds)) {
    throw new RangeError(`Time passes by 0 to ${maxSeconds} seconds, not by ${seconds}.`);
  }
  await database.transaction((transaction) => transaction.script(moveBack(seconds), timeoutMillis));
};

/** Without tables to which rows are only added: the record of tool calls keeps its instants, which its hashes cover. */
const moveBack = (seconds: number): string => {
  const passed = `make_interval(secs => ${seconds.toFixed(6)})`;
  return `DO $$
DECLARE
  moved record;
BEGIN
  FOR moved IN
    SELECT format('%I.%I', c.table_schema, c.table_name) AS name,
      string_agg(format(CASE c.data_type
          WHEN 'ARRAY' THEN '%1$I = ARRAY(SELECT e.at - ${passed} FROM unnest(%1$I) WITH ORDINALITY AS e (at, n) ORDER BY n)'
          ELSE '%1$I = %1$I - ${passed}' END, c.column_name), ', ') AS changes
    FROM information_schema.columns c
      JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
      AND c.udt_name IN ('timestamptz', '_timestamptz') AND c.is_generated = 'NEVER'
      AND NOT EXISTS (SELECT FROM pg_trigger g WHERE g.tgfoid = to_regproc('refuse_change_of_record')
        AND g.tgrelid = to_regclass(format('%I.%I', c.table_schema, c.table_name)))
    GROUP BY 1 ORDER BY 1
  LOOP
    EXECUTE format('UPDATE %s SET %s', moved.name, moved.changes);
  END LOOP;
END
$$`;
};
