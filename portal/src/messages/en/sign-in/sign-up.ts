/** Messages of /signup: the form, and the page after it. */

export const signUp = {
  title: 'Create your account',
  lead: 'We will send you a link to confirm your address.',
  leadWithProvider:
    'Continue with {provider}, or choose a password: then we will send you a link to confirm your address.',
  submit: 'Create account',
  haveAccount: 'Have an account already?',
  signIn: 'Sign in',
} as const;

export const checkMail = {
  title: 'Check your e-mail',
  sent: 'We send a message to <address>{email}</address>, unless one went out within the last hour. It says how to go on: with a link that confirms a new account or, if you have an account already, by signing in.',
  validity: 'The link works for 24 hours.',
  earlier:
    'If you have signed up with this address before and not confirmed it yet, the password of that first time counts. To begin anew, use the second link of the message.',
  missing: 'Nothing after a few minutes? Look in your spam folder. We send at most one message an hour.',
  sendAgain: 'Send again',
  sentAgain:
    'If the address waits to be confirmed and the last message went out more than an hour ago, another one is on its way. The link in an older message may stop working then.',
  otherAddress: 'Use another address',
  unansweredTitle: 'We may have created your account',
  unanswered:
    'The service has not answered in time. If your account was created, a message to <address>{email}</address> is on its way: open the link in it.',
  unansweredMissing:
    'Nothing after a few minutes? Look in your spam folder, then sign up again: with the same address that does no harm.',
  again: 'Sign up again',
  readyTitle: 'Go on by signing in',
  ready:
    'If the address is new here, your account is ready. If it has an account already, nothing about that account has changed, and its own password counts.',
} as const;
