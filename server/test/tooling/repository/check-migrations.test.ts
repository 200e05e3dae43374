/**
 * The check of migrations itself: it refuses statements that the previous version does not survive, and accepts others.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { laterMigrations, migrationProblems, newestOfFirstRelease } from '../../../../scripts/migrations/problems.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'gatehouse-migrations-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const problemsOf = (text: string, number = newestOfFirstRelease + 1): string => {
  const file = join(directory, `${String(number).padStart(4, '0')}-tried.sql`);
  writeFileSync(file, `${text}\n`);
  return migrationProblems(laterMigrations([file])).join('\n');
};

describe('The check of migrations', () => {
  it.each([
    'CREATE TABLE notes (id uuid PRIMARY KEY, text text NOT NULL);\nCREATE INDEX notes_by_text ON notes (text);',
    'ALTER TABLE users ADD COLUMN locale text;',
    'ALTER TABLE users ADD COLUMN visits int NOT NULL DEFAULT 0;',
    'ALTER TABLE users ADD CONSTRAINT users_short CHECK (length(name) < 200) NOT VALID;',
    '-- Once to RENAME, or\n-- DROP CONSTRAINT, is nothing.\nALTER TABLE users ADD COLUMN locale text;',
    'CREATE OR REPLACE FUNCTION notes() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;',
  ])('accepts %j', (text) => {
    expect(problemsOf(text)).toBe('');
  });

  // Contract: operation#migrations-that-the-previous-version-survives — Migrations that the previous version survives:
  //   the check
  it.each([
    ['DROP TABLE users;', 'ban-drop-table'],
    ['ALTER TABLE users DROP COLUMN name;', 'ban-drop-column'],
    ['ALTER TABLE users RENAME COLUMN name TO title;', 'renaming-column'],
    ['ALTER TABLE users RENAME TO people;', 'renaming-table'],
    ['ALTER TABLE users ALTER COLUMN name TYPE int USING 1;', 'changing-column-type'],
    ['ALTER TABLE users ADD COLUMN locale text NOT NULL;', 'adding-required-field'],
    ['ALTER TABLE users ALTER COLUMN password_hash SET NOT NULL;', 'adding-not-nullable-field'],
    ['ALTER TABLE users ALTER COLUMN name DROP NOT NULL;', 'ban-drop-not-null'],
    ['ALTER TABLE users ADD CONSTRAINT u UNIQUE (name);', 'disallowed-unique-constraint'],
    ['ALTER TABLE users ADD CONSTRAINT c CHECK (length(name) < 200);', 'constraint-missing-not-valid'],
    ['CREATE INDEX users_by_name ON users (name);', 'require-concurrent-index-creation'],
    ['DROP FUNCTION lock_external_identity(text, text);', 'removes or renames'],
    ['ALTER TABLE users DROP CONSTRAINT users_email_key;', 'removes or renames'],
    ['ALTER INDEX users_by_name RENAME TO people_by_name;', 'removes or renames'],
    ['DROP INDEX users_by_name;', 'removes or renames'],
    ['ALTER TABLE users\n  DROP CONSTRAINT users_email_key;', 'removes or renames'],
    ['ALTER TABLE users\n  RENAME CONSTRAINT users_email_key TO people_email_key;', 'removes or renames'],
    ['ALTER INDEX users_by_name\n  RENAME TO people_by_name;', 'removes or renames'],
    ['ALTER TABLE users ALTER COLUMN is_super_admin DROP DEFAULT;', 'removes or renames'],
    ['ALTER TABLE users SET SCHEMA people;', 'removes or renames'],
    ['DROP MATERIALIZED VIEW totals;', 'removes or renames'],
    ['DROP PROCEDURE sum_up();', 'removes or renames'],
    ['REVOKE INSERT ON users FROM gatehouse;', 'removes or renames'],
    ['TRUNCATE users;', 'removes or renames'],
    ['CREATE TRIGGER t BEFORE INSERT ON users\n  FOR EACH ROW EXECUTE FUNCTION refuse();', 'may refuse'],
    ['CREATE POLICY p ON users USING (false);', 'may refuse'],
    ['ALTER TABLE users\n  ENABLE ROW LEVEL SECURITY;', 'may refuse'],
    ['DO $$ BEGIN DROP TABLE users; END $$;', 'cannot parse'],
    [
      "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN\n  EXECUTE 'DROP TABLE users';\nEND $$;",
      'cannot parse',
    ],
    ['-- unused since 0.2.0: the first\nDROP FUNCTION one();\nDROP FUNCTION other();', 'DROP FUNCTION other'],
  ])('refuses %j', (text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });

  it.each([
    '-- squawk-ignore ban-drop-column\nALTER TABLE users DROP COLUMN later_name;',
    '-- unused since 0.2.0: lookups go by the new one\nDROP FUNCTION lock_external_identity(text, text);',
    '-- unused since 0.2.0: no two lines\n-- are needed.\nALTER TABLE users\n  DROP CONSTRAINT users_email_key;',
    'ALTER TABLE users\n  -- unused since 0.2.0: another one counts\n  DROP CONSTRAINT users_email_key;',
    '-- survived by 0.1.0: it only fills a new column in\nCREATE TRIGGER t BEFORE INSERT ON users\n  FOR EACH ROW EXECUTE FUNCTION f();',
    '-- squawk-ignore require-concurrent-index-creation\nCREATE INDEX users_by_name ON users (name);',
  ])('accepts a statement annotated as safe: %j', (text) => {
    expect(problemsOf(text)).toBe('');
  });

  it('ignores those of the first release, which has no previous version', () => {
    expect(problemsOf('DROP TABLE users;', newestOfFirstRelease)).toBe('');
    expect(laterMigrations(['/at/0001-a.sql', '/at/0012-b.sql', '/at/0013-c.sql'])).toEqual(['/at/0013-c.sql']);
  });
});
