/** Words of /verify. */

export const verify = {
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
} as const;
