/**
 * Appends to the audit of an organization (contract/machine-credentials.md#chain-of-an-organization): a hash chain for
 * each organization, which the database makes (decision 0064).
 */
import { isId, newId } from '../../kernel/ids.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { currentCorrelationId } from '../../platform/observability/context.ts';
import {
  type AuditedActorKind,
  appendAudits,
  appendFreeAudits,
  type OrganizationAuditEvent,
  type OrganizationAuditOutcome,
} from './organization-audits-store.ts';
import { canonicalJson, recordedToolName } from './tool-audits.ts';

/** Who acted, as it is recorded. */
export interface AuditedActor {
  readonly kind: AuditedActorKind;
  /** The id of the person or the service account. */
  readonly id: string;
  readonly credentialId: string;
}

interface ActorFacts {
  readonly machine: { readonly kind: Exclude<AuditedActorKind, 'PERSON'> } | null;
  readonly user: { readonly id: string };
  readonly credential: { readonly id: string };
}

/** The recorded columns of a request's actor. */
export const auditedActorOf = ({ machine, user, credential }: ActorFacts): AuditedActor => ({
  kind: machine?.kind ?? 'PERSON',
  id: user.id,
  credentialId: credential.id,
});

type Json = string | number | boolean | null | undefined | readonly Json[] | { readonly [name: string]: Json };

/** One row of an organization's audit. */
export interface OrganizationAudit {
  readonly organizationId: string;
  readonly event: OrganizationAuditEvent;
  /** Null when no person and no machine acted. */
  readonly actor: AuditedActor | null;
  /** The object: the id of a token, service account or client; null for the organization itself. */
  readonly subjectId: string | null;
  /** The person whose personal token the subject is. The details go with the account of this person. */
  readonly subjectUserId?: string | null;
  /** Never a secret, a hash or a raw argument. Members that are undefined are left out. */
  readonly details?: { readonly [name: string]: Json };
  /** By default `success`; another one only for MCP_TOOL_CALLED. */
  readonly outcome?: OrganizationAuditOutcome;
  readonly clientId?: string | null;
  /** The called tool. */
  readonly tool?: string | null;
  /** By default that of the request in progress; a new one outside of a request. */
  readonly correlationId?: string;
}

/**
 * Appends rows in one statement, and locks their chains. It follows every statement that locks anything but the record
 * of tool calls; a second call is for the same organization or later ones in order, as in every concurrent transaction.
 * @param ids of the rows; a second row with an id is refused
 * @throws Error: an id is none, which is a defect
 */
export const appendOrganizationAudits = async (
  transaction: Pick<Queryable, 'execute'>,
  audits: readonly OrganizationAudit[],
  ids: readonly string[] = audits.map(() => newId()),
): Promise<void> => {
  if (audits.length === 0) return;
  await transaction.execute(appendAudits, columnsOf(audits, ids));
};

/**
 * Appends rows in one statement, unless another transaction holds one of their chains.
 * @returns the organizations whose chains are held
 * @throws Error: an id is none, which is a defect
 */
export const appendFreeOrganizationAudits = async (
  database: Pick<Queryable, 'one'>,
  audits: readonly OrganizationAudit[],
  ids: readonly string[],
): Promise<readonly string[]> => (await database.one(appendFreeAudits, columnsOf(audits, ids))).held;

const columnsOf = (audits: readonly OrganizationAudit[], ids: readonly string[]) => {
  for (const audit of audits) requireIds(audit);
  const correlationId = currentCorrelationId();
  return [
    ids,
    audits.map(({ organizationId }) => organizationId),
    audits.map(({ event }) => event),
    audits.map(({ outcome = 'success' }) => outcome),
    audits.map(({ actor }) => actor?.kind ?? null),
    audits.map(({ actor }) => actor?.id ?? null),
    audits.map(({ actor }) => actor?.credentialId ?? null),
    audits.map(({ clientId = null }) => clientId),
    audits.map(({ tool = null }) => (tool === null ? null : recordedToolName(tool))),
    audits.map(({ subjectId }) => subjectId),
    audits.map(({ subjectUserId = null }) => subjectUserId),
    audits.map((audit) => audit.correlationId ?? correlationId),
    audits.map(({ details = {} }) => canonicalJson(details)),
  ] as const;
};

/** @throws Error: an id is none, which is a defect */
export const requireIds = ({
  organizationId,
  actor,
  subjectId,
  subjectUserId,
  clientId,
  correlationId,
}: OrganizationAudit): void => {
  const ids = [organizationId, actor?.id, actor?.credentialId, subjectId, subjectUserId, clientId, correlationId];
  if (!ids.every((id) => id === null || id === undefined || isId(id)))
    throw new Error('An organization’s audit is recorded by ids');
};
