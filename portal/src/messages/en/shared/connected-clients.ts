/** Messages about connected clients: /account/clients, /organization/clients, and the policy for clients. */

export const clients = {
  host: 'Redirects to',
  loopback: 'A program on the person’s own machine',
  clientId: 'Client ID',
  resource: 'MCP server',
  scopes: 'May',
  connected: 'Connected',
  expires: 'Expires',
  lastUsed: 'Last used',
  neverUsed: 'Never',
  total: '{total, plural, one {# connection} other {# connections}}',
  shownOf: '{shown, number} of {total, number} shown',
  end: 'End',
  endOne: 'End the connection of {name} by {host}',
  wasEnded: 'The connection of {name} is ended. It does not work any more.',
  ending: {
    title: 'End the connection of {name}?',
    text: 'It loses access at once. To act again, it needs a new consent.',
    submit: 'End connection',
  },
} as const;

export const ownClients = {
  title: 'Connected clients',
  lead: 'Programs, such as AI assistants, that you let act in your name in an organization.',
  list: 'Your connected clients',
  none: 'You have connected no client. Add {address} to an MCP client. It then asks for your consent, for one organization at a time. You can end its connection here at any time.',
  life: 'A connection ends when you end it, leave its organization or sign out everywhere.',
} as const;

export const organizationClients = {
  title: 'Connected clients of {name}',
  lead: 'Programs, such as AI assistants, that members let act in their name in this organization.',
  list: 'Connected clients',
  none: 'No member has connected a client.',
  notAllowed: 'Your role in this organization does not let you manage its connected clients.',
} as const;

export const mcpPolicy = {
  title: 'Policy for clients',
  lead: 'A change counts from the next call of each client. A client that the policy refuses stays connected, and works again when the policy allows it.',
  clients: 'Clients that members may use',
  ANY: 'Any',
  ANY_text: 'Members connect the clients of their choice.',
  LISTED: 'Listed ones',
  LISTED_text: 'A client works when its ID or the host that it redirects to is listed.',
  NONE: 'None',
  NONE_text: 'No client works, and none can be connected.',
  clientIds: 'Client IDs',
  clientIdsHint:
    'One on each line; at most 100. The ID of a client that registered, or the exact https URL of a client ID metadata document.',
  redirectHosts: 'Hosts',
  redirectHostsHint:
    'One on each line; at most 100. A client works when it redirects to exactly this host, such as app.example.com, or scheme://host if it has a scheme of its own.',
  loopbackTitle: 'This lets in every program on a member’s machine',
  loopback:
    '127.0.0.1, localhost and [::1] are the person’s own machine. Every program there can redirect to it, whatever name it shows.',
  submit: 'Save policy',
  saved: 'The policy is saved. It counts from the next call of each client.',
} as const;
