/** Schemas and texts that several tools share: pages, ids, instants, dry runs. */
import { z } from 'zod';
import { idReason } from '../../kernel/ids.ts';
import { readInstant } from '../../kernel/instants.ts';
import type { Page, Total } from '../../kernel/paging.ts';
import { searchReason } from '../users/text-rules.ts';

/** A Date internally, ISO 8601 in UTC with milliseconds externally, like GraphQL's DateTime. */
export const instant = z.codec(z.string().meta({ format: 'date-time' }), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

export const count = z.int().min(0);

/** A text argument. @param reasonOf why it is refused, or null */
export const checkedText = (reasonOf: (text: string) => string | null) =>
  z.string().check(({ value, issues }) => {
    const message = reasonOf(value);
    if (message !== null) issues.push({ code: 'custom', message, input: undefined });
  });

/** An instant that a caller gives, in the form of GraphQL's DateTime. */
export const instantArgument = checkedText((text) =>
  readInstant(text) === null ? 'This must be an instant, such as 2026-11-20T09:30:00Z.' : null,
)
  .transform((text) => new Date(text))
  .meta({ format: 'date-time' });

const maxRows = 100;
const defaultRows = 50;
const rowsReason = `Request 1 to ${maxRows} at a time.`;

/** Accepted in any case, as UUIDs are (RFC 9562, section 4). */
export const idArgument = checkedText((text) => idReason(text.toLowerCase()))
  .toLowerCase()
  .meta({ format: 'uuid' });

/** The arguments of every list. */
export const pageArguments = {
  first: z.int().min(1, rowsReason).max(maxRows, rowsReason).default(defaultRows),
  after: z.string().optional().describe('endCursor of the previous page.'),
};

/** The search text of a list. @param longest in characters */
export const queryArgument = (longest: number) => checkedText((text) => searchReason(text, longest)).optional();

/** The argument of every tool that changes data. */
export const dryRunArgument = {
  dryRun: z.boolean().default(false).describe('true only shows what would change. Use it first.'),
};

/** Begins the sentence of a dry run. */
export const dryRunPrefix = 'Dry run, nothing was changed: ';

/** A page of a list, like GraphQL's connections. */
export const pageSchema = <Output, Wire>(node: z.ZodType<Output, Wire>) =>
  z.object({
    nodes: z.array(node),
    totalCount: count,
    totalCountIsCapped: z.boolean(),
    pageInfo: z.object({
      hasNextPage: z.boolean(),
      endCursor: z.string().nullable(),
    }),
  });

interface PageOutput<Row> extends Omit<Page<Row>, 'nodes' | 'total'>, Total {
  readonly nodes: Row[];
}

/** A page with its total, copied into the type that schemas require. */
export const pageOutput = async <Row, Output>(
  { nodes, total, pageInfo, cursorAt }: Page<Row>,
  outputOf: (row: Row) => Output,
): Promise<PageOutput<Output>> => ({ ...(await total()), nodes: nodes.map(outputOf), pageInfo, cursorAt });

/** The first rows of a page, with the cursor of the next ones. */
export const shortenPage = <Row>(page: PageOutput<Row>, maxRows: number): PageOutput<Row> =>
  page.nodes.length <= maxRows
    ? page
    : {
        ...page,
        nodes: page.nodes.slice(0, maxRows),
        pageInfo: { hasNextPage: true, endCursor: page.cursorAt(maxRows - 1) },
      };

interface Noun {
  readonly one: string;
  readonly many: string;
}

/** A page as text: how many rows there are, how many are shown, and whether more follow. */
export const pageInWords = (page: PageOutput<unknown>, noun: Noun): string => {
  const { nodes, totalCount, totalCountIsCapped, pageInfo } = page;
  if (totalCount === 0) return `No ${noun.many}.`;
  const total = `${totalCountIsCapped ? 'More than ' : ''}${counted(totalCount, noun)}`;
  const shown = `${total}, ${nodes.length === totalCount ? 'all' : nodes.length} shown`;
  return pageInfo.hasNextPage ? `${shown}; more follow: call again with \`after\` set to the endCursor.` : `${shown}.`;
};

/** “1 session”, “2 sessions”. */
export const counted = (number: number, { one, many }: Noun): string => `${number} ${number === 1 ? one : many}`;

/** An instant as text. */
export const inWords = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
