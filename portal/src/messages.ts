/** Every word the portal shows, in ICU message syntax, by page. */

export const messages = {
  brand: 'Gatehouse',
  common: {
    loading: 'Loading',
    tryAgain: 'Try again',
    cancel: 'Cancel',
    toSignIn: 'Go to sign-in',
    toStart: 'Go to the start page',
    openMailbox: 'Open the development mailbox',
    reference: 'Reference',
  },
  fields: {
    name: 'Name',
    email: 'E-mail address',
    password: 'Password',
    showPassword: 'Show password',
    nameMissing: 'Enter your name.',
    emailMissing: 'Enter your e-mail address.',
    emailShape: 'This does not look like an e-mail address.',
    passwordMissing: 'Enter your password.',
    passwordTooWeak: 'This password does not meet every rule below.',
    passwordTooManyBytes: 'This password takes more than 72 bytes. Use fewer emoji or accented characters.',
  },
  passwordRules: {
    label: 'What a password needs',
    met: 'met',
    notMet: 'not met yet',
    length: '8 to 40 characters',
    upperCase: 'An upper-case letter',
    lowerCase: 'A lower-case letter',
    digit: 'A digit',
    symbol: 'One of {characters}',
  },
  signIn: {
    title: 'Sign in',
    lead: 'Enter your e-mail address and password.',
    submit: 'Sign in',
    newHere: 'New here?',
    createAccount: 'Create an account',
    refused: 'The e-mail address or the password is not right.',
    notVerifiedTitle: 'Your e-mail address is not confirmed yet',
    notVerified:
      'Open the link in the message we sent you. If you cannot find it, sign up again with the same address: a fresh link goes out, at most once an hour.',
    signUpAgain: 'Sign up again',
    endings: {
      'signed-out': 'You have signed out.',
      'signed-out-everywhere': 'You are signed out on every device.',
      ended: 'Your session has ended. Sign in again to continue.',
    },
  },
  signUp: {
    title: 'Create your account',
    lead: 'We will send you a link to confirm your address.',
    submit: 'Create account',
    haveAccount: 'Have an account already?',
    signIn: 'Sign in',
  },
  checkMail: {
    title: 'Check your e-mail',
    sent: 'We are sending a message to <address>{email}</address>. Open the link in it to confirm that the address is yours.',
    validity: 'The link works for 24 hours.',
    missing:
      'Nothing after a few minutes? Look in your spam folder, or sign up again with the same address. We send at most one message an hour.',
    otherAddress: 'Use another address',
    readyTitle: 'You can sign in now',
    ready: 'If the address is new here, your account is ready.',
  },
  verify: {
    title: 'Confirm your e-mail address',
    lead: 'Press the button to confirm that this address is yours. Opening the link has changed nothing yet.',
    submit: 'Confirm',
    signIn: 'Sign in',
    signUp: 'Sign up again',
    VERIFIED: { title: 'Your address is confirmed', text: 'Thank you. You can sign in now.' },
    EXPIRED_RESENT: {
      title: 'We have sent you a new link',
      text: 'The one you opened had expired. Open the link in the message that is on its way to you; it works for 24 hours.',
    },
    EXPIRED: {
      title: 'This link has expired',
      text: 'A newer message went out less than an hour ago: use the link in that one. If it does not reach you, sign up again with the same address in an hour.',
    },
    INVALID: {
      title: 'This link does not work',
      text: 'It may have been used already, or be incomplete. If you have confirmed your address before, sign in. If not, sign up again with the same address to get a fresh link.',
    },
  },
  home: {
    title: 'Your account',
    greeting: 'Hello, {name}',
    signOut: 'Sign out',
    profile: 'Who you are here',
    verified: 'Confirmed',
    verifiedSince: 'Confirmed on {date}',
    notVerified: 'Not confirmed',
    superAdmin: 'Super admin',
    organization: 'Organization',
    noOrganization: 'None is active',
    role: 'Role',
    roles: { OWNER: 'Owner', ADMIN: 'Administrator', MEMBER: 'Member' },
    scopes: '{count, plural, =0 {No scopes} one {# scope} other {# scopes}}',
  },
  devices: {
    title: 'Your devices',
    lead: 'Everywhere your account is signed in.',
    unsure: 'Something here that you don’t recognize?',
    thisDevice: 'This device',
    apiClient: 'API client',
    addressUnknown: 'Unknown address',
    signedIn: 'Signed in {date}',
    lastSeen: 'Last seen {when}',
    neverSeen: 'Not used since',
    inUse: 'In use now',
    justNow: 'just now',
    signOut: 'Sign out',
    signOutThis: 'Sign out this device',
    signOutOther: 'Sign out {device}',
    everywhere: 'Sign out everywhere',
    ended: '{device} is signed out.',
    names: {
      browserOnSystem: '{browser} on {system}',
      unknown: 'Unknown device',
    },
    confirmOne: {
      title: 'Sign out {device}?',
      text: 'It loses access at once and has to sign in again with the password.',
      submit: 'Sign out device',
    },
    confirmEverywhere: {
      title: 'Sign out everywhere?',
      text: 'Every device loses access at once, this one and API clients included. You will need your password to sign in again.',
      submit: 'Sign out everywhere',
    },
  },
  failures: {
    OFFLINE: {
      title: 'No connection',
      text: 'The service could not be reached. Check your connection and try again.',
    },
    UNAVAILABLE: {
      title: 'Not available right now',
      text: 'The service cannot answer at the moment. Please try again shortly.',
    },
    RATE_LIMITED: {
      title: 'Too many attempts',
      text: 'Please wait {seconds, plural, =0 {a moment} one {# second} other {# seconds}} and try again.',
    },
    stillSignedIn: 'Nothing has been lost, and you have not been signed out.',
    failed: {
      title: 'Something went wrong',
      text: 'This is not your doing. Try again; if it happens once more, tell the people who run this service.',
    },
    notFound: { title: 'Page not found', text: 'There is nothing at this address. The link may be old or mistyped.' },
  },
} as const;

// Lets the compiler check every key and placeholder that the pages use.
declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof messages;
  }
}
