/** An MCP client connected as by a person's consent (contract/organization-mcp.md#consent-of-a-member). */
import { activeMembership } from '../domain/access/actor.ts';
import { type CredentialLifetimes, issueCredentialPair } from '../domain/credentials/issue-pair.ts';
import { grantedScopes } from '../domain/oauth/authorization-request.ts';
import { insertClient } from '../domain/oauth/clients-store.ts';
import type { ProtectedResources } from '../domain/oauth/resources.ts';
import { findMembership } from '../domain/organizations/organizations-store.ts';
import type { Application } from '../domain/scopes/application.ts';
import { newId } from '../kernel/ids.ts';
import type { Database, Transaction } from '../platform/database/database.ts';
import type { ClientWish } from '../testing-support.d.ts';

interface ConnectDeps {
  readonly database: Database;
  readonly application: Application;
  readonly lifetimes: CredentialLifetimes;
  readonly resources: ProtectedResources;
  readonly url: string;
}

/** On the person's own machine. */
const redirectHost = '127.0.0.1';
const caller = { ip: '127.0.0.1', userAgent: '@gatehouse/testing' };

/**
 * Connects a new client.
 * @returns its access token
 * @throws Error: the resource is not served, the person is no member, or holds none of the scopes
 */
export const connectClient = async (deps: ConnectDeps, wish: ClientWish): Promise<string> => {
  const { database, lifetimes, resources, url } = deps;
  const resource = resources.named([wish.resource ?? `${url}/mcp/organization`]);
  if (resource?.isOfOrganization !== true) throw new Error(`No resource of an organization: ${wish.resource}`);
  return database.transaction(async (transaction) => {
    const membership = await membershipFor(deps, transaction, wish);
    const scopes = grantedScopes(resource, wish.scopes ?? null, new Set(membership.scopes));
    if (scopes.length === 0) throw new Error('The person holds none of these scopes in the organization.');
    const clientId = newId();
    await transaction.one(insertClient, [clientId, 'Test client', [`http://${redirectHost}/`], caller.ip]);
    const bound = { organizationId: wish.organizationId, membershipId: membership.id, redirectHost };
    const pair = await issueCredentialPair(transaction, lifetimes, {
      userId: wish.personId,
      audience: resource.audience,
      authMethod: 'mcp_oauth',
      caller,
      succeeds: null,
      grant: { clientId, scopes, bound },
    });
    if (pair === null) throw new Error('This person does not exist any more.');
    return pair.accessToken;
  });
};

const membershipFor = async (
  { application }: ConnectDeps,
  transaction: Transaction,
  { personId, organizationId }: ClientWish,
) => {
  const row = await transaction.maybeOne(findMembership, [personId, organizationId]);
  if (row === null) throw new Error('This person does not belong to the organization.');
  return activeMembership(application, row, false);
};
