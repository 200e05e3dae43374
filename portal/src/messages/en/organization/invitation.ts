/** Messages of /invitation: the offer, the ways to accept it, and why a link may not work. */

export const invitation = {
  title: 'Invitation',
  join: 'Join {organization}',
  as: {
    OWNER: 'You are invited to join as an owner.',
    ADMIN: 'You are invited to join as an administrator.',
    MEMBER: 'You are invited to join as a member.',
    other: 'You are invited to join with the role {role}.',
  },
  openUntil: 'The invitation is open until {date}.',
  completeProfile: {
    lead: 'Choose the name and the password that you will use here.',
    submit: 'Create account and join',
    address:
      'Your account will belong to the address that this invitation was sent to. If you already have one under another address, it cannot accept this invitation: ask the person who invited you to invite that address instead.',
  },
  signIn: {
    lead: 'The address that this invitation was sent to has an account already. Sign in with it, and you can accept here.',
    submit: 'Sign in to accept',
  },
  accept: {
    lead: 'You are signed in as <who>{email}</who>. If you accept, you join {organization}. You stay in your other organizations.',
    submit: 'Accept the invitation',
    later: 'Not now',
  },
  otherAccount: {
    title: 'This invitation is for someone else',
    lead: 'You are signed in as <who>{email}</who>, and the invitation to {organization} was sent to another address.',
    advice:
      'If that address is yours too, sign out here and continue with it. If not, ask the person who invited you to invite the address you use.',
    submit: 'Sign out and continue',
    stay: 'Stay signed in',
  },
  EXPIRED: {
    title: 'This invitation has expired',
    text: 'It invited you to join {organization}. Ask the person who sent it to send it again: a new link then comes to the same address.',
  },
  ACCEPTED: {
    title: 'This invitation has been accepted',
    text: 'The link works once, and has already been used to join {organization}.',
    visitor: 'If that was you, sign in as usual.',
    signedIn: 'If that was you, there is nothing left to do.',
  },
  unknown: {
    title: 'This invitation does not work',
    text: 'It may have been withdrawn, or replaced by a newer message: look for one, and use its link. If there is none, ask the person who invited you to send the invitation again.',
  },
  seats: 'Ask the person who invited you to make room. The invitation stays open, and you can accept it here then.',
  changed: 'The invitation changed in the meantime. This page now shows its current state.',
} as const;
