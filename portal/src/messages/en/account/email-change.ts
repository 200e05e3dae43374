/** Messages of the pages of two links: /account/email/… confirms a new address, /account/email/undo/… undoes a change. */

export const emailChange = {
  title: 'Use your new e-mail address?',
  lead: 'The account that you are signed in to as <who>{email}</who> gets the address that this link was sent to.',
  effect:
    'From then on you sign in with it, and it gets the mails of the account. The present address gets a message that can undo the change for 72 hours. Opening this page has changed nothing yet.',
  submit: 'Use the new address',
  later: 'Not now',
  done: {
    title: 'Your address is changed',
    text: 'Your account now has the address <who>{email}</who>. You sign in with it from now on.',
    submit: 'See your account',
  },
  signIn: {
    title: 'Sign in to change your address',
    text: 'This link gives your account a new e-mail address. Sign in to the account with its present address first; you return here then.',
    submit: 'Sign in',
  },
  otherAccount: {
    title: 'This link is for another account',
    text: 'You are signed in as <who>{email}</who>. Sign out, and sign in to the account for which the new address was requested. The link stays open.',
    submit: 'Sign out and use the other account',
    stay: 'Stay signed in',
  },
  notOpen: {
    title: 'This link does not work',
    text: 'It works once, for 24 hours. It may have been used, another address may have been requested since, your password may have changed, or the address may have an account by now. Your account is as it was: request the change again.',
    submit: 'See your account',
  },
} as const;

export const emailUndo = {
  title: 'Undo the change of your address?',
  lead: 'The e-mail address of your account was changed. If that was not you, undo it here.',
  effects: {
    address:
      'Your account gets its former address back, and the password, passkeys, one-time codes and connections to a provider that it had 72 hours before the change was requested.',
    added: 'What was added since then is removed.',
    sessions: 'Every device and client is signed out. You sign in again afterwards.',
  },
  unchanged: 'Opening this page has changed nothing yet.',
  submit: 'Undo the change',
  done: {
    title: 'The change is undone',
    text: 'Your account has its former address and password again, and every device is signed out. Sign in, and change your password: another person may know it.',
    submit: 'Sign in',
  },
  notOpen: {
    title: 'This link does not work',
    text: 'It works once, for 72 hours after the change. If another person has your account and the time is over, contact the operator of this service.',
  },
} as const;
