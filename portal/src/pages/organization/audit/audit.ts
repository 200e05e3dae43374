/** The audit of an organization as data: its events, the filters in the URL, and the paged query. */
import {
  FetchOrganizationAuditDocument,
  type FetchOrganizationAuditQuery,
  type OrganizationAuditEvent,
  type OrganizationAuditFilter,
} from '../../../generated/graphql.ts';
import { type Address, idOf, instantOf, type ListView, oneOf, useListView } from '../../../lists/list-view.ts';
import { pagedQuery } from '../../../lists/paged-list.ts';
import type { Session } from '../../../session/session.ts';

export type AuditEntry = FetchOrganizationAuditQuery['organizationAudit']['nodes'][number];

/**
 * The names of subjects by id, as the newest of the entries that names each one has it. An entry of a use or an end has
 * only the id.
 */
export const namesOfSubjects = (entries: readonly AuditEntry[]): ReadonlyMap<string, string> => {
  const names = new Map<string, string>();
  for (const { subjectId, details } of entries) {
    const name = nameIn(details);
    if (subjectId !== null && name !== undefined && !names.has(subjectId)) names.set(subjectId, name);
  }
  return names;
};

const nameIn = (details: string | null): string | undefined => {
  if (details === null) return undefined;
  try {
    const facts: unknown = JSON.parse(details);
    if (typeof facts !== 'object' || facts === null || !('name' in facts)) return undefined;
    return typeof facts.name === 'string' ? facts.name : undefined;
  } catch {
    return undefined;
  }
};

/** Every event, in the order of the filter's menu. */
const events = {
  TOKEN_CREATED: true,
  TOKEN_DECIDED: true,
  TOKEN_ROTATED: true,
  TOKEN_REVOKED: true,
  TOKEN_REPORTED: true,
  TOKEN_USED_FROM_NEW_NETWORK: true,
  TOKEN_POLICY_CHANGED: true,
  SERVICE_ACCOUNT_CREATED: true,
  SERVICE_ACCOUNT_UPDATED: true,
  SERVICE_ACCOUNT_DELETED: true,
  MCP_CLIENT_CONNECTED: true,
  MCP_CLIENT_ENDED: true,
  MCP_CLIENT_REFUSED: true,
  MCP_POLICY_CHANGED: true,
  MCP_TOOL_CALLED: true,
  SECOND_FACTOR_POLICY_CHANGED: true,
  ORGANIZATION_DELETED: true,
  ORGANIZATION_RESTORED: true,
} as const satisfies Readonly<Record<OrganizationAuditEvent, true>>;

const isEvent = (name: string): name is OrganizationAuditEvent => Object.hasOwn(events, name);

export const auditEvents: readonly OrganizationAuditEvent[] = Object.keys(events).filter(isEvent);

/** The filters; ids are those of a person or machine, of what an entry is about, and of a request. */
interface AuditView {
  readonly event?: OrganizationAuditEvent | undefined;
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
  readonly correlation?: string | undefined;
  /** ISO 8601 in UTC. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Reads the URL; invalid values are dropped. */
const readAuditView = (address: Address): AuditView => ({
  event: oneOf(auditEvents, address['event']),
  actor: idOf(address['actor']),
  subject: idOf(address['subject']),
  correlation: idOf(address['correlation']),
  from: instantOf(address['from']),
  to: instantOf(address['to']),
});

/** The filters of the URL, and what changes them. */
export const useAuditView = (): ListView<AuditView> => useListView(readAuditView);

/** Converts it to the filter input of the API. */
export const toAuditFilter = ({
  event,
  actor,
  subject,
  correlation,
  from,
  to,
}: AuditView): OrganizationAuditFilter => ({
  event: event ?? null,
  actorId: actor ?? null,
  subjectId: subject ?? null,
  correlationId: correlation ?? null,
  from: from ?? null,
  to: to ?? null,
});

/** Nodes of a page. */
const first = 25;

export const auditQuery = (session: Session, organizationId: string, view: AuditView) => {
  const filter = toAuditFilter(view);
  return pagedQuery(session, ['organization audit', organizationId, filter], async (after) => {
    return (await session.request(FetchOrganizationAuditDocument, { first, after, filter })).organizationAudit;
  });
};
