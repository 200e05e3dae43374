/** Words of the frame around every signed-in page, and of the way out of having no active organization. */

export const frame = {
  skip: 'Skip to the content',
  navigation: 'Main',
  home: 'Home',
  members: 'Members',
  plan: 'Plan',
  sessions: 'Sessions',
  mcp: 'MCP',
  signOut: 'Sign out',
  signedInAs: 'Signed in as {email}',
  notSignedOut: {
    title: 'You are still signed in',
    text: 'Signing out needs a connection to the service. Press “Sign out” again when there is one.',
  },
} as const;

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
  none: 'You belong to no organization at the moment. Create one of your own, or ask the people of another for an invitation: the link in it lets you join.',
  create: 'Create an organization',
} as const;
