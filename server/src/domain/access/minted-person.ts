/** The person in the answer that carries a new pair: all of it was read with the pair, before the commit. */
import type { MintedHolderRow, OwnIdentityRow } from '../credentials/holder-store.ts';
import { type ActiveMembership, type Actor, activeMembership } from './actor.ts';
import type { Authenticator } from './authenticate.ts';

/** What a person has several of; no part of the actor. */
export interface PersonLists {
  /** The oldest membership first. */
  readonly memberships: readonly ActiveMembership[];
  /** Null when none is linked. */
  readonly externalIdentity: OwnIdentityRow | null;
}

/** An actor, with their lists where these were read beforehand. */
export interface Person extends Actor {
  readonly lists?: PersonLists;
}

/** The person who holds a pair that was just minted. Asks nothing of the database. */
export const personOf = (
  authenticator: Pick<Authenticator, 'remember'>,
  accessToken: string,
  holder: MintedHolderRow,
): Person => {
  const actor = authenticator.remember(accessToken, holder);
  return holder.lists === null ? actor : { ...actor, lists: listsOf(holder.lists) };
};

const listsOf = ({ memberships, externalIdentity }: NonNullable<MintedHolderRow['lists']>): PersonLists => ({
  memberships: memberships.map((row) =>
    activeMembership({ ...row, currentPeriodEndsAt: instantOf(row.currentPeriodEndsAt) }),
  ),
  externalIdentity:
    externalIdentity === null ? null : { ...externalIdentity, linkedAt: new Date(externalIdentity.linkedAt) },
});

const instantOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
