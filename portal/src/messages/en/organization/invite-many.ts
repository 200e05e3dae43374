/** Messages of the form that invites many people at once, with its preview and its report. */

export const inviteMany = {
  title: 'Invite many people',
  addresses: 'E-mail addresses',
  addressesHint: 'From a column, a list or the recipients of a mail: separated by lines, commas, semicolons or spaces.',
  counted: '{count, plural, =0 {No address yet} one {# address} other {# addresses}}',
  missing: 'Paste at least one address.',
  tooMany: '{count, number} addresses: at most {most, number} at a time.',
  check: 'Check the addresses',
  preview: {
    title: 'Nothing is sent yet',
    ready:
      '{count, plural, =0 {No invitation would be sent} one {# invitation would be sent} other {# invitations would be sent}}',
    submit: '{count, plural, one {Send # invitation} other {Send # invitations}}',
    change: 'Change the list',
  },
  report: {
    title: 'The list is done',
    sent: '{count, plural, =0 {No invitation was sent} one {# invitation is on its way} other {# invitations are on their way}}',
    another: 'Invite others',
    differs: 'Since the preview, the members, the seats or the limits have changed: the report below is what happened.',
  },
  notInvited: '{count, plural, one {# address is left out} other {# addresses are left out}}',
  outcomes: {
    INVITED: 'Invited',
    RENEWED: 'Invited again: the former link had expired',
    MEMBER: 'Is a member already',
    ALREADY_INVITED: 'Is invited already',
    OWN_ADDRESS: 'Is your own address',
    MALFORMED: 'Is not an e-mail address',
    REPEATED: 'Stands in the list twice',
    NO_SEAT: 'No seat is left in the plan',
    TOO_MANY_MAILS: 'Too many invitation mails at the moment: try again later',
    NOT_ALLOWED: 'Was invited with a role that you may not give',
  },
  columns: { address: 'Address', outcome: 'What happens' },
  plan: 'See the plan',
} as const;
