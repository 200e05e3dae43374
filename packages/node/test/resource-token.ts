/** Tokens of the resource, as a client has them that a person let into their organization. */
import type { Tenant } from '../../../server/test/support/actors/tenants.ts';
import { connectToOrganization } from '../../../server/test/support/clients/organization-mcp.ts';
import type { Service } from '../../../server/test/support/gatehouse/gatehouse.ts';
import { resourceUrl } from './application.ts';

/** @param scopes granted, comma-separated */
export const tokenForResource = async (service: Service, person: Tenant, scopes: string): Promise<string> => {
  const grant = { scopes: scopes.split(','), audience: resourceUrl };
  return (await connectToOrganization(service, person, grant)).tokens.accessToken;
};
