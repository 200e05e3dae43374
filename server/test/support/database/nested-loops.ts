/** The plan that evaluates a subquery once for each row: PostgreSQL chooses it when it expects few rows. */
import { type Database, type Queryable, statement } from '../../../src/platform/database/database.ts';

const discardPlans = statement('test.discard_plans', 'DISCARD PLANS');
const onlyNestedLoops = statement(
  'test.only_nested_loops',
  `SELECT set_config(name, 'off', true) FROM unnest('{enable_hashjoin, enable_mergejoin, enable_hashagg, enable_sort,
     enable_material, enable_memoize}'::text[]) AS name`,
);

/** Runs statements of one transaction with such plans. */
export const byNestedLoops = <T>(database: Database, work: (transaction: Queryable) => Promise<T>): Promise<T> =>
  database.transaction(async (transaction) => {
    await transaction.execute(discardPlans, []);
    await transaction.many(onlyNestedLoops, []);
    return work(transaction);
  });
