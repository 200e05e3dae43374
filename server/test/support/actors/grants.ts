/** Whether a grant of an MCP client that is bound to an organization is accepted, through the domain. */
import { Authenticator } from '../../../src/domain/access/authenticate.ts';
import { defaultApplication } from '../../../src/domain/scopes/application-definition.ts';
import { Refusal } from '../../../src/kernel/errors.ts';
import type { Tokens } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';

/** Without a cache of actors: what a new process answers. */
export const isAccepted = async (
  { database }: Pick<Service, 'database'>,
  { tokens }: { readonly tokens: Tokens },
  audience = 'mcp_organization',
): Promise<boolean> => {
  const authenticator = new Authenticator(database, defaultApplication, { superAdminsNeedSecondFactor: true });
  try {
    await authenticator.authenticate(tokens.accessToken, [audience]);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'UNAUTHENTICATED') return false;
    throw error;
  }
};
