/** Messages of the analytics consent: the banner, and the section of the home page. */

export const consent = {
  title: 'May analytics be used?',
  text: 'If you allow it, a random id for analytics is kept with a cookie of this browser for 30 days. If you decline, there is no id, only your answer. Signing in works the same either way, and you can change your answer.',
  allow: 'Allow',
  decline: 'Decline',
  now: {
    allowed: 'You currently allow it. If you decline now, the id is deleted.',
    declined: 'You currently decline it.',
  },
  change: 'Privacy choice',
  notRecorded: 'Your answer was not saved. Please try again.',
  recorded: {
    allowed: 'Analytics allowed.',
    declined: 'Analytics declined. No id is kept.',
    withdrawn: 'Withdrawn. The id has been deleted.',
  },
  section: {
    title: 'Privacy',
    lead: 'Whether analytics may be used in this browser.',
    open: { title: 'You have not answered yet', text: 'Until you allow it, no id for analytics is kept.' },
    allowed: {
      title: 'You allow analytics',
      text: 'A random id is kept for this browser, until 30 days after your answer. If you withdraw, it is deleted at once; allowing analytics again makes a new one.',
    },
    declined: { title: 'You decline analytics', text: 'No id is kept, only this answer, for 30 days.' },
    id: 'Your id:',
    allow: 'Allow analytics',
    withdraw: 'Withdraw',
  },
} as const;
