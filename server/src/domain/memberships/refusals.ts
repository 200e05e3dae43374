/** What the operations on members are refused with, in one wording. */
import { Refusal } from '../../kernel/errors.ts';

export const noSuchMember = (): Refusal => new Refusal('NOT_FOUND', 'There is no such member here.');

export const notYourPeople = (): Refusal =>
  new Refusal('FORBIDDEN', 'Only an owner of the organization can change who its owners are.');

export const lastOwner = (): Refusal =>
  new Refusal('LAST_OWNER', 'The organization would have no owner left. Make somebody else an owner first.');
