/** Actors as an authenticated request passes them to operations, for tests without a request. */

import type { Actor } from '../../../src/domain/access/actor.ts';
import { defaultApplication } from '../../../src/domain/scopes/application-definition.ts';

interface ActorParts {
  readonly user?: Partial<Actor['user']>;
  readonly credential?: Partial<Actor['credential']>;
  readonly membership?: Actor['membership'];
}

/** A user with a password and a session of an opaque client, without a membership unless it is given. */
export const actorWith = ({ user, credential, membership = null }: ActorParts = {}): Actor => ({
  application: defaultApplication,
  machine: null,
  user: {
    id: 'u',
    email: 'a@example.com',
    name: 'A',
    language: null,
    emailValidatedAt: null,
    isSuperAdmin: false,
    platformScopes: [],
    needsFactorAsSuperAdmin: false,
    hasPassword: true,
    hasExternalIdentity: false,
    isPasswordInQuestion: false,
    ...user,
  },
  credential: {
    id: 'c',
    sessionFamilyId: 'f',
    audience: 'api',
    authMethod: 'password',
    hasSecondFactor: false,
    issuedAt: new Date('2026-01-01T00:00:00Z'),
    expiresAt: new Date('2026-01-01T00:15:00Z'),
    scopes: [],
    grantedScopes: credential?.scopes ?? [],
    clientId: null,
    clientMetadataUrl: null,
    clientName: null,
    isClientRefused: false,
    ...credential,
  },
  membership,
});
