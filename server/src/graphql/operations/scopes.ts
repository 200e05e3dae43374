/** GraphQL queries on what may be done: explainScope, products. */
import { explainScope } from '../../domain/access/explain-scope.ts';
import { type Product as ProductFacts, products } from '../../domain/scopes/scopes.ts';
import { builder } from '../builder.ts';
import { guarded, loggedIn } from '../guards.ts';
import { ScopeExplanation } from '../objects/scope-explanation.ts';

builder.queryField('explainScope', (t) =>
  t.field({
    type: ScopeExplanation,
    description:
      'Why the caller does or does not hold a scope right now: role, subscription product, membership, credential.',
    args: { scope: t.arg.string({ required: true }) },
    resolve: guarded(loggedIn, (actor, { scope }: { scope: string }) => explainScope(actor, scope)),
  }),
);

const Product = builder.objectRef<ProductFacts>('Product').implement({
  description: 'A product that an organization can subscribe to, and the scopes that it grants.',
  fields: (t) => ({
    name: t.exposeString('name'),
    scopes: t.stringList({ resolve: ({ scopes }) => [...scopes] }),
  }),
});

builder.queryField('products', (t) => t.field({ type: [Product], resolve: guarded(loggedIn, () => [...products]) }));
