/** GraphQL pagination types: PageInfo, and the parts shared by all connections and their arguments. */
import type { ObjectRef } from '@pothos/core';
import type { Page } from '../../kernel/paging.ts';
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
      totalCount: t.exposeInt('totalCount', { description: 'Of all pages together.' }),
    }),
  });
