/** Messages of the home page: profile, name and password, sign-in methods and devices. */

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

export const accountPages = {
  navigation: 'Account',
  account: 'Account',
  security: 'Security',
  tokens: 'Personal tokens',
  clients: 'Connected clients',
  data: 'Your data',
  title: 'Account',
  goOnTitle: 'Your session has a second factor now',
  goOn: 'Go on with what you began',
  securityTitle: 'Security',
  dataTitle: 'Your data',
  session: 'This session',
  sessionLead: 'Some changes ask you to confirm that it is you.',
  provedAt: 'You last confirmed it on {date}',
  provedAtUnknown: 'You have not confirmed it in this session yet',
  withSecondFactor: 'With a passkey or a second factor.',
  withoutSecondFactor: 'Without a passkey or a second factor.',
} as const;

export const ownData = {
  exportTitle: 'A copy of your data',
  exportLead:
    'Everything that is kept of you here, as a JSON file: your account, organizations, sessions and their addresses.',
  export: 'Download',
  exported: 'The file is on its way to your downloads.',
  deleteTitle: 'Delete your account',
  deleteLead: 'This cannot be undone.',
  deleteText:
    'Every device is signed out, and you leave your organizations. Those without another member are deleted with everything in them.',
  deleteTextWithTokens:
    'Every device is signed out, your personal tokens end, and you leave your organizations. Those without another member are deleted with everything in them.',
  open: 'Delete account',
  typeEmail: 'Type {email} to confirm',
  emailMissing: 'Type your e-mail address.',
  submit: 'Delete my account',
  LAST_OWNER: 'You are the only owner of an organization with other members. Make one of them an owner first.',
  SUBSCRIPTION_ACTIVE: 'An organization that only you belong to has a running plan. End the plan first, under “Plan”.',
  FORBIDDEN: 'This account cannot be deleted here. Ask the operator of this service.',
} as const;

export const ownAccount = {
  title: 'Your name and password',
  name: 'Name',
  changeName: 'Change name',
  save: 'Save',
  password: 'Password',
  changePassword: 'Change password',
  setPassword: 'Set a password',
  noPassword: 'None',
  currentPassword: 'Current password',
  newPassword: 'New password',
  othersSignedOut: 'Every other device and client is signed out.',
  othersSignedOutNotTokens: 'Every other device and client is signed out. Your personal tokens go on working.',
  savePassword: 'Change password',
  passwordChanged: 'Your password is changed. Every other device and client is signed out.',
  passwordChangedNotTokens:
    'Your password is changed. Every other device and client is signed out; your personal tokens go on working.',
  wrongPassword: 'This is not your current password.',
} as const;

export const emailSection = {
  title: 'Your e-mail address',
  change: 'Change e-mail address',
  newEmail: 'New e-mail address',
  hint: 'We send a link to it. Your address changes when you open the link and confirm it.',
  missing: 'Enter your new e-mail address.',
  submit: 'Send the link',
  requested:
    'If {email} can be used, a message with a link is on its way to it. Open the link within 24 hours, while you are signed in here. Until then your address stays as it is. We send at most one such message an hour: if you have asked for this address before, use the link that you have.',
  pending: 'Your address was changed within the last 72 hours. Until this time is over, it cannot be changed again.',
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
  onlyMethod: 'You cannot disconnect it: it is the only way to sign in to this account.',
  connected: '{provider} is connected. You can sign in with it from now on.',
  disconnected: '{provider} is disconnected. It does not sign you in any more.',
  confirm: {
    title: 'Disconnect {provider}?',
    text: 'You will sign in in another way. Devices that are signed in stay signed in.',
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
    textWithTokens:
      'Every device loses access at once, including this one, API clients and your personal tokens. You will have to sign in again, and create new tokens where you need them.',
    submit: 'Sign out everywhere',
  },
} as const;
