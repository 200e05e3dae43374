/** Messages that several pages share: buttons, roles, form fields and failures. */

export const common = {
  loading: 'Loading',
  takesLonger: 'This takes longer than usual. Please wait.',
  tryAgain: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  toSignIn: 'Go to sign-in',
  toStart: 'Go to the start page',
  openMailbox: 'Open the development mailbox',
  reference: 'Reference',
  language: 'Language',
  links: { support: 'Support', terms: 'Terms', privacy: 'Privacy' },
} as const;

export const roles = { OWNER: 'Owner', ADMIN: 'Administrator', MEMBER: 'Member' } as const;

export const fields = {
  name: 'Name',
  email: 'E-mail address',
  password: 'Password',
  showPassword: 'Show password',
  nameMissing: 'Enter your name.',
  organizationNameMissing: 'Enter a name for the organization.',
  emailMissing: 'Enter your e-mail address.',
  inviteeEmailMissing: 'Enter the e-mail address of the person you invite.',
  emailShape: 'This does not look like an e-mail address.',
  passwordMissing: 'Enter your password.',
  codeMissing: 'Enter the code.',
  passwordTooWeak: 'This password does not meet every rule below.',
  passwordTooManyBytes: 'This password takes more than 72 bytes. Use fewer emoji or accented characters.',
} as const;

export const failures = {
  OFFLINE: {
    title: 'No connection',
    text: 'The service could not be reached. Check your connection and try again.',
  },
  noAnswer: {
    title: 'No answer in time',
    text: 'The service is very busy. What you asked for may have been done, or may be done in a moment: see whether it was before you try again.',
  },
  UNAVAILABLE: {
    title: 'Not available right now',
    text: 'The service cannot answer at the moment. Please try again shortly.',
  },
  RATE_LIMITED: {
    title: 'Too many attempts',
    text: 'Please wait {seconds, plural, =0 {a moment} one {# second} other {# seconds}} and try again.',
  },
  ACCOUNT_SUSPENDED: {
    title: 'Your account is suspended',
    text: 'You cannot sign in until it is reinstated. Ask the people who run this service.',
  },
  FORBIDDEN: {
    title: 'Not allowed',
    text: 'Your role or your organization’s plan does not allow this. Either may have changed just now.',
  },
  MEMBERSHIP_REQUIRED: {
    title: 'No organization is active',
    text: 'You do not belong to the organization any more, or have not chosen one yet.',
  },
  NOT_FOUND: {
    title: 'No longer there',
    text: 'It may have been removed in the meantime. This page now shows the current state.',
  },
  INVITATION_NOT_OPEN: {
    title: 'The invitation is no longer open',
    text: 'It has been accepted or withdrawn in the meantime. This page now shows the current state.',
  },
  LAST_OWNER: {
    title: 'An organization needs an owner',
    text: 'This is its only one. Make another member an owner first.',
  },
  SEATS_EXHAUSTED: {
    title: 'No seat is free',
    text: 'Members and open invitations take every seat of the organization’s plan. Removing one of them, or a larger plan, makes room.',
  },
  REAUTHENTICATION_REQUIRED: {
    title: 'Not done',
    text: 'This needs a confirmation that it is you. Nothing has changed.',
  },
  SECOND_FACTOR_REQUIRED: {
    title: 'Not done',
    text: 'This needs your passkey or a one-time code. Nothing has changed.',
  },
  stillSignedIn: 'Nothing has been lost, and you have not been signed out.',
  failed: {
    title: 'Something went wrong',
    text: 'The problem is on our side. Try again. If it happens again, contact the operator of this service.',
  },
  notFound: { title: 'Page not found', text: 'There is nothing at this address. The link may be old or mistyped.' },
} as const;

export const wrongAddress = {
  title: 'This is not the address of this service',
  text: 'You are at {here}, where your browser keeps no sign-in. Continue at <right>{there}</right>.',
} as const;
