/** The sign-in by password. */
import { SignInDocument, type SignInWithPasswordInput } from '../../generated/graphql.ts';
import type { Session } from '../../session/session.ts';

export const signInWithPassword = (session: Session, input: SignInWithPasswordInput): Promise<unknown> =>
  session.begin(
    (send) => send(SignInDocument, { input }),
    (answer) => answer.signInWithPassword.user,
  );
