/**
 * Owns: the application that the service serves: every scope, and what each role and each product grants.
 * Promises: A decision needs no database; an unknown role, product or scope grants nothing.
 *
 * The built-in scopes and roles, the platform scopes, and the states of a subscription. What an adopter defines beside
 * them is in `application.ts`.
 *
 * The rules are in contract/organizations.md#effective-scopes and contract/application.md#grants-of-a-product.
 */

/** The built-in scopes of an organization, with words for people; some exist only while their part is on. */
export const builtInScopes = {
  MEMBERS_VIEW: 'See who belongs to the organization',
  MEMBERS_INVITE: 'Invite people',
  MEMBERS_UPDATE: 'Change the roles of members',
  MEMBERS_REMOVE: 'Remove members',
  ORGANIZATION_UPDATE: 'Rename the organization',
  BILLING_MANAGE: 'Manage the subscription',
  TOKENS_MANAGE: 'Manage tokens and service accounts',
  MCP_MANAGE: 'Manage connected MCP clients',
  AUDIT_VIEW: 'See the audit log of the organization',
} as const;

export type OrganizationScope = keyof typeof builtInScopes;

/** Whether a scope of an organization is the service's; all others are defined by the application. */
export const isBuiltInScope = (name: string): name is OrganizationScope => Object.hasOwn(builtInScopes, name);

/** Parts of the service that an operator turns on or off, and that have scopes of their own. */
export interface OptionalParts {
  readonly machineTokens: boolean;
  readonly organizationMcp: boolean;
}

/** Whether a built-in scope exists while these parts are on. A definition may name one that does not. */
export const isScopeOn = (scope: string, { machineTokens, organizationMcp }: OptionalParts): boolean => {
  if (scope === 'TOKENS_MANAGE') return machineTokens;
  if (scope === 'MCP_MANAGE') return organizationMcp;
  return scope !== 'AUDIT_VIEW' || machineTokens || organizationMcp;
};

export const platformScopes = [
  'mcp:whoami',
  'mcp:catalog:view',
  'mcp:audit:view',
  'mcp:access:view',
  'sessions:view',
  'sessions:revoke',
  'users:view',
  'users:suspend',
  'organizations:view',
  'invitations:manage',
] as const;
export type PlatformScope = (typeof platformScopes)[number];

export const isPlatformScope = (text: string): text is PlatformScope => platformScopes.some((scope) => scope === text);

/** The roles that every application has, with their titles and built-in scopes; OWNER also holds all defined scopes. */
export const builtInRoles = {
  OWNER: { title: 'Owner', scopes: Object.keys(builtInScopes) },
  ADMIN: {
    title: 'Administrator',
    scopes: [
      'MEMBERS_VIEW',
      'MEMBERS_INVITE',
      'MEMBERS_UPDATE',
      'MEMBERS_REMOVE',
      'TOKENS_MANAGE',
      'MCP_MANAGE',
      'AUDIT_VIEW',
    ],
  },
  MEMBER: { title: 'Member', scopes: ['MEMBERS_VIEW'] },
} as const satisfies Readonly<Record<string, { readonly title: string; readonly scopes: readonly string[] }>>;

export type BuiltInRole = keyof typeof builtInRoles;

/** Name of a role: built-in, defined by the application, or one that rows hold and the application no longer has. */
export type Role = string;

export const subscriptionStatuses = ['ACTIVE', 'TRIALING', 'PAST_DUE', 'CANCELED', 'NONE'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** The subscription of an organization. */
export interface SubscriptionState {
  readonly status: SubscriptionStatus;
  readonly product: string | null;
}

/** Whether a subscription in this status grants any scope. */
export const isPaidFor = (status: SubscriptionStatus): boolean => status === 'ACTIVE' || status === 'TRIALING';
