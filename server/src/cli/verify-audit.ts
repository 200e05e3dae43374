/** `gatehouse verify-audit`: whether the record of MCP tool calls and the audits of organizations are unchanged. */
import { InvalidArgumentError } from 'commander';
import {
  type BrokenChain,
  type KnownPosition,
  problemsInWords,
  type SoundChain,
} from '../domain/audit/verify-chain.ts';
import { type OrganizationVerification, verifyOrganizationAudits } from '../domain/audit/verify-organization-audits.ts';
import { verifyToolAudits } from '../domain/audit/verify-tool-audits.ts';
import type { Queryable } from '../platform/database/database.ts';
import { CommandFailed } from './exit.ts';
import { loadConfigReadOnly, quietLogger, withUnchanged } from './open.ts';
import { counted, type JsonOption, write } from './output.ts';

interface NotedPosition extends KnownPosition {
  /** Null for the record of tool calls. */
  readonly organizationId: string | null;
}

interface VerifyAuditOptions extends JsonOption {
  readonly expect?: readonly NotedPosition[];
}

/** Reads `POSITION:HASH` or `ORGANIZATION:POSITION:HASH`, as printed. @throws InvalidArgumentError */
const readKnownPosition = (text: string): NotedPosition => {
  const [, organizationId, position, hash] =
    /^(?:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):)?(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (position === undefined || hash === undefined)
    throw new InvalidArgumentError(
      'It is a position and a hash of 64 hex digits, as POSITION:HASH; for the audit of an organization its id comes first.',
    );
  return {
    organizationId: organizationId?.toLowerCase() ?? null,
    position: Number(position),
    hash: hash.toLowerCase(),
  };
};

/** Adds a position to those before it. @throws InvalidArgumentError: malformed, or its chain has one already */
export const addKnownPosition = (text: string, before: readonly NotedPosition[] = []): readonly NotedPosition[] => {
  const noted = readKnownPosition(text);
  if (before.some(({ organizationId }) => organizationId === noted.organizationId))
    throw new InvalidArgumentError('Give one position for each chain.');
  return [...before, noted];
};

interface SoundAudits {
  readonly tools: SoundChain;
  readonly organizations: readonly OrganizationVerification[];
}

interface BrokenAudit extends BrokenChain {
  /** Absent for the record of tool calls. */
  readonly organizationId?: string;
}

/** @throws CommandFailed naming the first row that does not match, or when there is no record to verify */
export const runVerifyAudit = ({ json, expect = [] }: VerifyAuditOptions): Promise<void> =>
  withUnchanged(loadConfigReadOnly(), quietLogger(), async (database) => {
    const verified = await verifyAll(database, expect);
    if (json === true) write(`${JSON.stringify(asJson(verified))}\n`);
    if (!('tools' in verified)) throw new CommandFailed(problemOf(verified));
    if (json !== true) write(inWords(verified));
  });

const verifyAll = async (
  database: Pick<Queryable, 'many'>,
  expect: readonly NotedPosition[],
): Promise<SoundAudits | BrokenAudit> => {
  const tools = await verifyToolAudits(
    database,
    expect.find(({ organizationId }) => organizationId === null),
  );
  if (!tools.isSound) return tools;
  const known = expect.flatMap((noted) =>
    noted.organizationId === null ? [] : [[noted.organizationId, noted] as const],
  );
  const organizations = await verifyOrganizationAudits(database, new Map(known));
  return organizations.find((chain) => !chain.isSound) ?? { tools, organizations };
};

const asJson = (verified: SoundAudits | BrokenAudit): object =>
  'tools' in verified ? { ...verified.tools, organizations: verified.organizations } : verified;

const problemOf = ({ organizationId, position, id, problem }: BrokenAudit): string => {
  const row = `Row ${position}${id === null ? '' : ` (${id})`}`;
  const chain = organizationId === undefined ? '' : ` of the audit of organization ${organizationId}`;
  return `${row}${chain} ${problemsInWords[problem]}.`;
};

const inWords = ({ tools, organizations }: SoundAudits): string => {
  const { count, lastPosition, lastHash } = tools;
  const calls =
    `The record of tool calls is intact: ${counted(count, 'row')}. ` +
    `To detect later that rows at its end are missing, keep this value: ${lastPosition}:${lastHash}\n`;
  if (organizations.length === 0) return calls;
  const rows = organizations.reduce((sum, chain) => sum + (chain.isSound ? chain.count : 0), 0);
  const chains =
    organizations.length === 1
      ? 'The audit of 1 organization is'
      : `The audits of ${organizations.length} organizations are`;
  return `${calls}${chains} intact: ${counted(rows, 'row')}. --json prints the end of each.\n`;
};
