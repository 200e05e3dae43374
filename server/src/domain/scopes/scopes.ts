/**
 * Owns: every scope, and what each role and each product grants.
 * Promises: A decision needs no database; an unknown role, product or scope grants nothing.
 *
 * All scopes: every scope by name, the scopes that each role and each product grants, and those that a super admin can
 * be granted. To sell other plans, edit `productScopes`; no other code names a product.
 *
 * Specification: "Resources", Organization and OrganizationMember; contract: "Roles and products".
 */

export const organizationScopes = [
  'MEMBERS_VIEW',
  'MEMBERS_INVITE',
  'MEMBERS_UPDATE',
  'MEMBERS_REMOVE',
  'ORGANIZATION_UPDATE',
  'BILLING_MANAGE',
] as const;
export type OrganizationScope = (typeof organizationScopes)[number];

export const platformScopes = [
  'mcp:whoami',
  'mcp:catalog:view',
  'mcp:audit:view',
  'mcp:access:view',
  'sessions:view',
  'sessions:revoke',
  'users:view',
  'organizations:view',
  'invitations:manage',
] as const;
export type PlatformScope = (typeof platformScopes)[number];

export type Scope = OrganizationScope | PlatformScope;

export const roles = ['OWNER', 'ADMIN', 'MEMBER'] as const;
export type Role = (typeof roles)[number];

const roleScopes: Readonly<Record<Role, readonly OrganizationScope[]>> = {
  OWNER: organizationScopes,
  ADMIN: ['MEMBERS_VIEW', 'MEMBERS_INVITE', 'MEMBERS_UPDATE', 'MEMBERS_REMOVE'],
  MEMBER: ['MEMBERS_VIEW'],
};

/**
 * Whether a member in this role may invite, change and remove members of the other role: an ADMIN may not manage
 * owners.
 */
export const mayManage = (role: Role, other: Role): boolean =>
  role === 'OWNER' || (role === 'ADMIN' && other !== 'OWNER');

const productScopes = new Map<string, readonly OrganizationScope[]>([['free', organizationScopes]]);

/** A product that an organization can subscribe to. */
export interface Product {
  readonly name: string;
  readonly scopes: readonly OrganizationScope[];
}

export const products: readonly Product[] = [...productScopes].map(([name, scopes]) => ({ name, scopes }));

export const rolesGranting = (scope: OrganizationScope): readonly Role[] =>
  roles.filter((role) => roleScopes[role].includes(scope));

/** Names of the products that grant a scope. */
export const productsGranting = (scope: OrganizationScope): readonly string[] =>
  products.filter(({ scopes }) => scopes.includes(scope)).map(({ name }) => name);

export const subscriptionStatuses = ['ACTIVE', 'TRIALING', 'PAST_DUE', 'CANCELED', 'NONE'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** The subscription of an organization. */
export interface SubscriptionState {
  readonly status: SubscriptionStatus;
  readonly product: string | null;
}

/** Whether a subscription in this status grants any scope. */
export const isPaidFor = (status: SubscriptionStatus): boolean => status === 'ACTIVE' || status === 'TRIALING';

/** Scopes that a subscription grants: its product's while it is active or on trial, else none. */
const scopesOfSubscription = ({ status, product }: SubscriptionState): readonly OrganizationScope[] =>
  isPaidFor(status) ? (productScopes.get(product ?? '') ?? []) : [];

/** Effective scopes of a membership: those granted both by the role and by the active subscription's product. */
export const effectiveScopes = (role: Role, subscription: SubscriptionState): readonly OrganizationScope[] => {
  const granted = new Set(scopesOfSubscription(subscription));
  return roleScopes[role].filter((scope) => granted.has(scope));
};

export const isPlatformScope = (text: string): text is PlatformScope => platformScopes.some((scope) => scope === text);

export const isOrganizationScope = (text: string): text is OrganizationScope =>
  organizationScopes.some((scope) => scope === text);
