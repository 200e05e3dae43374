/**
 * Messages of /members: list, invitations and actions. The portal says "withdraw" where the API says "cancel", because
 * "Cancel" closes the confirmation dialog.
 */

export const members = {
  security: 'Security of the organization',
  tokens: 'Tokens and service accounts',
  clients: 'Connected clients',
  audit: 'Audit log',
  title: 'Members',
  lead: 'Who belongs to {organization}, and who is invited.',
  left: 'You have left {organization}.',
  list: 'People',
  role: 'Role:',
  status: 'Status:',
  statuses: { JOINED: 'Members', INVITED: 'Invited', EXPIRED: 'Invitation expired' },
  columns: { person: 'Person', role: 'Role', since: 'Since', actions: 'Actions' },
  seats:
    '{members, plural, one {# member} other {# members}} and {open, plural, one {# open invitation} other {# open invitations}}',
  seatsOf:
    '{taken, number} of {limit, number} seats taken: {members, plural, one {# member} other {# members}} and {open, plural, one {# open invitation} other {# open invitations}}',
  noFilterMatches: 'No member matches these filters.',
  search: 'Search by name or address',
  shown: '{total, plural, one {# person} other {# people}}',
  shownOf: '{shown, number} of {total, number} shown',
  noMatches: 'No member has “{search}” in their name or address.',
  clearSearch: 'Show all members',
  you: 'You',
  invited: 'Invited',
  expired: 'Invitation expired',
  joined: 'Joined {date}',
  openUntil: 'Invitation open until {date}',
  expiredOn: 'The link expired {date}',
  roleOf: 'Role of {person}:',
  actionsFor: 'Actions for {person}',
} as const;

export const memberActions = {
  resend: 'Send the invitation again',
  withdraw: 'Withdraw the invitation',
  remove: 'Remove from the organization',
  leave: 'Leave the organization',
  done: {
    resend: 'A new link is on its way to {email}. The previous link no longer works.',
    withdraw: 'The invitation to {email} is withdrawn. Its link no longer works.',
    remove: '{person} is no longer a member.',
    leave: 'You have left {organization}.',
    role: '{person} has the role {role} now.',
  },
  confirm: {
    withdraw: {
      title: 'Withdraw the invitation to {email}?',
      text: 'The link in the message stops working at once. You can invite this address again at any time.',
      submit: 'Withdraw invitation',
    },
    remove: {
      title: 'Remove {person} from {organization}?',
      text: 'Every session of {email} in this organization ends at once. The account itself stays, and you can invite it again.',
      textWithTokens:
        'Every session and every personal token of {email} in this organization ends at once. The account itself stays, and you can invite it again.',
      submit: 'Remove member',
    },
    leave: {
      title: 'Leave {organization}?',
      text: 'Your sessions in it end at once, so you may have to sign in again. You can come back only with a new invitation.',
      textWithTokens:
        'Your sessions and your personal tokens in it end at once, so you may have to sign in again. You can come back only with a new invitation.',
      submit: 'Leave organization',
    },
    makeOwner: {
      title: 'Make {person} an owner?',
      text: 'Owners may do everything in {organization}: change its name and its plan, and change or remove any member, you included.',
      submit: 'Make owner',
    },
    unmakeOwner: {
      title: 'Take the role of owner from {person}?',
      text: '{email} will have the role {role}. Their sessions stay active, but they can no longer do what only owners may do.',
      submit: 'Change role',
    },
    ownRole: {
      title: 'Change your own role?',
      text: 'You will have the role {role} from now on. Only another member can give you your current role back.',
      submit: 'Change my role',
    },
  },
} as const;

export const invite = {
  open: 'Invite a member',
  title: 'Invite a member',
  lead: 'They get an e-mail with a link. It works once, and only for them.',
  titleMany: 'Invite many people',
  leadMany: 'Paste up to 200 e-mail addresses. Before anything is sent, you see what would happen to each.',
  many: 'Invite many people at once',
  one: 'Invite one person',
  role: 'Role',
  roles: {
    MEMBER: 'Sees who belongs to the organization.',
    ADMIN: 'Invites, changes and removes people, but no owners.',
    OWNER: 'May do everything, the name and the plan included.',
  },
  noScopes: 'May only sign in to the organization.',
  alsoScopes: '{text} Also: {scopes}.',
  moreScopes: '{scopes} · and {count, number} more',
  seats: {
    owner: 'See the plan',
    other: 'Ask an owner of {organization} for a larger plan.',
  },
  submit: 'Send invitation',
  sent: 'The invitation is on its way',
  sentTo: 'It goes to <address>{email}</address> and appears in the list below.',
  openUntil: 'The link in it works until {date}.',
} as const;

export const membersForbidden = {
  title: 'You cannot see the members',
  text: 'You belong to {organization}, but you may not see its other members at the moment.',
  why: 'Why:',
  plan: 'See the plan',
} as const;
