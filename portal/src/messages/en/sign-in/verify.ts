/** Messages of /verify and /verify/…/reject. */

export const verify = {
  title: 'Confirm your e-mail address',
  lead: 'You asked for an account with <address>{email}</address> in this browser. Press the button to confirm that the address is yours, then sign in. Opening the link has changed nothing yet.',
  submit: 'Confirm',
  byPassword: {
    lead: 'Enter the password that you chose when you signed up. It confirms that the account is yours, and signs you in.',
    submit: 'Confirm and sign in',
    replaces: 'You are signed in here as {email}. If you go on, you are signed in to the other account instead.',
    refusedTitle: 'This is not the password of the account',
    refused:
      'Enter the password of the first sign-up with this address: a later one does not change it. If you did not choose it, another person asked for the account: delete it by the link below, then sign up yourself.',
    reject: 'I did not ask for this account',
  },
  earlier: {
    title: 'The password of an earlier sign-up counts',
    text: 'When you signed up in this browser, an account with this address was waiting to be confirmed already. It has kept the password that was chosen for it first.',
    lead: 'Enter the password of the first sign-up. It confirms that the account is yours, and signs you in.',
    anew: 'Delete that account and begin anew',
  },
  expired: {
    title: 'This link has expired',
    text: 'It worked for 24 hours. Nothing has been confirmed.',
    submit: 'Send a new link',
  },
  signIn: 'Sign in',
  signUp: 'Sign up again',
  toStart: 'Go to the start page',
  signedInAsOther:
    'You are still signed in here as {email}. To use the account that you have just confirmed, sign out first.',
  VERIFIED: { title: 'Your address is confirmed', text: 'Thank you. You can sign in now.' },
  EXPIRED_RESENT: {
    title: 'We have sent you a new link',
    text: 'Open the link in the message that is on its way to you. It works for 24 hours.',
  },
  EXPIRED: {
    title: 'A message is on its way already',
    text: 'We send at most one an hour, and the last one went out less than an hour ago: use the link in that one. If it does not reach you, sign up again with the same address in an hour.',
  },
  INVALID: {
    title: 'This link does not work',
    text: 'It may have been used already, or be incomplete. If you have confirmed your address before, sign in. If not, sign up again with the same address to get a fresh link.',
  },
} as const;

export const reject = {
  title: 'Delete this account?',
  lead: 'An account was asked for with your e-mail address, and is not confirmed yet. If that was not you, or if you want to begin anew with another password, delete the account. Opening this page has changed nothing yet.',
  submit: 'Delete the account',
  keep: 'I asked for it myself',
  done: {
    title: 'The account is deleted',
    text: 'All its data is deleted. You can sign up with the address yourself. We send it at most one message an hour: if none comes after you have signed up, have it sent again an hour after the last one.',
  },
  invalid: {
    title: 'This link does not work',
    text: 'The account may be deleted or confirmed already. If you got a newer message, use the link in that one.',
  },
  toSignUp: 'Create an account yourself',
} as const;
