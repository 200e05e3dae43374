/**
 * Every operation of the schema, called by three kinds of machine: what an operation does not say that it takes is
 * FORBIDDEN, and changes nothing (contract/machine-credentials.md#operations-for-machines).
 */
import {
  type GraphQLInputType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { completeSchema } from '../../src/graphql/schema.ts';
import { newId } from '../../src/kernel/ids.ts';
import {
  createPersonalToken,
  createServiceAccount,
  createServiceToken,
  runWith,
} from '../support/actors/machines/token-operations.ts';
import { newOwner, newSuperAdmin } from '../support/actors/tenants.ts';
import { outcomeOf } from '../support/checks/concurrency.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { newAddress, post } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { everyOperation, rowOf } from '../support/operations/all-operations.ts';
import type { OperationRow } from '../support/operations/operation-row.ts';
import { retryAtOnce } from '../support/servers/payments.ts';

const schema = completeSchema();
const roots = [schema.getQueryType(), schema.getMutationType()] as const;
const fields = roots.flatMap((root) => Object.values(root?.getFields() ?? {}).map((field) => ({ root, field })));

/** A value of this type that passes validation, as GraphQL text. */
const literalOf = (given: GraphQLInputType): string => {
  const type = getNullableType(given);
  if (isListType(type)) return `[${literalOf(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const needed = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
    return `{ ${needed.map((field) => `${field.name}: ${literalOf(field.type)}`).join(' ')} }`;
  }
  const values: Readonly<Record<string, string>> = {
    Int: '1',
    Float: '1',
    Boolean: 'true',
    ID: `"${newId()}"`,
    DateTime: '"2030-01-01T00:00:00Z"',
  };
  return values[type.toString()] ?? '"text"';
};

const selectionOf = (type: GraphQLOutputType): string => (isLeafType(getNamedType(type)) ? '' : ' { __typename }');

const documentOf = ({ root, field }: (typeof fields)[number]): string => {
  const given = field.args
    .filter(({ type }) => isNonNullType(type))
    .map(({ name, type }) => `${name}: ${literalOf(type)}`);
  const args = given.length === 0 ? '' : `(${given.join(' ')})`;
  return `${root?.name === 'Mutation' ? 'mutation' : 'query'} { ${field.name}${args}${selectionOf(field.type)} }`;
};

describe('Every operation and every kind of machine', () => {
  const service = serviceFixture(everyOperation);
  const secrets = new Map<string, string>();

  beforeAll(async () => {
    retryAtOnce();
    const [owner, superAdmin] = [await newOwner(service), await newSuperAdmin(service)];
    const { scopes } = defaultApplication.serving({ machineTokens: true, organizationMcp: true });
    const all = { scopes: scopes.map(({ name }) => name) };
    secrets.set('a personal token of an OWNER', (await createPersonalToken(service, owner, all)).secret);
    secrets.set('a personal token of a super admin', (await createPersonalToken(service, superAdmin, all)).secret);
    const { id } = await createServiceAccount(service, owner, all);
    secrets.set('a token of a service account', (await createServiceToken(service, owner, id)).secret);
  });

  const outcomesOf = async (document: string): Promise<Readonly<Record<string, string>>> => {
    const seen: [string, string][] = [];
    for (const [kind, secret] of secrets) seen.push([kind, outcomeOf(await runWith(service, secret, document))]);
    return Object.fromEntries(seen);
  };

  const allOf = (outcome: string): Readonly<Record<string, string>> =>
    Object.fromEntries([...secrets.keys()].map((kind) => [kind, outcome]));

  const thatAre = (machines: OperationRow['machines']) =>
    fields.filter(({ field }) => rowOf(field.name).machines === machines);

  // Contract: machine-credentials#operations-for-machines — all other operations answer FORBIDDEN, those for logged-out
  //   callers too
  it.each(thatAre(undefined).map((each) => [each.field.name, documentOf(each)]))(
    '%s refuses all of them',
    async (_name, document) => {
      expect(await expectNothingStored(service, () => outcomesOf(document))).toEqual(allOf('FORBIDDEN'));
    },
  );

  it.each(thatAre('as anyone').map((each) => [each.field.name, documentOf(each)]))(
    '%s answers them as anyone',
    async (_name, document) => {
      const anonymous = outcomeOf(await post(service.url, document));
      expect(await outcomesOf(document)).toEqual(allOf(anonymous));
    },
  );

  it.each(thatAre('taken').map((each) => [each.field.name, documentOf(each)]))(
    '%s takes them',
    async (name, document) => {
      const seen = await outcomesOf(document.replace('email: "text"', `email: "${newAddress()}"`));
      const { 'a token of a service account': byAccount, ...byPeople } = seen;
      for (const outcome of Object.values(byPeople))
        expect(outcome).toMatch(/^(OK|NOT_FOUND|BAD_USER_INPUT|FORBIDDEN)$/);
      if (name !== 'changeMemberRole' && name !== 'inviteMember') {
        for (const outcome of Object.values(byPeople)) expect(outcome).not.toBe('FORBIDDEN');
      }
      if (name === 'me') expect(byAccount).toBe('FORBIDDEN');
      else if (name !== 'inviteMember') expect(byAccount).not.toBe('FORBIDDEN');
    },
  );
});
