/** What a person is told of the outside identity that they can sign in with. */
import type { Database } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import type { OwnIdentityRow } from '../credentials/holder-store.ts';
import { findIdentityOfUser } from './identities-store.ts';

/** Null when there is none. */
export const findOwnIdentity = async (
  { database }: { readonly database: Database },
  { user }: Actor,
): Promise<OwnIdentityRow | null> =>
  user.hasExternalIdentity ? database.maybeOne(findIdentityOfUser, [user.id]) : null;
