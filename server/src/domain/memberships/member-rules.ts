/**
 * What all operations on the people of an organization share, the invited ones included: whom an id means there, who
 * has a say over whom, and the words in which both are refused.
 */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { findMember, type MemberRow } from '../organizations/members-store.ts';
import { mayManage, type Role } from '../scopes/scopes.ts';

/** @throws Refusal NOT_FOUND, the same for an unknown, a malformed and another organization's id */
export const getMember = async (
  transaction: Transaction,
  memberId: string,
  organizationId: string,
): Promise<MemberRow> => {
  const member = isId(memberId) ? await transaction.maybeOne(findMember, [memberId, organizationId]) : null;
  if (member === null) throw new Refusal('NOT_FOUND', 'There is no such member or invitation here.');
  return member;
};

/** @throws Refusal FORBIDDEN when someone in this role may not invite, change and remove people of that role */
export const requireSayOver = (role: Role, other: Role): void => {
  if (mayManage(role, other)) return;
  throw new Refusal('FORBIDDEN', 'Only an owner of the organization has a say over its owners, invited ones included.');
};

export const lastOwner = (): Refusal =>
  new Refusal('LAST_OWNER', 'The organization would have no owner left. Make somebody else an owner first.');
