/** The GraphQL schema, assembled from its operations. `server/schema.graphql` is printed from it. */
import { GraphQLObjectType, GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';
import './operations/accounts.ts';
import { billingMutations } from './operations/billing.ts';
import './operations/directory.ts';
import './operations/external-identity.ts';
import './operations/governance.ts';
import './operations/invitations.ts';
import './operations/mcp-audits.ts';
import './operations/mcp-catalog.ts';
import './operations/mcp-clients.ts';
import './operations/mcp-connections.ts';
import './operations/mcp-users.ts';
import './operations/me.ts';
import './operations/members.ts';
import './operations/organizations.ts';
import './operations/scopes.ts';
import './operations/sessions.ts';
import './operations/visitor.ts';

builder.queryType({});
builder.mutationType({});

export const schema: GraphQLSchema = builder.toSchema();

/**
 * The schema as it is served: without the mutations of billing where there is no payment provider. It is whole before
 * anything is mounted on it: what a document was validated against must not change while the document is kept.
 */
export const servedSchema = ({ hasBilling }: { readonly hasBilling: boolean }): GraphQLSchema =>
  hasBilling ? schema : withoutMutations(billingMutations);

/** A schema of its own, types included, so that nothing that is done to it touches the other one. */
const withoutMutations = (names: readonly string[]): GraphQLSchema => {
  const { mutation, ...whole } = builder.toSchema().toConfig();
  if (mutation === undefined || mutation === null) throw new Error('The schema has no mutations');
  const { fields, ...type } = mutation.toConfig();
  const left = Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  // Only types that the fields lead to: none is there for the sake of the mutations that are not.
  return new GraphQLSchema({ ...whole, types: [], mutation: new GraphQLObjectType({ ...type, fields: left }) });
};
