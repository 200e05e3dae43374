/** GraphQL query of super admins that finds what one pasted or typed. */
import {
  type SearchHit,
  type SearchResult,
  searchHitKinds,
  searchPlatform,
} from '../../../domain/tools/platform-search.ts';
import { builder } from '../../builder.ts';
import { guarded, operations } from '../../operations.ts';

const PlatformSearchHitKind = builder.enumType('PlatformSearchHitKind', { values: searchHitKinds });

const PlatformSearchHit = builder.objectRef<SearchHit>('PlatformSearchHit').implement({
  fields: (t) => ({
    kind: t.expose('kind', { type: PlatformSearchHitKind }),
    id: t.exposeID('id', {
      description: 'Of a session, the id of its family; of a call of a tool, its correlation id.',
    }),
    title: t.exposeString('title', { description: "The person's address, or the name." }),
    detail: t.exposeString('detail', {
      nullable: true,
      description: "The person's name; the client or browser of a session; who called the tool.",
    }),
    userId: t.exposeID('userId', {
      nullable: true,
      description: 'The person that it is, whose session it is, or who called the tool.',
    }),
  }),
});

const PlatformSearch = builder.objectRef<SearchResult>('PlatformSearch').implement({
  fields: (t) => ({
    hits: t.field({ type: [PlatformSearchHit], resolve: ({ hits }) => [...hits] }),
    missingScopes: t.stringList({
      description: 'Scopes that the caller lacks: what needs them was not searched.',
      resolve: ({ missingScopes }) => [...missingScopes],
    }),
  }),
});

builder.queryField('platformSearch', (t) =>
  t.field({
    type: PlatformSearch,
    description:
      'Super admin. What has this id (of anything, or a correlation id), or people, organizations and clients whose name or address contains the text; at most five of each.',
    args: { search: t.arg.string({ required: true }) },
    resolve: guarded(operations.platformSearch, (actor, { search }, { services }) =>
      searchPlatform(services, actor, search),
    ),
  }),
);
