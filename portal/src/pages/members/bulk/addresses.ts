/** Addresses out of what a person pastes: a column of a table, a list, or the recipients of a mail. */

import type { InviteMembersMutation, Role } from '../../../generated/graphql.ts';

/** The addresses as they were typed, and the role for all of them. */
export interface AddressList {
  readonly addresses: readonly string[];
  readonly role: Role;
}

/** The outcome for each address. */
export type Reports = InviteMembersMutation['inviteMembers']['reports'];

/** The longest list that the server accepts. */
export const maxAddresses = 200;

/**
 * Splits a text into candidates, in their order: at line breaks, commas, semicolons and white space; of `Name
 * <address>` the address alone. What is not an address is kept, so that the report can name it; empty parts are not.
 */
export const readAddresses = (text: string): readonly string[] =>
  text
    .replaceAll(/"[^"\n]*"\s*(?=<)/g, '')
    .split(/[\n\r,;\t]+/)
    .flatMap((part) => {
      const bracketed = [...part.matchAll(/<([^<>]*)>/g)].map(([, address = '']) => address.trim());
      const found = bracketed.length > 0 ? bracketed : part.split(/\s+/);
      return found.map(withoutMarks).filter((address) => address !== '');
    });

/** Without the quotes and brackets that lists have around addresses. */
const withoutMarks = (candidate: string): string => candidate.replace(/^["'([]+|["')\].]+$/g, '');
