/** Owns which relations a serving role is granted (`serving-role.ts`): the schema's own, and what blocks the grants. */
import { statement } from '../database.ts';
import { DatabaseRefused } from '../failure.ts';
import type { ScriptTransaction } from '../transaction.ts';

/** Tables that functions or migrations write. */
const records = `('mcp_tool_audits', 'organization_audits', 'organization_audit_ends', 'schema_migrations')`;

/**
 * The serving role only reads them, the tables that inherit from them, and views over them, through which rows are
 * written with the rights of the view's owner.
 */
export const readOnly = `read_only (oid) AS (
     SELECT oid FROM pg_class
       WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relname IN ${records}
     UNION SELECT next.oid FROM read_only t, LATERAL (
       SELECT inhrelid AS oid FROM pg_inherits WHERE inhparent = t.oid
       UNION ALL SELECT w.ev_class FROM pg_rewrite w JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass
         AND d.objid = w.oid WHERE w.ev_type = '1' AND d.refclassid = 'pg_class'::regclass AND d.refobjid = t.oid
     ) next)`;

interface Relation {
  readonly name: string;
  readonly owner: string;
  readonly isSequence: boolean;
  /** A table that every instance has under this name. */
  readonly isRecord: boolean;
  readonly isOnlyRead: boolean;
  /** The current user is its owner, or may act as the owner. */
  readonly isManaged: boolean;
  readonly needsLock: boolean;
  readonly isLockable: boolean;
}

/**
 * Relations of the schema, in lock order. Only ordinary and partitioned tables have triggers or foreign keys that run
 * as their owner. A table that this user does not manage needs a lock when a foreign key or inheritance connects it to
 * a managed one.
 */
const findRelations = statement<Relation>(
  'database.find_relations',
  `WITH RECURSIVE ${readOnly},
   here AS (
     SELECT oid, relname, relkind, relowner, pg_has_role(relowner, 'USAGE') AS "isManaged" FROM pg_class
       WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
   ),
   links (one, other) AS (
     SELECT conrelid, confrelid FROM pg_constraint WHERE contype = 'f' UNION SELECT inhrelid, inhparent FROM pg_inherits
   ),
   near (oid) AS (
     SELECT one FROM links JOIN here ON oid = other WHERE "isManaged"
     UNION SELECT other FROM links JOIN here ON oid = one WHERE "isManaged"
   )
   SELECT format('%I.%I', current_schema(), relname) AS name, pg_get_userbyid(relowner) AS owner, "isManaged",
     relkind = 'S' AS "isSequence", relname IN ${records} AS "isRecord",
     oid IN (SELECT oid FROM read_only) AS "isOnlyRead",
     relkind IN ('r', 'p') AND ("isManaged" OR oid IN (SELECT oid FROM near)) AS "needsLock",
     has_table_privilege(oid, 'INSERT, UPDATE, DELETE, TRUNCATE') AS "isLockable"
   FROM here ORDER BY oid`,
);

export interface GrantedNames {
  /** In lock order. */
  readonly locked: string;
  readonly tables: string;
  /** Empty when there is none. */
  readonly sequences: string;
  readonly onlyRead: string;
}

/** @throws DatabaseRefused: this user lacks a right that granting needs, on a table of ours or one connected to ours */
export const readGrantedNames = async (transaction: ScriptTransaction): Promise<GrantedNames> => {
  const relations = await transaction.many(findRelations, []);
  requireRights(relations);
  return namesOf(relations);
};

/** Relations that this user does not manage keep their rights. */
const namesOf = (relations: readonly Relation[]): GrantedNames => {
  const join = (isMeant: (relation: Relation) => boolean): string =>
    relations
      .filter(isMeant)
      .map(({ name }) => name)
      .join(', ');
  return {
    locked: join(({ needsLock }) => needsLock),
    tables: join(({ isManaged, isSequence }) => isManaged && !isSequence),
    sequences: join(({ isManaged, isSequence }) => isManaged && isSequence),
    onlyRead: join(({ isManaged, isOnlyRead }) => isManaged && isOnlyRead),
  };
};

const requireRights = (relations: readonly Relation[]): void => {
  const foreign = relations.find(({ isRecord, isManaged }) => isRecord && !isManaged);
  if (foreign !== undefined) throw anothersTable('grant rights on', foreign);
  const unlockable = relations.find(({ needsLock, isLockable }) => needsLock && !isLockable);
  if (unlockable !== undefined) throw anothersTable('lock', unlockable);
};

const anothersTable = (act: string, { name, owner }: Relation): DatabaseRefused =>
  new DatabaseRefused(
    `The user in DATABASE_URL may not ${act} the table ${name}, which belongs to ${owner}: run gatehouse migrate as a ` +
      `superuser or as a member of ${owner}.`,
  );
