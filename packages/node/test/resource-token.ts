/** Tokens of the resource, by SQL: the service issues none yet. */
import { alter } from '../../../server/test/support/actors/credentials.ts';
import type { Tenant } from '../../../server/test/support/actors/tenants.ts';
import type { Service } from '../../../server/test/support/gatehouse/gatehouse.ts';
import { resourceUrl } from './application.ts';

/** Makes the access token of a person one of the resource. @param scopes comma-separated */
export const tokenForResource = async (service: Service, { tokens }: Tenant, scopes: string): Promise<string> => {
  await alter(service, tokens.accessToken, `audience = '${resourceUrl}', scopes = '{${scopes}}'`);
  return tokens.accessToken;
};
