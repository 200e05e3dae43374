/** The GraphQL schema, assembled from its operations. `server/schema.graphql` is printed from it. */
import { extendSchema, GraphQLObjectType, GraphQLSchema, parse } from 'graphql';
import type { Application } from '../domain/scopes/application.ts';
import { builtInRoles } from '../domain/scopes/scopes.ts';
import { getOrInsert } from '../kernel/collections.ts';
import { builder } from './builder.ts';
import { countLists } from './list-cost.ts';
import { type Feature, operationsWithout } from './operations.ts';
import './types/account/accounts.ts';
import './types/actor.ts';
import './types/application.ts';
import './types/organizations/audit.ts';
import './types/organizations/billing.ts';
import './types/platform/directory.ts';
import './types/account/email-change.ts';
import './types/account/external-sign-in.ts';
import './types/account/own-account.ts';
import './types/account/one-time-codes.ts';
import './types/account/personal-data.ts';
import './types/account/step-up.ts';
import './types/account/passkeys.ts';
import './types/platform/governance.ts';
import './types/organizations/invitations.ts';
import './types/platform/mcp-audits.ts';
import './types/platform/mcp-clients.ts';
import './types/platform/session-families.ts';
import './types/platform/suspensions.ts';
import './types/platform/overview.ts';
import './types/platform/search.ts';
import './types/user.ts';
import './types/organizations/members.ts';
import './types/organizations/organizations.ts';
import './types/sessions.ts';
import './types/sign-ins.ts';
import './types/visitor-consent.ts';
import './types/machine-tokens/tokens.ts';
import './types/machine-tokens/service-accounts.ts';
import './types/machine-tokens/policy.ts';
import './types/connected-clients/connected-clients.ts';
import './types/connected-clients/policy.ts';

builder.queryType({});
builder.mutationType({});

const build = (): GraphQLSchema => countLists(builder.toSchema());

/** By the names of the absent operations. */
const built = new Map<string, GraphQLSchema>();

/** The schema without some operations, built once for each set of them. */
const schemaWithout = (absent: readonly string[]): GraphQLSchema =>
  getOrInsert(built, absent.join(' '), () => (absent.length === 0 ? build() : withoutOperations(absent)));

/** The schema with every operation; a service without payments never needs it. */
export const completeSchema = (): GraphQLSchema => schemaWithout([]);

/**
 * With the roles of the application, without the operations of features that are off. Complete before it is mounted:
 * the schema that a cached document was validated against must not change.
 */
export const servedSchema = (
  application: Pick<Application, 'roles'>,
  features: Readonly<Record<Feature, boolean>>,
): GraphQLSchema => withRoles(schemaWithout(operationsWithout(features)), application);

/** A string value of GraphQL is written as one of JSON. */
const withRoles = (schema: GraphQLSchema, { roles }: Pick<Application, 'roles'>): GraphQLSchema => {
  const added = roles.filter(({ name }) => !Object.hasOwn(builtInRoles, name));
  if (added.length === 0) return schema;
  const values = added.map(({ name, title }) => `${JSON.stringify(title)} ${name}`);
  return extendSchema(schema, parse(`extend enum Role { ${values.join(' ')} }`));
};

/** A separate schema with its own types, so that changes to it do not affect the other one. */
const withoutOperations = (names: readonly string[]): GraphQLSchema => {
  const { query, mutation, ...whole } = build().toConfig();
  // `types: []` keeps only types reachable from the fields, so that none of the removed operations' types remains.
  return new GraphQLSchema({ ...whole, types: [], query: without(query, names), mutation: without(mutation, names) });
};

const without = (root: GraphQLObjectType | null | undefined, names: readonly string[]): GraphQLObjectType => {
  if (root === undefined || root === null) throw new Error('The schema lacks a root type');
  const { fields, ...type } = root.toConfig();
  const left = Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  return new GraphQLObjectType({ ...type, fields: left });
};
