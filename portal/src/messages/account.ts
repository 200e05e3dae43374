/** Messages of the home page: profile, sign-in methods and devices. */

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

export const signInMethods = {
  title: 'Ways to sign in',
  lead: 'Each of these signs you in to this account.',
  password: 'Password',
  passwordSet: 'Set',
  passwordNotSet: 'Not set',
  notConnected: 'Not connected',
  connectedAs: 'Connected as {email} since {date}',
  connectedSince: 'Connected since {date}',
  connect: 'Connect',
  connectProvider: 'Connect {provider}',
  disconnect: 'Disconnect',
  disconnectProvider: 'Disconnect {provider}',
  onlyMethod: 'You cannot disconnect it: this account has no password.',
  connected: '{provider} is connected. You can sign in with it from now on.',
  disconnected: '{provider} is disconnected. You sign in with your password from now on.',
  confirm: {
    title: 'Disconnect {provider}?',
    text: 'You will sign in with your password only. Devices that are signed in stay signed in.',
    submit: 'Disconnect',
  },
} as const;

export const devices = {
  title: 'Your devices',
  lead: 'Everywhere your account is signed in.',
  unsure: 'Do you see a device that you don’t recognize?',
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
    text: 'It loses access at once and has to sign in again.',
    submit: 'Sign out device',
  },
  confirmEverywhere: {
    title: 'Sign out everywhere?',
    text: 'Every device loses access at once, including this one and API clients. You will have to sign in again.',
    submit: 'Sign out everywhere',
  },
} as const;
