/** The GraphQL types of a session and of what a revocation did: Session, RevocationReceipt. */
import type { RevocationReceipt as Receipt } from '../../domain/credentials/revoke.ts';
import type { SessionRow } from '../../domain/credentials/sessions-store.ts';
import { builder } from '../builder.ts';

export const CredentialKind = builder.enumType('CredentialKind', { values: ['user_session', 'user_refresh'] as const });

export const Session = builder.objectRef<SessionRow>('Session').implement({
  description: 'A credential as session governance shows it. Neither tokens nor their hashes ever appear.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The credential's id." }),
    sessionFamilyId: t.exposeID('sessionFamilyId'),
    kind: t.expose('kind', { type: CredentialKind }),
    audience: t.exposeString('audience'),
    authMethod: t.exposeString('authMethod'),
    userId: t.exposeID('userId'),
    userEmail: t.exposeString('userEmail'),
    organizationId: t.exposeID('organizationId', { nullable: true }),
    organizationName: t.exposeString('organizationName', { nullable: true }),
    clientName: t.exposeString('clientName', {
      nullable: true,
      description: 'Name of the MCP client, for MCP credentials.',
    }),
    scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
    issuedAt: t.expose('issuedAt', { type: 'DateTime', description: 'In mySessions: when the person signed in.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'In mySessions: when the session family ends.' }),
    issueIp: t.exposeString('issueIp', { nullable: true }),
    issueUserAgent: t.exposeString('issueUserAgent', { nullable: true }),
    lastSeenAt: t.expose('lastSeenAt', { type: 'DateTime', nullable: true }),
    lastSeenIp: t.exposeString('lastSeenIp', { nullable: true }),
    isCurrent: t.boolean({
      description: "True for the request's own access credential.",
      resolve: ({ id }, _args, { actor }) => id === actor?.credential.id,
    }),
  }),
});

type RevocationFacts = Pick<Receipt, 'revokedCredentials' | 'revokedAt'>;

export const RevocationReceipt = builder.objectRef<RevocationFacts>('RevocationReceipt').implement({
  description: 'What a revocation did.',
  fields: (t) => ({
    success: t.boolean({ resolve: () => true }),
    revokedCredentials: t.exposeInt('revokedCredentials', {
      description: 'Credentials that were active and are now revoked.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      description: 'When the revocation was durable; no server accepts the credentials after this instant.',
    }),
  }),
});
