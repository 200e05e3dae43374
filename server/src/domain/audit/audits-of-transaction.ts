/**
 * The audits of a transaction: noted while it runs, and appended together by its last statements. The locks of the
 * chains are thus taken after every other lock, in one order, whatever operations the transaction consists of.
 */
import type { Transaction } from '../../platform/database/database.ts';
import {
  type AuditedActor,
  appendOrganizationAudits,
  auditedActorOf,
  type OrganizationAudit,
} from './organization-audits.ts';

/** An audit whose actor is that of the transaction. */
export type PendingAudit = Omit<OrganizationAudit, 'actor'>;

interface Notes {
  /** Null until an operation says who acts; it stays null for a report of a leaked token. */
  actor: AuditedActor | null;
  audits: PendingAudit[];
}

const notes = new WeakMap<Transaction, Notes>();

const notesOf = (transaction: Transaction): Notes => {
  const known = notes.get(transaction);
  if (known !== undefined) return known;
  const made: Notes = { actor: null, audits: [] };
  notes.set(transaction, made);
  transaction.beforeCommit(() => writeAudits(transaction));
  return made;
};

/** Says who acts in this transaction, for every audit of it. */
export const actIn = (transaction: Transaction, actor: Parameters<typeof auditedActorOf>[0]): void => {
  notesOf(transaction).actor = auditedActorOf(actor);
};

/** Notes an audit: appended before the commit, and not at all after a rollback. */
export const addAudit = (transaction: Transaction, audit: PendingAudit): void => {
  notesOf(transaction).audits.push(audit);
};

/** So many are appended by one statement: it takes a fraction of a statement's limit. */
const auditsAtOnce = 500;

/**
 * Appends what was noted, in the order of the organizations, in which all code locks several chains. For an operation
 * that has to check something after the last lock that it waits for.
 */
export const writeAudits = async (transaction: Transaction): Promise<void> => {
  const noted = notes.get(transaction);
  if (noted === undefined || noted.audits.length === 0) return;
  const { actor } = noted;
  const audits = noted.audits.toSorted(byOrganization).map((audit) => ({ ...audit, actor }));
  noted.audits = [];
  for (let start = 0; start < audits.length; start += auditsAtOnce) {
    await appendOrganizationAudits(transaction, audits.slice(start, start + auditsAtOnce));
  }
};

const byOrganization = (left: PendingAudit, right: PendingAudit): number => {
  if (left.organizationId === right.organizationId) return 0;
  return left.organizationId < right.organizationId ? -1 : 1;
};
