/** GraphQL pagination types: PageInfo, and the parts shared by all connections and their arguments. */
import type { ArgBuilder, ObjectRef } from '@pothos/core';
import { maxCounted, type Page } from '../../kernel/paging.ts';
import { builder, type SchemaTypes } from '../builder.ts';

const PageInfo = builder.objectRef<Page<unknown>['pageInfo']>('PageInfo').implement({
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage'),
    endCursor: t.exposeString('endCursor', { nullable: true }),
  }),
});

/** The type `NameConnection` for lists of this type. */
export const connectionOf = <Row>(name: string, node: ObjectRef<SchemaTypes, Row>) =>
  builder.objectRef<Page<Row>>(`${name}Connection`).implement({
    fields: (t) => ({
      nodes: t.field({ type: [node], resolve: ({ nodes }) => [...nodes] }),
      pageInfo: t.expose('pageInfo', { type: PageInfo }),
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
