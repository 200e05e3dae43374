/** Messages of /signin. */

export const signIn = {
  title: 'Sign in',
  lead: 'Enter your e-mail address and password.',
  leadWithProvider: 'Continue with {provider}, or enter your e-mail address and password.',
  submit: 'Sign in',
  newHere: 'New here?',
  createAccount: 'Create an account',
  confirmed: 'Your address is confirmed. Sign in with the password that you chose when you first signed up.',
  refused: 'The e-mail address or the password is wrong.',
  noAnswer: 'The service has not answered in time. You may not be signed in: try again in a moment.',
  notVerifiedTitle: 'Your e-mail address is not confirmed yet',
  notVerified:
    'Open the link in the message we sent you. If you cannot find it, sign up again with the same address: we then send a new link, at most once an hour.',
  signUpAgain: 'Sign up again',
  forgotten: {
    question: 'Forgot your password?',
    passkey: 'If your account has a passkey, sign in with it: it needs no password.',
    provider: 'If your account is connected to {provider}, continue with {provider}: it needs no password here.',
    passkeyOrProvider:
      'If your account has a passkey or is connected to {provider}, sign in that way: neither needs your password.',
    ask: 'A password cannot be reset by mail. For a new one, ask the people who run {application}.',
    support: 'Ask for help',
  },
  endings: {
    signedOut: 'You have signed out.',
    signedOutEverywhere: 'You are signed out on every device.',
    leftOrganization: 'You have left the organization, and this session has ended with it. Sign in again to continue.',
    accountDeleted: 'Your account is deleted.',
    expired: 'Your session has ended. Sign in again to continue.',
  },
} as const;

/** Outcomes of an external sign-in, or of linking an identity. */
export const external = {
  unfinished: 'Your sign-in with {provider} is almost complete: only the last step is missing.',
  someProvider: 'the provider',
  problems: {
    PROVIDER_CANCELLED: 'You cancelled at {provider}. Nothing has changed.',
    PROVIDER_UNAVAILABLE: '{provider} does not respond at the moment. Please try again shortly.',
    PROVIDER_REFUSED:
      'The answer from {provider} was not valid. Try again. If it happens again, contact the operator of this service.',
    ATTEMPT_OVER:
      'This attempt has ended: it took too long, was already completed, or began in another browser. Please try again.',
    EXCHANGE_REFUSED: 'Signing in took too long, or was already completed. Please try again.',
    EMAIL_MISSING:
      'An account needs an e-mail address, but {provider} did not share yours. Share it there, or use a password here.',
    EMAIL_UNVERIFIED:
      'Your e-mail address is not confirmed at {provider} yet. Confirm it there, or use a password here.',
    ACCOUNT_HAS_OTHER_IDENTITY:
      'The account here with your e-mail address is connected to another account at {provider}. Continue with that one, or use your password.',
    ACCOUNT_EXISTS:
      'There is an account with this address already. Sign in with its password, then connect {provider} under Ways to sign in.',
    ACCOUNT_SUSPENDED:
      'Your account is suspended, so you cannot sign in until it is reinstated. Ask the people who run this service.',
    IDENTITY_TAKEN:
      'The account at {provider} that you chose is connected to another account here. Choose another one, or sign in to that account and disconnect it first.',
    LINK_SESSION_OVER:
      'Your session ended before {provider} was connected, or another person has signed in here. Nothing has been connected.',
    LINK_DECLINED:
      'You did not link your account at {provider}, so nothing has changed. To sign in with it, choose it again.',
    RATE_LIMITED: 'There were too many attempts. Please wait a moment and try again.',
    UNAVAILABLE: 'The service cannot answer at the moment. Please try again shortly.',
    ACCOUNT_MISMATCH: 'Another person was signed in here at that moment, so nothing was changed. Please try again.',
    other: 'Continuing with {provider} failed. Try again. If it happens again, contact the operator of this service.',
  },
  signedIn: {
    title: 'That did not work',
    cancelledTitle: 'Nothing has changed',
    mismatchTitle: 'You are signed in already',
    mismatch:
      'You are signed in as <who>{email}</who>. The account at {provider} that you chose belongs to another account here, so nothing was changed.',
    mismatchAdvice: 'To use the other account, sign out and then sign in again.',
    otherIdentity:
      'Your account here is connected to another account at {provider} already. Disconnect that one first.',
    continueAs: 'Continue as {name}',
    signOut: 'Sign out',
  },
} as const;
