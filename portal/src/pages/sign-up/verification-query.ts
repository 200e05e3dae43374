/** What a verification link is before anything is done by it, and the confirmation itself. */
import { queryOptions } from '@tanstack/react-query';
import {
  type EmailValidationStatus,
  FetchVerificationLinkDocument,
  ValidateEmailDocument,
} from '../../generated/graphql.ts';
import { hasCode } from '../../session/refusal.ts';
import type { Session } from '../../session/session.ts';

/** Asked once: after a confirmation the page says what came of it, and not what the link is then. */
export const verificationLinkQuery = (session: Session, token: string) =>
  queryOptions({
    queryKey: ['verification-link', token],
    queryFn: async () => (await session.request(FetchVerificationLinkDocument, { token })).verificationLink,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** For the browser that signed up, and for a link that has expired; other browsers call `session.confirmSignUp`. */
export const validateToken = async (session: Session, token: string): Promise<EmailValidationStatus> => {
  try {
    return (await session.request(ValidateEmailDocument, { token })).validateEmail.status;
  } catch (error) {
    // To the person, a link that was cut short is the same as an unknown one.
    if (hasCode(error, 'BAD_USER_INPUT')) return 'INVALID';
    throw error;
  }
};
