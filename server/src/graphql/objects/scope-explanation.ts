/** The GraphQL type of why somebody holds a scope or does not: ScopeExplanation. */
import type { ScopeExplanation as ScopeExplanationFacts } from '../../domain/access/explain-scope.ts';
import { builder } from '../builder.ts';

export const ScopeExplanation = builder.objectRef<ScopeExplanationFacts>('ScopeExplanation').implement({
  fields: (t) => ({
    scope: t.exposeString('scope'),
    granted: t.exposeBoolean('granted'),
    reasons: t.stringList({
      description: 'One line for each thing that grants or withholds it, in the order checked.',
      resolve: ({ reasons }) => [...reasons],
    }),
  }),
});
