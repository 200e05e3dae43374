/** The Pothos builder of every type and operation, its scalars, the types of pages of a list, and Acknowledgement. */
import type { ArgBuilder, ObjectRef } from '@pothos/core';
import SchemaBuilder from '@pothos/core';
import { GraphQLError } from 'graphql';
import { readInstant } from '../kernel/instants.ts';
import { maxCounted, type Page } from '../kernel/paging.ts';
import type { GraphqlContext } from './context.ts';

interface OwnTypes {
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
  };
}

/** The builder's type parameters, for functions that take or return parts of the schema. */
type SchemaTypes = PothosSchemaTypes.ExtendDefaultTypes<OwnTypes>;

export const builder = new SchemaBuilder<OwnTypes>({ defaultFieldNullability: false });

builder.scalarType('DateTime', {
  description: 'An instant, ISO 8601 in UTC with milliseconds, e.g. 2026-11-20T09:30:00.000Z.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => {
    const instant = typeof value === 'string' ? readInstant(value) : null;
    if (instant === null) throw new GraphQLError('A DateTime is ISO 8601 text.');
    return instant;
  },
});

// Pages of a list: PageInfo, and the parts shared by all connections and their arguments.

const PageInfo = builder.objectRef<Page<unknown>['pageInfo']>('PageInfo').implement({
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage'),
    endCursor: t.exposeString('endCursor', { nullable: true }),
  }),
});

/** The type `NameConnection` for lists of this type. */
export const connectionOf = <Row, PageOfRows extends Page<Row> = Page<Row>>(
  name: string,
  node: ObjectRef<SchemaTypes, Row>,
) =>
  builder.objectRef<PageOfRows>(`${name}Connection`).implement({
    fields: (t) => ({
      nodes: t.field({ type: [node], resolve: ({ nodes }) => [...nodes] }),
      pageInfo: t.field({ type: PageInfo, resolve: ({ pageInfo }) => pageInfo }),
      totalCount: t.int({
        description: `Number of rows on all pages together, counted up to ${maxCounted}.`,
        resolve: async ({ total }) => (await total()).totalCount,
      }),
      totalCountIsCapped: t.boolean({
        description: 'Whether there are more rows than totalCount.',
        resolve: async ({ total }) => (await total()).totalCountIsCapped,
      }),
    }),
  });

const pageSize = 50;

/** The arguments of a query for one page. */
export const pageArguments = (arg: ArgBuilder<SchemaTypes>) => ({
  first: arg.int({ defaultValue: pageSize }),
  after: arg.string(),
});

/** The arguments with the number of rows that an explicit null means. */
export const pageOf = <Args extends { readonly first?: number | null | undefined }>(
  args: Args,
): Args & { readonly first: number } => ({ ...args, first: args.first ?? pageSize });

/** The answer of an operation that has nothing else to say. */
export const acknowledged = { success: true } as const;

export const Acknowledgement = builder.objectRef<typeof acknowledged>('Acknowledgement').implement({
  fields: (t) => ({ success: t.exposeBoolean('success') }),
});
