/** Sessions with and without a second factor, and what back ends are told of them. */
import type { Actor } from '../../../src/domain/access/actor.ts';
import { Authenticator } from '../../../src/domain/access/authenticate.ts';
import { defaultApplication } from '../../../src/domain/scopes/application-definition.ts';
import { bearer, operations, type Tokens } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { addOneTimeCodes, freshCode } from './one-time-codes.ts';
import { runAs, type Tenant } from './tenants.ts';

export type Person = Pick<Tenant, 'tokens'>;

export const identityOf = async ({ url }: Pick<Service, 'url'>, { tokens }: Person, query = '') => {
  const answer = await fetch(`${url}/auth/identity?method=GET${query}`, { headers: bearer(tokens) });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
};

/** A person of a signed-in session with one-time codes, which the session has used. */
export const withCodes = async (service: Service, person: Tenant): Promise<Tenant & { readonly secret: string }> => ({
  ...person,
  ...(await addOneTimeCodes(service, person.tokens)),
});

export const confirmByCode = async (service: Service, { tokens, secret }: Person & { readonly secret: string }) =>
  runAs(service, { tokens }, operations.reauthenticate, { input: { code: await freshCode(service, secret) } });

/** The actor of a request that begins now. */
export const actorOf = ({ database }: Service, { accessToken }: Tokens, audiences: readonly string[]): Promise<Actor> =>
  new Authenticator(database, defaultApplication, { superAdminsNeedSecondFactor: true }).authenticate(
    accessToken,
    audiences,
  );

/** A session of the person that has used no second factor: as after a sign-in with a provider. */
export const forgetFactor = async (service: Service, { userId }: Pick<Tenant, 'userId'>): Promise<void> => {
  await service.sql('UPDATE credentials SET second_factor_at = NULL WHERE user_id = $1', [userId]);
};
