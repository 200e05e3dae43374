/** The GraphQL enum EmailValidationStatus: what became of the token of a verification mail. */
import type { EmailValidationStatus as Status } from '../../domain/accounts/validate-email.ts';
import { builder } from '../builder.ts';

export const EmailValidationStatus = builder.enumType('EmailValidationStatus', {
  values: {
    VERIFIED: {},
    EXPIRED_RESENT: { description: 'The token had expired and a new one was sent.' },
    EXPIRED: { description: 'The token had expired and the last send was less than an hour ago.' },
    INVALID: { description: 'Unknown, malformed or already used. Says nothing about any account.' },
  } satisfies Record<Status, object>,
});
