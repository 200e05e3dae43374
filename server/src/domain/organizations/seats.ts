/** Seats: how many members a product allows (contract/application.md#seats-of-a-product). */
import { Refusal } from '../../kernel/errors.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Application } from '../scopes/application.ts';
import { findSeats, type SeatsRow } from './organizations-store.ts';

/** Whether any product limits its members; without one, nothing is locked or counted. */
export const hasSeats = ({ products }: Application): boolean => products.some(({ members }) => members !== null);

type Counted = 'members' | 'members and invitations';

/**
 * Requires seats, after the change that takes one and in its transaction; the organization is locked, so that
 * concurrent changes count each other.
 * @throws Refusal SEATS_EXHAUSTED: the change is rolled back
 */
export const requireSeats = async (
  transaction: Transaction,
  application: Application,
  organizationId: string,
  counted: Counted,
): Promise<void> => {
  if (!hasSeats(application)) return;
  const row = await transaction.maybeOne(findSeats, [organizationId]);
  const seats = application.findProduct(row?.product ?? null)?.members ?? null;
  if (row === null || seats === null || taken(row, counted) <= seats) return;
  throw new Refusal('SEATS_EXHAUSTED', `All ${seats} seats of the organization's plan are taken.`);
};

/** How many more people can be invited; null is no limit. The caller holds the organization. */
export const freeSeats = async (
  transaction: Transaction,
  application: Application,
  organizationId: string,
): Promise<number | null> => {
  if (!hasSeats(application)) return null;
  const row = await transaction.maybeOne(findSeats, [organizationId]);
  const seats = application.findProduct(row?.product ?? null)?.members ?? null;
  return row === null || seats === null ? null : Math.max(0, seats - taken(row, 'members and invitations'));
};

const taken = ({ members, openInvitations }: SeatsRow, counted: Counted): number =>
  counted === 'members' ? members : members + openInvitations;
