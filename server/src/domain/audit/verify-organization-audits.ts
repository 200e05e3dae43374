/** Verifies the audits of all organizations, a chain each (migration 0010), and the details that are not erased. */
import { createHash } from 'node:crypto';
import type { Queryable } from '../../platform/database/database.ts';
import { listChains, type OrganizationChainRow } from './organization-audits-store.ts';
import {
  type BrokenChain,
  type ChainProblem,
  type EndOfChain,
  emptyChain,
  endedAt,
  type KnownPosition,
  problemOf,
  type Verification,
} from './verify-chain.ts';

/** The chain of an organization, which may be gone. */
export type OrganizationVerification = Verification & { readonly organizationId: string };

const rowsAtOnce = 1000;
/** Before the ids of all organizations. */
const first = '00000000-0000-0000-0000-000000000000';

/**
 * Reads all chains in pages; rows that are appended meanwhile may be missing.
 * @param known positions and hashes noted earlier, by organization
 * @returns every chain, or only the first broken one
 */
export const verifyOrganizationAudits = async (
  queryable: Pick<Queryable, 'many'>,
  known: ReadonlyMap<string, KnownPosition> = new Map(),
): Promise<readonly OrganizationVerification[]> => {
  const ends = new Map<string, EndOfChain>();
  let at: readonly [organizationId: string, position: number] = [first, 0];
  for (;;) {
    const page = await queryable.many(listChains, [...at, rowsAtOnce]);
    for (const row of page) {
      const { organizationId, position, id } = row;
      const problem = problemIn(row, ends.get(organizationId) ?? emptyChain, known.get(organizationId));
      if (problem !== null) return [broken(organizationId, { isSound: false, position, id, problem })];
      ends.set(organizationId, row);
      at = [organizationId, position];
    }
    if (page.length < rowsAtOnce) return verificationsOf(ends, known);
  }
};

const broken = (organizationId: string, chain: BrokenChain): OrganizationVerification => ({ organizationId, ...chain });

/** A chain that is noted and of which no row is left is cut as well. */
const verificationsOf = (
  ends: ReadonlyMap<string, EndOfChain>,
  known: ReadonlyMap<string, KnownPosition>,
): readonly OrganizationVerification[] => {
  const all = [...new Set([...ends.keys(), ...known.keys()])].map((organizationId) => ({
    organizationId,
    ...endedAt(ends.get(organizationId) ?? emptyChain, known.get(organizationId)),
  }));
  const cut = all.find(({ isSound }) => !isSound);
  return cut === undefined ? all : [cut];
};

const problemIn = (
  row: OrganizationChainRow,
  last: EndOfChain,
  known: KnownPosition | undefined,
): ChainProblem | null => problemOf(row, last, known) ?? problemOfDetails(row);

/** Erased details have neither text nor salt, and a person of theirs is gone; their digest stays. */
const problemOfDetails = (row: OrganizationChainRow): ChainProblem | null => {
  const { details, detailsSalt, detailsDigest, keepsDetails } = row;
  if (details === null) return keepsDetails ? 'erased' : null;
  const digest = createHash('sha256')
    .update(`${detailsSalt ?? ''}${details}`)
    .digest('hex');
  return digest === detailsDigest ? null : 'details';
};
