/** Queries mcpToolAudits and mcpToolOutcomes: the record of tool calls, in pages, and their numbers over time. */
import { invalidInput, type Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { cursorRefused, type Page, type PageRequest, pageOf, readPageRequest } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import {
  countOutcomes,
  type OutcomeBucketRow,
  resolveSpan,
  type Span,
  soughtToolAudits,
  type ToolAuditRow,
  type ToolOutcome,
} from './tool-audits-store.ts';

interface Deps {
  readonly database: Queryable;
}

/** Search criteria; null matches anything. */
export interface ToolAuditFilter {
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
 * Lists calls, newest first. The caller's guard has already required a super admin with mcp:audit:view.
 * @returns nothing for texts that are not ids
 * @throws Refusal BAD_USER_INPUT: names `first`, `after` or `from`
 */
export const listToolAudits = async (
  { database }: Deps,
  request: PageRequest,
  filter: ToolAuditFilter,
): Promise<Page<ToolAuditRow>> => {
  const { limit, after } = readPageRequest(request, 1);
  const [before = null] = after ?? [];
  if (before !== null && !/^\d{1,15}$/.test(before)) throw cursorRefused();
  const { tool = null, outcome = null, from = null, to = null } = filter;
  const { actorUserId: actor = null, clientId: client = null, correlationId: correlation = null } = filter;
  if (from !== null && to !== null && from > to) throw endsBeforeItBegins();
  const ids = [actor, client, correlation];
  // PostgreSQL refuses a malformed id and a text with NUL.
  const canBeFound = ids.every((id) => id === null || isId(id)) && tool?.includes('\u0000') !== true;
  if (!canBeFound) return pageOf<ToolAuditRow>([], request, 0, keysOf);
  const { list, count, values } = soughtToolAudits({ tool, outcome, actor, client, correlation, from, to });
  const rows = await database.many(list, [...values, before, limit]);
  const { total } = await database.one(count, values);
  return pageOf(rows, request, total, keysOf);
};

const keysOf = ({ position }: ToolAuditRow): readonly string[] => [String(position)];

const endsBeforeItBegins = (): Refusal => invalidInput({ from: 'The time asked for ends before it begins.' });

const hour = 3600;
const day = 24 * hour;
const maxHourlyRange = 48 * hour;
const longest = 92 * day;

/**
 * Numbers of calls that succeeded, were denied and failed, for each hour of a span up to 48 hours, else for each day.
 * The intervals start at `from`; the last one ends with the span.
 * @param asked without `to`, the span ends now; without `from`, it lasts seven days
 * @throws Refusal BAD_USER_INPUT: names `from`, for a span that ends before it begins or is longer than 92 days
 */
export const countToolOutcomes = async (
  { database }: Deps,
  asked: Partial<Readonly<Record<keyof Span, Date | null | undefined>>>,
): Promise<readonly OutcomeBucketRow[]> => {
  const { from, to } = await database.one(resolveSpan, [asked.from ?? null, asked.to ?? null]);
  if (from > to) throw endsBeforeItBegins();
  const seconds = (to.getTime() - from.getTime()) / 1000;
  if (seconds > longest) throw invalidInput({ from: 'Ask for at most 92 days.' });
  return database.many(countOutcomes, [from, to, seconds <= maxHourlyRange ? hour : day]);
};
