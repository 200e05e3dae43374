/** Messages of a person's recent sign-ins, loaded with the section. */

export const recentSignIns = {
  title: 'Recent sign-ins',
  lead: 'Attempts to sign in to your account, also those that were refused. If you do not recognize one that succeeded, sign out everywhere and change your password.',
  none: 'No sign-in of the last days is recorded.',
  shown: 'Shown: {shown, number} of {total, number}',
  shownOfMore: 'Shown: {shown, number} of more than {total, number}',
  unlisted:
    '{count, plural, one {# refused attempt is} other {# refused attempts are}} counted and not listed, because there were more than a hundred on a day.',
  succeeded: 'Signed in',
  refused: 'Refused',
  addressUnknown: 'Unknown address',
  methods: {
    password: 'Password',
    passkey: 'Passkey',
    google: '{provider}',
    invitation: 'Invitation',
    other: 'Another way',
  },
  reasons: {
    INVALID_CREDENTIALS: 'Wrong password, code or passkey',
    SECOND_FACTOR_REQUIRED: 'Asked for a second factor',
    CHALLENGE_REFUSED: 'Took too long, or was completed already',
    EXCHANGE_REFUSED: 'Took too long, or was completed already',
    EMAIL_NOT_VERIFIED: 'The e-mail address was not confirmed',
    ACCOUNT_SUSPENDED: 'The account was suspended',
    ACCOUNT_MISMATCH: 'Another person was signed in',
    ACCOUNT_EXISTS: 'The provider does not vouch for the address',
    ACCOUNT_HAS_OTHER_IDENTITY: 'Another account at the provider',
    INVITATION_NOT_OPEN: 'The invitation was not open',
    other: 'Refused',
  },
} as const;
