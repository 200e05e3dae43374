/** The GraphQL type of a pair that was just issued: AuthPayload. */
import { builder } from '../builder.ts';
import type { DeliveredPair } from '../deliver-pair.ts';
import { User } from './user.ts';

const onlyInBody = 'Only for opaque clients; null when cookies carried the pair.';

export const AuthPayload = builder.objectRef<DeliveredPair>('AuthPayload').implement({
  fields: (t) => ({
    user: t.field({
      type: User,
      // Read with the pair wherever it is selected: a look-up now could fail, and take the pair with it.
      resolve: ({ pair, person }, _args, { services }) =>
        person ?? services.authenticator.authenticate(pair.accessToken, services.settings.graphqlAudiences),
    }),
    accessToken: t.string({
      nullable: true,
      description: onlyInBody,
      resolve: ({ pair, delivery }) => (delivery === 'body' ? pair.accessToken : null),
    }),
    refreshToken: t.string({
      nullable: true,
      description: onlyInBody,
      resolve: ({ pair, delivery }) => (delivery === 'body' ? pair.refreshToken : null),
    }),
    accessTokenExpiresAt: t.field({ type: 'DateTime', resolve: ({ pair }) => pair.accessTokenExpiresAt }),
    refreshTokenExpiresAt: t.field({ type: 'DateTime', resolve: ({ pair }) => pair.refreshTokenExpiresAt }),
  }),
});
