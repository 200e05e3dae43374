/** The GraphQL schema, assembled from its operations. `server/schema.graphql` is printed from it. */
import { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';
import './types/accounts.ts';
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

/**
 * The schema as it is served: without the billing mutations when there is no payment provider. It must be complete
 * before it is mounted: the schema that a cached document was validated against must not change.
 */
export const servedSchema = ({ hasBilling }: { readonly hasBilling: boolean }): GraphQLSchema =>
  hasBilling ? completeSchema() : withoutMutations(billingMutations);

/** A separate schema with its own types, so that changes to it do not affect the other one. */
const withoutMutations = (names: readonly string[]): GraphQLSchema => {
  const { mutation, ...whole } = builder.toSchema().toConfig();
  if (mutation === undefined || mutation === null) throw new Error('The schema has no mutations');
  const { fields, ...type } = mutation.toConfig();
  const left = Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  // `types: []` keeps only types reachable from the fields, so that none of the removed mutations' types remains.
  return new GraphQLSchema({ ...whole, types: [], mutation: new GraphQLObjectType({ ...type, fields: left }) });
};
