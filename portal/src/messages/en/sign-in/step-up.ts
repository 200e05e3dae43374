/** Messages of the step-up: the dialog, and the page /reauthenticate. */

export const stepUp = {
  title: 'Confirm that it is you',
  lead: 'It is a while since you signed in. What you have begun goes on after this.',
  leadSecondFactor: 'This needs more than your password. What you have begun goes on after this.',
  pageLead: 'It is a while since you signed in. You go on after this.',
  pageLeadSecondFactor: 'This needs more than your password. You go on after this.',
  password: 'Your password',
  submit: 'Confirm',
  wrongPassword: 'The password is wrong.',
  code: 'Code of your authenticator app, or a recovery code',
  submitCode: 'Confirm with the code',
  wrongCode: 'The code is wrong, or it was used already.',
  withProvider: 'Confirm with {provider}',
  providerLeaves: 'You leave this page for {provider} and return to it. Begin again then.',
  nothing:
    'Your account has no password, passkey or code that can be asked for here. Sign out and sign in again: for ten minutes after that you are not asked.',
  noSecondFactor:
    'Your account has no second factor yet. Set up a passkey or one-time codes under “Account”, “Security”, and go on from there.',
  setUp: 'Set up a second factor',
} as const;

/** Where a second factor is required that the session lacks. */
export const secondFactorNeeded = {
  organization: {
    title: '{organization} requires a second factor',
    text: 'Signing in with a password or a provider alone is not enough there: until you confirm with a passkey or a one-time code, you cannot use it. You can still switch to another organization, or leave it.',
  },
  platform: {
    title: 'Super admins need a second factor here',
    text: 'This page is open to sessions that were confirmed with a passkey or a one-time code.',
  },
  confirm: 'Confirm that it is you',
  setUp: 'Set up a second factor',
  setUpHere: 'Set one up below. You can use everything again at once.',
} as const;
