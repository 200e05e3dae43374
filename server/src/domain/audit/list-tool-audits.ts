/** Queries mcpToolAudits, mcpToolAuditsCsv and mcpToolOutcomes: tool calls, in pages, as a file, and their numbers. */
import { invalidInput, requireValidInput } from '../../kernel/errors.ts';
import { idReason, normalizeId } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { filteredPage } from '../../platform/database/filtered-list.ts';
import { type CsvFile, csvOfPages, rangeReason, storableToolName } from './audit-lists.ts';
import {
  countOutcomes,
  findAuditTargets,
  type OutcomeBucketRow,
  resolveSpan,
  type Span,
  type ToolAuditCriteria,
  type ToolAuditRow,
  type ToolOutcome,
  toolAudits,
} from './tool-audits-store.ts';

interface Deps {
  readonly database: Queryable;
}

export interface ListDeps extends Deps {
  /** Whether the catalogue has a tool of this name. */
  readonly isTool: (name: string) => boolean;
}

/** Search criteria; null matches anything. */
interface ToolAuditFilter {
  readonly tool?: string | null | undefined;
  readonly outcome?: ToolOutcome | null | undefined;
  readonly actorUserId?: string | null | undefined;
  readonly clientId?: string | null | undefined;
  readonly correlationId?: string | null | undefined;
  /** Inclusive. */
  readonly from?: Date | null | undefined;
  /** Exclusive. */
  readonly to?: Date | null | undefined;
}

/**
 * Lists calls, newest first; the guard has required mcp:audit:view.
 * @throws Refusal BAD_USER_INPUT: names `first`, `after`, `from`, an id that is malformed or of nothing, or `filter`
 *   for an unknown tool
 */
export const listToolAudits = async (
  { database, isTool }: ListDeps,
  request: PageRequest,
  { tool = null, outcome = null, from = null, to = null, ...ids }: ToolAuditFilter,
): Promise<Page<ToolAuditRow>> => {
  const actor = normalizeId(ids.actorUserId);
  const client = normalizeId(ids.clientId);
  const correlation = normalizeId(ids.correlationId);
  requireValidInput({
    actorUserId: idReason(actor),
    clientId: idReason(client),
    correlationId: idReason(correlation),
    from: rangeReason(from, to),
  });
  const criteria = { tool: storableToolName(tool), outcome, actor, client, correlation, from, to };
  const page = await filteredPage(database, toolAudits, request, criteria);
  if (page.nodes.length === 0) await requireTargets(database, isTool, criteria);
  return page;
};

/**
 * Runs only for an empty page: what a call of the page has exists. The record has the names and ids of tools, people
 * and clients that are gone, and the names that clients called in vain.
 */
const requireTargets = async (
  database: Queryable,
  isTool: ListDeps['isTool'],
  { tool, actor, client, correlation }: ToolAuditCriteria,
): Promise<void> => {
  const recorded = tool === null || isTool(tool) ? null : tool;
  if ([recorded, actor, client, correlation].every((target) => target === null)) return;
  const found = await database.one(findAuditTargets, [recorded, actor, client, correlation]);
  requireValidInput({
    filter: found.hasTool ? null : 'No tool has this name.',
    actorUserId: found.hasActor ? null : 'No person has this id.',
    clientId: found.hasClient ? null : 'No client has this id.',
    correlationId: found.hasCall ? null : 'No recorded call has this id.',
  });
};

const columns = [
  'createdAt',
  'actorUserId',
  'actorEmail',
  'clientId',
  'clientName',
  'tool',
  'outcome',
  'correlationId',
  'argumentDigest',
  'credentialId',
] as const;

/** The newest 10,000 calls of a filter; as {@link listToolAudits}. */
export const exportToolAudits = (deps: ListDeps, filter: ToolAuditFilter): Promise<CsvFile> =>
  csvOfPages(columns, (request) => listToolAudits(deps, request, filter));

const hour = 3600;
const day = 24 * hour;
const maxHourlyRange = 48 * hour;
const longest = 92 * day;

/**
 * Numbers of calls by outcome, for each hour of a span up to 48 hours, else for each day, from `from` on.
 * @param asked without `to`, the span ends now; without `from`, it lasts seven days
 * @throws Refusal BAD_USER_INPUT: names `from`, for a span that ends before it begins or is longer than 92 days
 */
export const countToolOutcomes = async (
  { database }: Deps,
  asked: Partial<Readonly<Record<keyof Span, Date | null | undefined>>>,
): Promise<readonly OutcomeBucketRow[]> => {
  const { from, to } = await database.one(resolveSpan, [asked.from ?? null, asked.to ?? null]);
  requireValidInput({ from: rangeReason(from, to) });
  const seconds = (to.getTime() - from.getTime()) / 1000;
  if (seconds > longest) throw invalidInput({ from: 'The time range can have at most 92 days.' });
  return database.many(countOutcomes, [from, to, seconds <= maxHourlyRange ? hour : day]);
};
