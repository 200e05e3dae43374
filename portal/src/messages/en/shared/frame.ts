/** Messages of the signed-in layout: navigation and organization switcher. */

export const frame = {
  skip: 'Skip to the content',
  navigation: 'Main',
  home: 'Home',
  account: 'Account',
  members: 'Members',
  plan: 'Plan',
  console: 'Console',
  signOut: 'Sign out',
  signedInAs: 'Signed in as {email}',
  notSignedOut: {
    title: 'You are still signed in',
    text: 'Signing out needs a connection to the service. Press “Sign out” again when there is one.',
  },
} as const;

/** Buttons of lists. */
export const lists = { showMore: 'Show more', reload: 'Refresh', clear: 'Clear filters', any: 'All' } as const;

export const switcher = {
  label: 'Organization:',
  none: 'No organization',
  yours: 'Your organizations',
  create: 'Create an organization',
  switched: 'You are now in {name}.',
  notSwitched: 'You are in {name}.',
} as const;

export const noOrganization = {
  title: 'No organization is active',
  choose: 'Choose the one that you want to work in.',
  open: 'Open {name}',
  none: 'You do not belong to an organization. Create one, or ask a member of another organization to invite you: the link in the invitation lets you join.',
  create: 'Create an organization',
} as const;
