/**
 * Owns: the rights of a role that serves, and the relations that it is granted.
 * Promises: Rights are granted to no role that could write the record of tool calls except by its function.
 *
 * The role (docs/operations.md, "A role for serving") owns nothing: it reads and writes rows.
 */
import { statement } from '../database.ts';
import { DatabaseRefused, sqlState } from '../failure.ts';
import type { ScriptDatabase, ScriptTransaction } from '../transaction.ts';
import { type GrantedNames, readGrantedNames, readOnly } from './serving-relations.ts';

interface RoleFacts {
  readonly schema: string;
  readonly isKnown: boolean;
  /** Superusers, owners, and members of such roles can grant themselves whatever is revoked. */
  readonly isOwner: boolean;
}

const owners = `owners (oid) AS (
     SELECT relowner FROM pg_class WHERE relnamespace = quote_ident(current_schema())::regnamespace
     UNION SELECT proowner FROM pg_proc WHERE pronamespace = quote_ident(current_schema())::regnamespace
     UNION SELECT nspowner FROM pg_namespace WHERE oid = quote_ident(current_schema())::regnamespace
     UNION SELECT datdba FROM pg_database WHERE datname = current_database()
   )`;

const findRole = statement<RoleFacts, [name: string]>(
  'database.find_role',
  `WITH ${owners},
   reached AS (
     SELECT x.oid, x.rolsuper FROM pg_roles r, pg_roles x WHERE r.rolname = $1 AND pg_has_role(r.oid, x.oid, 'MEMBER')
   )
   SELECT quote_ident(current_schema()) AS schema,
     EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS "isKnown",
     EXISTS (SELECT FROM reached WHERE rolsuper OR oid IN (SELECT oid FROM owners)) AS "isOwner"`,
);

/** The functions by which the records are written. */
const recorders = [
  'record_mcp_tool_calls(uuid[], uuid[], uuid[], uuid[], text[], text[], uuid[], text[])',
  'append_organization_audits(uuid[], uuid[], text[], text[], text[], uuid[], uuid[], uuid[], text[], uuid[], uuid[], uuid[], text[])',
  'erase_organization_audits(uuid, uuid[])',
  'purge_organization_audits(integer)',
] as const;

/**
 * Revokes all rights of the role, and those that it granted to others, then grants what serving needs. The locks block
 * no writer, but wait for a trigger or a foreign key that the role is creating; the check that follows finds it.
 */
const grants = (role: string, schema: string, names: GrantedNames): string => `
  LOCK TABLE ${names.locked} IN ROW EXCLUSIVE MODE;
  REVOKE ALL ON ${names.tables} FROM ${role} CASCADE;
  ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} REVOKE ALL ON TABLES FROM ${role};
  ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} REVOKE ALL ON SEQUENCES FROM ${role};
  GRANT USAGE ON SCHEMA ${schema} TO ${role};
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${names.tables} TO ${role};
  REVOKE INSERT, UPDATE, DELETE ON ${names.onlyRead} FROM ${role};
  ${names.sequences === '' ? '' : grantsOnSequences(role, names.sequences)}
  GRANT EXECUTE ON FUNCTION ${recorders.map((recorder) => `${schema}.${recorder}`).join(', ')} TO ${role};
  ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${role};
  ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT USAGE ON SEQUENCES TO ${role}`;

const grantsOnSequences = (role: string, sequences: string): string => `
  REVOKE ALL ON SEQUENCE ${sequences} FROM ${role} CASCADE;
  GRANT USAGE ON SEQUENCE ${sequences} TO ${role};`;

interface Excess {
  /** The right that the role has and must not have, as GRANT spells it. */
  readonly right: string;
  /** The source of the right; empty: granted to the role itself. */
  readonly via: string;
  readonly remedy: string;
}

/**
 * Grantees of rights that the role can use: PUBLIC, the role itself, and each role that it is a member of, since SET
 * ROLE uses rights whether they are inherited or not.
 */
const grantees = `grantees (step, oid, grantee, via, leaving) AS (
     SELECT 0, 0::oid, 'PUBLIC', ' through PUBLIC', NULL
     UNION SELECT 1, x.oid, quote_ident(g.rolname), format(' as a member of %I', g.rolname),
         format('REVOKE %I FROM %I', g.rolname, r.rolname)
       FROM pg_roles r JOIN pg_auth_members m ON m.member = r.oid JOIN pg_roles g ON g.oid = m.roleid
         JOIN pg_roles x ON pg_has_role(g.oid, x.oid, 'MEMBER') WHERE r.rolname = $1
     UNION SELECT 2, oid, quote_ident(rolname), '', NULL FROM pg_roles WHERE rolname = $1
   )`;

const relations = `relations AS (
     SELECT c.oid, c.relkind, c.relowner, n.nspname = current_schema() AS "isOurs",
         format('%I.%I', n.nspname, c.relname) AS name
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   )`;

// Each of the following queries selects the excess rights of one grantee h: the name, and a remedy other than REVOKE.

/** Columns on which the grantee has a right w that it lacks on the whole table t, as GRANT spells them. */
const columns = `(
       SELECT ' (' || string_agg(quote_ident(attname), ', ' ORDER BY attnum) || ')' FROM pg_attribute
         WHERE attrelid = t.oid AND attnum > 0 AND NOT attisdropped AND w.right IN ('INSERT', 'UPDATE', 'REFERENCES')
           AND NOT has_table_privilege(h.oid, t.oid, w.right) AND has_column_privilege(h.oid, t.oid, attnum, w.right)
     )`;

const writesOfRecord = `
     SELECT format('%s%s ON %s', w.right, ${columns}, t.name) AS right, NULL AS remedy
       FROM read_only JOIN relations t USING (oid), (VALUES ('INSERT'), ('UPDATE'), ('DELETE'), ('TRUNCATE')) w ("right")
       WHERE has_table_privilege(h.oid, t.oid, w.right)
         OR w.right IN ('INSERT', 'UPDATE') AND has_any_column_privilege(h.oid, t.oid, w.right)`;

/** Rights to create a trigger or a foreign key, which run their creator's code with the rights of the table's owner. */
const codeOnTables = `
     SELECT format('%s ON %s', string_agg(w.right || coalesce(${columns}, ''), ', ' ORDER BY w.right), t.name), NULL
       FROM relations t, (VALUES ('REFERENCES'), ('TRIGGER')) w ("right")
       WHERE t."isOurs" AND t.relkind IN ('r', 'p', 'v', 'f') AND (has_table_privilege(h.oid, t.oid, w.right)
         OR w.right = 'REFERENCES' AND has_any_column_privilege(h.oid, t.oid, w.right))
       GROUP BY t.name
     UNION ALL SELECT format('%s ON later TABLES of %I', later.rights, o.rolname), coalesce(h.leaving,
         format('ALTER DEFAULT PRIVILEGES FOR ROLE %I%s REVOKE %s ON TABLES FROM %s', o.rolname,
           CASE WHEN d.defaclnamespace <> 0 THEN format(' IN SCHEMA %I', current_schema()) END, later.rights, h.grantee))
       FROM pg_default_acl d JOIN pg_roles o ON o.oid = d.defaclrole, LATERAL (
         SELECT string_agg(a.privilege_type, ', ' ORDER BY a.privilege_type) AS rights FROM aclexplode(d.defaclacl) a
           WHERE a.grantee = h.oid AND a.privilege_type IN ('REFERENCES', 'TRIGGER')
       ) later
       WHERE d.defaclobjtype = 'r' AND d.defaclnamespace IN (0, quote_ident(current_schema())::regnamespace)
         AND later.rights IS NOT NULL AND has_schema_privilege(o.oid, current_schema(), 'CREATE')`;

/**
 * Existing triggers and foreign keys. A foreign key casts the values of its table as the owner of ours, by a function
 * that the other table's owner may have written. It is reported once, for the role itself (step 2), without the keys of
 * partitions.
 */
const codeAtTables = `
     SELECT format('a function of its own in the TRIGGER %I ON %s', g.tgname, t.name),
         format('DROP TRIGGER %I ON %s', g.tgname, t.name)
       FROM pg_trigger g JOIN relations t ON t.oid = g.tgrelid JOIN pg_proc p ON p.oid = g.tgfoid
       WHERE t."isOurs" AND NOT g.tgisinternal AND p.proowner = h.oid
     UNION ALL SELECT format('the FOREIGN KEY %I to %s on %s, a table of %I', k.conname, t.name, f.name,
           pg_get_userbyid(f.relowner)),
         format('ALTER TABLE %s DROP CONSTRAINT %I', f.name, k.conname)
       FROM pg_constraint k JOIN relations t ON t.oid = k.confrelid JOIN relations f ON f.oid = k.conrelid
       WHERE h.step = 2 AND k.contype = 'f' AND k.conparentid = 0 AND t."isOurs"
         AND NOT EXISTS (SELECT FROM owners o WHERE pg_has_role(f.relowner, o.oid, 'MEMBER'))`;

const definersRoutines = `
     SELECT format('EXECUTE ON ROUTINE %s', p.oid::regprocedure), NULL FROM pg_proc p
       WHERE p.pronamespace = quote_ident(current_schema())::regnamespace AND p.prosecdef
         AND NOT EXISTS (SELECT FROM (VALUES ${recorders.map((recorder) => `('${recorder}')`).join(', ')}) r (recorder)
           WHERE p.oid = (quote_ident(current_schema()) || '.' || r.recorder)::regprocedure)
         AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
         AND has_function_privilege(h.oid, p.oid, 'EXECUTE')`;

const rightsBeyondTables = `
     SELECT format('CREATE ON SCHEMA %I', name), NULL FROM unnest(current_schemas(false)) name
       WHERE has_schema_privilege(h.oid, name, 'CREATE')
     UNION ALL SELECT format('CREATE ON DATABASE %I', current_database()), NULL
       WHERE has_database_privilege(h.oid, current_database(), 'CREATE')
     UNION ALL SELECT format('ALTER SYSTEM ON PARAMETER %I', parname), NULL FROM pg_parameter_acl
       WHERE has_parameter_privilege(h.oid, parname, 'ALTER SYSTEM')
     UNION ALL SELECT 'CREATEROLE', coalesce(h.leaving, format('ALTER ROLE %s NOCREATEROLE', h.grantee)) FROM pg_roles
       WHERE oid = h.oid AND rolcreaterole
     UNION ALL SELECT format('the rights of %s', rolname), NULL FROM pg_roles WHERE oid = h.oid
       AND rolname IN ('pg_execute_server_program', 'pg_write_server_files', 'pg_read_server_files')`;

/** The first right or object by which the role could write the record past its function, or run code as its owner. */
const findExcess = statement<Excess, [name: string]>(
  'database.find_excess',
  `WITH RECURSIVE ${[readOnly, owners, grantees, relations].join(',\n   ')}
   SELECT e.right, h.via, coalesce(e.remedy, h.leaving, format('REVOKE %s FROM %s', e.right, h.grantee)) AS remedy
   FROM grantees h, LATERAL (
     ${[writesOfRecord, codeOnTables, codeAtTables, definersRoutines, rightsBeyondTables].join(' UNION ALL')}
   ) e ORDER BY h.step, e.right, h.via LIMIT 1`,
);

const grantMillis = 60_000;

/**
 * Grants a role what serving needs and revokes the rest, in one transaction; also for tables that later migrations
 * create. Idempotent.
 * @param role as PostgreSQL stores it, not quoted
 * @throws DatabaseRefused: the role does not exist or owns something here, this user may not lock or grant as needed,
 *   or the role keeps a right by which it could write the record past its function
 */
export const grantServing = (database: ScriptDatabase, role: string): Promise<void> =>
  database.transaction(async (transaction) => {
    const { schema } = await requireServingRole(transaction, role);
    const text = grants(`"${role.replaceAll('"', '""')}"`, schema, await readGrantedNames(transaction));
    await transaction.script(text, grantMillis).catch((error: unknown) => {
      throw grantRefusalOf(error);
    });
    await refuseExcess(transaction, role);
  });

const grantRefusalOf = (thrown: unknown): unknown =>
  sqlState(thrown) === '42501' && thrown instanceof Error
    ? new DatabaseRefused(
        `The user in DATABASE_URL may not give a role the rights to serve (${thrown.message}): run gatehouse migrate as ` +
          'a superuser or as the owner of what is named.',
        { cause: thrown },
      )
    : thrown;

const requireServingRole = async (transaction: ScriptTransaction, role: string): Promise<RoleFacts> => {
  const facts = await transaction.one(findRole, [role]);
  if (!facts.isKnown) {
    throw new DatabaseRefused(`PostgreSQL has no role ${role}; create it first: CREATE ROLE … LOGIN PASSWORD ….`);
  }
  if (facts.isOwner) {
    throw new DatabaseRefused(
      `The role ${role} is a superuser or owns the tables, a function beside them, their schema or the database, directly or ` +
        'as a member, so its rights cannot be restricted; choose another role.',
    );
  }
  return facts;
};

/** Rights that only the operator can revoke, after the grants. @throws DatabaseRefused: with the statement to run */
const refuseExcess = async (transaction: ScriptTransaction, role: string): Promise<void> => {
  const excess = await transaction.maybeOne(findExcess, [role]);
  if (excess === null) return;
  throw new DatabaseRefused(
    `The role ${role} has ${excess.right}${excess.via}, so the record of tool calls cannot be protected from it. Nothing ` +
      `was granted. As the role that granted this right, run: ${excess.remedy};`,
  );
};
