/** Words of the start page: the profile and the devices. */

export const home = {
  title: 'Your account',
  greeting: 'Hello, {name}',
  profile: 'Who you are here',
  verified: 'Confirmed',
  verifiedSince: 'Confirmed on {date}',
  notVerified: 'Not confirmed',
  superAdmin: 'Super admin',
  organization: 'Organization',
  noOrganization: 'None is active',
  role: 'Role',
  scopes: '{count, plural, =0 {No scopes} one {# scope} other {# scopes}}',
} as const;

export const devices = {
  title: 'Your devices',
  lead: 'Everywhere your account is signed in.',
  unsure: 'Something here that you don’t recognize?',
  thisDevice: 'This device',
  apiClient: 'API client',
  mcpClient: 'MCP client',
  addressUnknown: 'Unknown address',
  signedIn: 'Signed in {date}',
  lastSeen: 'Last seen {when}',
  neverSeen: 'Not used since',
  inUse: 'In use now',
  justNow: 'just now',
  signOut: 'Sign out',
  signOutThis: 'Sign out this device',
  signOutOther: 'Sign out {device}',
  everywhere: 'Sign out everywhere',
  ended: '{device} is signed out.',
  names: {
    browserOnSystem: '{browser} on {system}',
    unknown: 'Unknown device',
  },
  confirmOne: {
    title: 'Sign out {device}?',
    text: 'It loses access at once and has to sign in again with the password.',
    submit: 'Sign out device',
  },
  confirmEverywhere: {
    title: 'Sign out everywhere?',
    text: 'Every device loses access at once, this one and API clients included. You will need your password to sign in again.',
    submit: 'Sign out everywhere',
  },
} as const;
