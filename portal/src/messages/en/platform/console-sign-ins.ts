/** Messages of /admin/super/sign-ins and of the suspension of a person. */

export const consoleSignIns = {
  title: 'Sign-ins',
  lead: 'Attempts to sign in, refused ones included, newest first. What was typed is not kept.',
  total: '{total, plural, =0 {No attempts} one {# attempt} other {# attempts}}',
  moreThan: 'More than {total, number} attempts',
  none: 'No attempt matches these filters.',
  outcome: 'Outcome:',
  success: 'Signed in',
  method: 'By:',
  network: 'IP address or network',
  from: 'From',
  to: 'Until',
  onePerson: 'Only one person',
  person: 'Only {email}',
  remove: 'Remove filter: {filter}',
  columns: { when: 'When', person: 'Person', outcome: 'Outcome', from: 'From' },
  unknownPerson: 'No known person',
  ofPerson: 'Recent sign-ins',
  noneOfPerson: 'No sign-in of the last days is recorded.',
  all: 'See all sign-ins',
} as const;

export const suspension = {
  suspend: 'Suspend',
  reinstate: 'Reinstate',
  confirm: {
    title: 'Suspend {email}?',
    text: 'Every session of {email} ends at once, and no way to sign in works until the account is reinstated. A mail tells them, without the reason.',
    submit: 'Suspend',
    reason: 'Reason, for super admins',
    reasonMissing: 'Write why, in up to 200 characters.',
  },
  confirmReinstate: {
    title: 'Reinstate {email}?',
    text: '{email} can sign in again, and is told by mail. Sessions that ended stay ended.',
    submit: 'Reinstate',
  },
  done: '{email} is suspended. {count, plural, =0 {No token was active.} one {# token was active and has ended.} other {# tokens were active and have ended.}}',
  reinstated: '{email} can sign in again.',
  list: 'Suspensions',
  by: 'By {email}, {date}',
  byGone: 'By an account that is gone, {date}',
  lasts: 'Not ended',
  endedBy: 'Ended by {email}, {date}',
  endedByOperator: 'Ended by an operator, {date}',
  columns: { reason: 'Reason', began: 'Began', ended: 'Ended' },
} as const;
