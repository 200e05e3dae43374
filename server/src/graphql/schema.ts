/** The GraphQL schema, assembled from its operations. `server/schema.graphql` is printed from it. */
import type { GraphQLSchema } from 'graphql';
import { builder } from './builder.ts';
import './operations/accounts.ts';
import './operations/invitations.ts';
import './operations/me.ts';
import './operations/members.ts';
import './operations/organizations.ts';
import './operations/scopes.ts';
import './operations/sessions.ts';

builder.queryType({});
builder.mutationType({});

export const schema: GraphQLSchema = builder.toSchema();
