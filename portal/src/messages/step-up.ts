/** Messages of the step-up: the dialog, and the page /reauthenticate. */

export const stepUp = {
  title: 'Confirm that it is you',
  lead: 'It is a while since you signed in. What you have begun goes on after this.',
  leadSecondFactor: 'This needs more than your password. What you have begun goes on after this.',
  pageLead: 'It is a while since you signed in. You go on after this.',
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
    'Your account has neither a passkey nor one-time codes. Close this, add one of them under Security in your account, and begin again.',
} as const;
