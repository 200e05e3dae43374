/** Every operation, called by nine kinds of caller: each cell has its outcome, and a refused call changes nothing. */

import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { platformScopes } from '../../src/domain/scopes/scopes.ts';
import { familyOf } from '../support/actors/credentials.ts';
import { type Invited, inviteByMail, profileInput } from '../support/actors/invitations.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { createSuperAdminAccount } from '../support/actors/super-admins.ts';
import { newMember, newOwner, type RoleName, setActive, type Tenant } from '../support/actors/tenants.ts';
import { bearer, newAddress, type Tokens, type Variables } from '../support/clients/clients.ts';
import { newClient } from '../support/clients/oauth.ts';
import { outcomeIn, postPlainly } from '../support/clients/plain-http.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import {
  documentOf,
  everyOperation,
  inputOf,
  mutationNames,
  operationRows,
  rowOf,
} from '../support/operations/all-operations.ts';
import { type Caller, callers, outcomes, type World } from '../support/operations/operation-row.ts';
import { retryAtOnce } from '../support/servers/payments.ts';

describe('Every operation and every kind of caller', () => {
  const service = serviceFixture(everyOperation);
  let tenantA: string;
  const people = new Map<Caller, { readonly id: string; readonly email: string }>();

  beforeAll(async () => {
    retryAtOnce();
    tenantA = (await addOwner('OWNER')).organizationId;
    await addMember('ADMIN', 'ADMIN');
    await addMember('MEMBER', 'MEMBER');
    await addOwner("another tenant's OWNER");
    const unpaid = await addOwner('OWNER without a subscription');
    await service.sql('DELETE FROM subscriptions WHERE organization_id = $1', [unpaid.organizationId]);
    const withoutMembership = await addOwner('no membership');
    await setActive(service, withoutMembership.userId, null);
    await service.sql('DELETE FROM organization_members WHERE id = $1', [withoutMembership.memberId]);
    await addSuperAdmin('super admin without scopes', []);
    await addSuperAdmin('super admin with every scope', platformScopes);
  });

  const addOwner = async (kind: Caller): Promise<Tenant> => {
    const owner = await newOwner(service);
    people.set(kind, { id: owner.userId, email: owner.email });
    return owner;
  };

  const addMember = async (kind: Caller, role: RoleName): Promise<void> => {
    const { userId, email } = await newMember(service, tenantA, role);
    people.set(kind, { id: userId, email });
  };

  const addSuperAdmin = async (kind: Caller, scopes: readonly string[]): Promise<void> => {
    const email = await createSuperAdminAccount(service, scopes);
    const user = await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email]);
    people.set(kind, { id: user ?? '', email });
  };

  /** One session for each kind; one target for each operation, replaced once a caller was allowed to change it. */
  const sessions = new Map<Caller, Tokens>();
  const targets = new Map<string, Variables>();

  const sessionOf = async (kind: Caller): Promise<Tokens | null> => {
    const person = people.get(kind);
    if (person === undefined) return null;
    const tokens = sessions.get(kind) ?? (await seedSession(service.database, person.id));
    sessions.set(kind, tokens);
    return tokens;
  };

  const invitation = async (): Promise<Invited> => {
    const owner = await sessionOf('OWNER');
    if (owner === null) throw new Error('Tenant A has no owner');
    return inviteByMail(service, owner, newAddress(), 'MEMBER');
  };

  const worldOf = (): World => ({
    tenantA,
    personOf: (caller) => people.get(caller) ?? { id: '', email: '' },
    member: () => newMember(service, tenantA),
    owner: () => newOwner(service),
    invitation,
    profileFor: ({ token }) => profileInput(service, token),
    familyOf: ({ refreshToken }) => familyOf(service, refreshToken),
    client: () => newClient(service),
  });

  /** Variables that name the caller's own session, or a target that earlier cells left unchanged. */
  const variablesOf = async (operation: string, tokens: Tokens | null): Promise<Variables> => {
    const { target, targetOf } = rowOf(operation);
    if (targetOf !== undefined) return targetOf(worldOf(), tokens);
    const variables = targets.get(operation) ?? (await target?.(worldOf())) ?? inputOf(operation, 0);
    targets.set(operation, variables);
    return variables;
  };

  /** Runs one cell. A refusal must not change any stored row, except the count of a limit. */
  const attempt = async (operation: string, kind: Caller, expected: string | undefined): Promise<string> => {
    const tokens = await sessionOf(kind);
    const variables = await variablesOf(operation, tokens);
    const act = async (): Promise<string> =>
      outcomeIn(
        await postPlainly(service.url, documentOf(operation), variables, tokens === null ? {} : bearer(tokens)),
      );
    if (expected === 'OK' || expected === 'UNAVAILABLE') {
      if (mutationNames.includes(operation)) targets.delete(operation);
      if (rowOf(operation).endsSession === true) sessions.delete(kind);
      return act();
    }
    const before = await everythingStored(service);
    const outcome = await act();
    const isAsBefore = isDeepStrictEqual(await everythingStored(service), before);
    return isAsBefore ? outcome : `${outcome}, but something is stored differently`;
  };

  it.each(Object.entries(operationRows))('%s', async (operation, row) => {
    const expected = row.callers.split('').map((letter) => outcomes[letter]);
    const seen: string[] = [];
    for (const [index, caller] of callers.entries()) seen.push(await attempt(operation, caller, expected[index]));
    expect(seen).toEqual(expected);
  });
});
