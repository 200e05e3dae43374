/**
 * The rights of a role that serves and owns nothing (docs/operations.md, "A role for serving"): it reads and writes rows,
 * and adds to the record of tool calls by its function alone.
 */
import { DatabaseRefused } from './failure.ts';
import { statement } from './statement.ts';
import type { ScriptDatabase, ScriptTransaction } from './transaction.ts';

interface RoleFacts {
  readonly schema: string;
  readonly isKnown: boolean;
  /** Superusers and members of the owner can do to the record whatever the owner can. */
  readonly isOwner: boolean;
  /** A function of its own could then stand in for one that the record calls with the rights of its owner. */
  readonly mayCreate: boolean;
}

const findRole = statement<RoleFacts, [name: string]>(
  'database.find_role',
  `SELECT quote_ident(current_schema()) AS schema,
     EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS "isKnown",
     EXISTS (SELECT FROM pg_roles r, pg_class c WHERE r.rolname = $1 AND c.oid = to_regclass('mcp_tool_audits')
       AND (r.rolsuper OR pg_has_role(r.oid, c.relowner, 'MEMBER'))) AS "isOwner",
     EXISTS (SELECT FROM pg_roles r WHERE r.rolname = $1
       AND has_schema_privilege(r.oid, current_schema()::regnamespace, 'CREATE')) AS "mayCreate"`,
);

/** Written by functions or by migrations; the serving role only reads them. */
const tablesThatAreOnlyRead = 'mcp_tool_audits, schema_migrations';

const grants = (role: string, schema: string): string => `
  GRANT USAGE ON SCHEMA ${schema} TO ${role};
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role};
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${schema} TO ${role};
  REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON ${tablesThatAreOnlyRead} FROM ${role};
  GRANT EXECUTE ON FUNCTION record_mcp_tool_calls TO ${role};
  ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
  ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE ON SEQUENCES TO ${role}`;

const grantMillis = 60_000;

/**
 * Gives a role what serving needs, in one transaction; of a table that a later migration makes too. Run again, it changes
 * nothing.
 * @param role as PostgreSQL has it, not quoted
 * @throws DatabaseRefused when there is no such role, when it owns the tables, or may create in their schema
 */
export const grantServing = (database: ScriptDatabase, role: string): Promise<void> =>
  database.transaction(async (transaction) => {
    const { schema } = await requireServingRole(transaction, role);
    await transaction.script(grants(`"${role.replaceAll('"', '""')}"`, schema), grantMillis);
  });

const requireServingRole = async (transaction: ScriptTransaction, role: string): Promise<RoleFacts> => {
  const facts = await transaction.one(findRole, [role]);
  if (!facts.isKnown) {
    throw new DatabaseRefused(`PostgreSQL has no role ${role}; make it first: CREATE ROLE … LOGIN PASSWORD ….`);
  }
  if (facts.isOwner) {
    throw new DatabaseRefused(
      `The role ${role} is a superuser or owns the tables, so nothing can be kept from it; name another one.`,
    );
  }
  if (facts.mayCreate) {
    throw new DatabaseRefused(
      `The role ${role} may create functions in the schema ${facts.schema}, which the record of tool calls must be kept ` +
        `from; as its owner: REVOKE CREATE ON SCHEMA ${facts.schema} FROM PUBLIC; REVOKE CREATE ON SCHEMA ` +
        `${facts.schema} FROM ${role};`,
    );
  }
  return facts;
};
