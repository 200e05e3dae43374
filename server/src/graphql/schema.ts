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
