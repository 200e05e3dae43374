/**
 * The sections of the page from the specification to the tests, in their order. A traced test names its section by `title`; a section that no
 * test names, and a test that names another one, fail `npm run check:docs`.
 */
export interface Section {
  readonly title: string;
  /** A sentence between the heading and the table. */
  readonly note?: string;
}

export const sections: readonly Section[] = [
  { title: 'Email verification' },
  { title: 'Credential pair' },
  { title: 'External sign-in' },
  { title: 'Helper sessions and visitors' },
  { title: 'Organizations and members' },
  { title: 'Invitation' },
  { title: 'Password rules' },
  { title: 'Delivery' },
  { title: 'CSRF' },
  { title: 'Limits' },
  { title: 'Authentication' },
  { title: 'Routes outside GraphQL' },
  { title: 'Identity for back ends' },
  { title: 'Introspection' },
  { title: 'Payments' },
  { title: 'Guards' },
  { title: 'Scopes' },
  { title: 'The application' },
  { title: 'Account', note: 'One’s own account (contract, account.md).' },
  { title: 'Machine credentials', note: 'Contract, machine-credentials.md.' },
  { title: 'MCP of an organization', note: 'Contract, organization-mcp.md.' },
  { title: 'Bad input' },
  { title: 'Authorization server of Platform MCP' },
  { title: 'Client ID metadata documents', note: 'Contract, organization-mcp.md.' },
  { title: 'POST /mcp' },
  { title: 'Tools of Platform MCP' },
  { title: 'POST /mcp/organization', note: 'Contract, organization-mcp.md.' },
  { title: 'Super admins at an incident', note: 'Contract, incident-tools.md.' },
  { title: 'Audit and metrics' },
  { title: 'Clients of Platform MCP' },
  {
    title: 'Connections of MCP clients',
    note: 'What a super admin sees of a client that cannot connect (decision 0015). The specification leaves it open.',
  },
  { title: 'Races and failures' },
  { title: 'Deletion' },
  { title: 'Correlation and events' },
  { title: 'Shipping and upgrading' },
  { title: 'Portal', note: 'In Chromium, against the built portal.' },
  {
    title: 'Sessions in browsers',
    note: 'In Chromium, with `@gatehouse/client` in front ends at origins of their own.',
  },
  { title: 'Faults' },
  { title: 'Many processes and starts' },
];
