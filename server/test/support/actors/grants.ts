/** The actor of a grant of an MCP client that is bound to an organization, through the domain. */
import type { Actor } from '../../../src/domain/access/actor.ts';
import { Authenticator } from '../../../src/domain/access/authenticate.ts';
import { defaultApplication } from '../../../src/domain/scopes/application-definition.ts';
import { Refusal } from '../../../src/kernel/errors.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Tokens } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';

const authenticators = new WeakMap<Database, Authenticator>();

/** As a process that keeps actors from one call to the next. */
const authenticatorOn = (database: Database): Authenticator => {
  const known = authenticators.get(database);
  if (known !== undefined) return known;
  const made = new Authenticator(database, defaultApplication, { superAdminsNeedSecondFactor: true });
  authenticators.set(database, made);
  return made;
};

/** @throws Refusal UNAUTHENTICATED: the grant has ended */
export const actorOfGrant = (
  { database }: Pick<Service, 'database'>,
  { tokens }: { readonly tokens: Tokens },
): Promise<Actor> => authenticatorOn(database).authenticate(tokens.accessToken, ['mcp_organization']);

export const isAccepted = async (
  service: Pick<Service, 'database'>,
  grant: { readonly tokens: Tokens },
): Promise<boolean> => {
  try {
    await actorOfGrant(service, grant);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'UNAUTHENTICATED') return false;
    throw error;
  }
};
