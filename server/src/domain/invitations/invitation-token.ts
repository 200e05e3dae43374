/**
 * The two secrets of an invitation: the token in its link, of which SHA-256 is stored, and the vToken, which is derived
 * from it with a key of the service, so that the preview can hand it out without its being stored.
 */
import { randomUUID } from 'node:crypto';
import { isId } from '../../kernel/ids.ts';
import type { Keyring } from '../../kernel/secrets.ts';

/** A UUID of 122 random bits (specification, "Organization and OrganizationMember"). */
export const newInvitationToken = (): string => randomUUID();

/** Whether a text can be such a token at all: a UUID in lower case. Asks nobody. */
export const isWellFormedInvitationToken = (text: string): boolean => isId(text);

const purpose = 'invitation vToken';

export const vTokenOf = (keyring: Keyring, token: string): string => keyring.mac(purpose, token);

/** Whether this service handed out the vToken for this invitation, under any of its secrets. */
export const isVTokenOf = (keyring: Keyring, token: string, candidate: string): boolean =>
  keyring.isMac(purpose, token, candidate);
