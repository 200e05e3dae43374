/** Owns the sentences for a database that cannot be migrated as it is. Whatever was begun is rolled back by then. */
import { DatabaseRefused, sqlState } from './failure.ts';

/** @param found what stands in the way */
export const anothersTables = (found: string, options?: ErrorOptions): DatabaseRefused =>
  new DatabaseRefused(
    `The database holds what another program made (${found}): give Gatehouse a database, or a schema, of its own.`,
    options,
  );

/** @returns DatabaseRefused where the operator can do something about it, else what was thrown */
export const migrationRefusalOf = (thrown: unknown): unknown => {
  const said = thrown instanceof Error ? thrown.message : '';
  switch (sqlState(thrown)) {
    case '42501':
      return new DatabaseRefused(
        `The user in DATABASE_URL lacks a right that migrating needs (${said}): let it create tables in the schema ` +
          '(GRANT CREATE ON SCHEMA … TO …), or run gatehouse migrate as a user who may.',
        { cause: thrown },
      );
    case '3F000':
      return new DatabaseRefused(
        'The user in DATABASE_URL has no schema to create tables in: make one that its search_path names, and let it ' +
          'create tables there.',
        { cause: thrown },
      );
    case '42P07':
    case '42710':
    case '42723':
      return anothersTables(said, { cause: thrown });
    case '42703':
      return new DatabaseRefused(
        `The table schema_migrations in the database is of another program (${said}): give Gatehouse a database, or a ` +
          'schema, of its own.',
        { cause: thrown },
      );
    default:
      return thrown;
  }
};
