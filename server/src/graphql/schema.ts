/** The GraphQL schema, assembled from its operations. `server/schema.graphql` is printed from it. */
import { extendSchema, GraphQLObjectType, GraphQLSchema, parse } from 'graphql';
import type { Application } from '../domain/scopes/application.ts';
import { builtInRoles } from '../domain/scopes/scopes.ts';
import { builder } from './builder.ts';
import './types/accounts.ts';
import './types/application.ts';
import { billingMutations } from './types/billing.ts';
import './types/directory.ts';
import './types/external-sign-in.ts';
import './types/governance.ts';
import './types/invitations.ts';
import './types/mcp-audits.ts';
import './types/mcp-clients.ts';
import './types/user.ts';
import './types/members.ts';
import './types/organizations.ts';
import './types/sessions.ts';
import './types/visitor-consent.ts';

builder.queryType({});
builder.mutationType({});

let complete: GraphQLSchema | null = null;

/** The schema with every operation, built once; a service without payments never needs it. */
export const completeSchema = (): GraphQLSchema => {
  complete ??= builder.toSchema();
  return complete;
};

interface Served {
  readonly hasBilling: boolean;
  readonly application: Pick<Application, 'roles'>;
}

/**
 * The schema as it is served: with the roles of the application, and without the billing mutations when there is no
 * payment provider. It must be complete
 * before it is mounted: the schema that a cached document was validated against must not change.
 */
export const servedSchema = ({ hasBilling, application }: Served): GraphQLSchema =>
  withRoles(hasBilling ? completeSchema() : withoutMutations(billingMutations), application);

/** A string value of GraphQL is written as one of JSON. */
const withRoles = (schema: GraphQLSchema, { roles }: Served['application']): GraphQLSchema => {
  const added = roles.filter(({ name }) => !Object.hasOwn(builtInRoles, name));
  if (added.length === 0) return schema;
  const values = added.map(({ name, title }) => `${JSON.stringify(title)} ${name}`);
  return extendSchema(schema, parse(`extend enum Role { ${values.join(' ')} }`));
};

/** A separate schema with its own types, so that changes to it do not affect the other one. */
const withoutMutations = (names: readonly string[]): GraphQLSchema => {
  const { mutation, ...whole } = builder.toSchema().toConfig();
  if (mutation === undefined || mutation === null) throw new Error('The schema has no mutations');
  const { fields, ...type } = mutation.toConfig();
  const left = Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  // `types: []` keeps only types reachable from the fields, so that none of the removed mutations' types remains.
  return new GraphQLSchema({ ...whole, types: [], mutation: new GraphQLObjectType({ ...type, fields: left }) });
};
