/** The status of a verification link, and its confirmation, with a password or without. */
import { queryOptions } from '@tanstack/react-query';
import {
  ConfirmSignUpDocument,
  type ConfirmSignUpInput,
  type EmailValidationStatus,
  FetchVerificationLinkDocument,
  ValidateEmailDocument,
} from '../../generated/graphql.ts';
import { hasCode } from '../../session/refusal.ts';
import type { Session } from '../../session/session.ts';

/** Fetched once: after a confirmation the page shows its result, not the new status of the link. */
export const verificationLinkQuery = (session: Session, token: string) =>
  queryOptions({
    queryKey: ['verification-link', token],
    queryFn: async () => (await session.request(FetchVerificationLinkDocument, { token })).verificationLink,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** For the browser that signed up, and for expired links; other browsers call {@link confirmSignUp}. */
export const validateToken = async (session: Session, token: string): Promise<EmailValidationStatus> => {
  try {
    return (await session.request(ValidateEmailDocument, { token })).validateEmail.status;
  } catch (error) {
    // A truncated link is treated like an unknown one.
    if (hasCode(error, 'BAD_USER_INPUT')) return 'INVALID';
    throw error;
  }
};

/** Confirms a sign-up by its password, and signs in on the status VERIFIED. */
export const confirmSignUp = async (session: Session, input: ConfirmSignUpInput): Promise<EmailValidationStatus> => {
  const answer = await session.begin(
    (send) => send(ConfirmSignUpDocument, { input }),
    ({ confirmSignUp: { auth } }) => auth?.user,
  );
  return answer.confirmSignUp.status;
};
