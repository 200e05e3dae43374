/** GraphQL query me: who acts. */
import { builder } from '../builder.ts';
import { guarded, loggedIn } from '../guards.ts';
import { User } from '../objects/user.ts';

builder.queryField('me', (t) =>
  t.field({
    type: User,
    description: "The signed-in user; the portal's operation on it is named FetchMe. UNAUTHENTICATED when logged out.",
    resolve: guarded(loggedIn, (actor) => actor),
  }),
);
