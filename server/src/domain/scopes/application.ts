/** The application, resolved from a definition (`application-definition.ts`), its decisions, and its mails' look. */
import type { MailOverrides } from '../../platform/mail/compose.ts';
import { defaultMailLook, type MailLook } from '../../platform/mail/message.ts';
import type { PortalOverrides } from '../../platform/portal-texts.ts';
import {
  builtInRoles,
  builtInScopes,
  isPaidFor,
  isScopeOn,
  type OptionalParts,
  type Role,
  type SubscriptionState,
} from './scopes.ts';
import { themeOf } from './theme.ts';

/** A scope of an organization. */
export interface ApplicationScope {
  readonly name: string;
  /** The use of the scope for a person, in words. */
  readonly words: string;
  readonly isBuiltIn: boolean;
}

export interface ApplicationRole {
  readonly name: Role;
  readonly title: string;
  readonly scopes: readonly string[];
}

/** A product that an organization can subscribe to. */
export interface Product {
  readonly name: string;
  readonly title: string;
  readonly scopes: readonly string[];
  /** Seats; null is no limit. */
  readonly members: number | null;
  /** Look-up key of its price at Stripe. */
  readonly priceKey: string;
}

/** An API of the adopter that may introspect tokens (RFC 7662). */
export interface Resource {
  readonly name: string;
  /** Its identifier, and the audience of tokens for it (RFC 8707). */
  readonly url: string;
  readonly scopes: readonly string[];
  readonly machineTokens: boolean;
}

/** An image, read when the process starts. */
export interface Logo {
  readonly content: Buffer;
  readonly mediaType: string;
  /** A part of its path, which changes with the content. */
  readonly fingerprint: string;
}

/** The path at which the service serves a logo. */
export const logoPath = ({ fingerprint }: Pick<Logo, 'fingerprint'>): string => `/brand/logo-${fingerprint}`;

/** How the application looks; null is not given. */
export interface Brand {
  readonly logo: Logo | null;
  /** `#rrggbb`, at least 4.5:1 against white. */
  readonly color: string | null;
  readonly support: string | null;
  readonly terms: string | null;
  readonly privacy: string | null;
}

/** A definition, resolved. */
interface ApplicationParts {
  readonly name: string;
  /** Scopes beside the built-in ones. */
  readonly scopes: readonly ApplicationScope[];
  /** Defined scopes of ADMIN and MEMBER, and all scopes of further roles. */
  readonly roles: readonly ApplicationRole[];
  readonly products: readonly Product[];
  /** The access that an ended subscription leaves to its organization. */
  readonly endedSubscription: 'DENY' | 'DEFAULT_PRODUCT';
  readonly origins: readonly string[];
  readonly resources: readonly Resource[];
  readonly brand: Brand;
  /** Texts of mails that replace those of the service. */
  readonly mailTexts: MailOverrides;
  /** Texts of the portal that replace its own. */
  readonly portalTexts: PortalOverrides;
}

/** The authority of a caller over roles. */
export interface RoleManager {
  readonly role: Role;
  /** Effective scopes of a credential that is limited to certain ones; null for every other credential. */
  readonly limitedTo: ReadonlySet<string> | null;
}

export class Application {
  readonly name: string;
  /** Every scope of an organization, the built-in ones first. */
  readonly scopes: readonly ApplicationScope[];
  /** OWNER, ADMIN and MEMBER first. */
  readonly roles: readonly ApplicationRole[];
  readonly products: readonly Product[];
  readonly endedSubscription: ApplicationParts['endedSubscription'];
  /** Origins of the application's front ends, beside FRONTEND_URL. */
  readonly origins: readonly string[];
  readonly resources: readonly Resource[];
  readonly brand: Brand;
  readonly mailTexts: MailOverrides;
  readonly portalTexts: PortalOverrides;
  readonly #roleScopes: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #productScopes: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #scopeNames: ReadonlySet<string>;
  readonly #definition: ApplicationParts;

  /** @param parts those that are on; without them, roles and products lack their scopes */
  constructor(definition: ApplicationParts, parts: OptionalParts = noParts) {
    const { name, scopes, roles, products, endedSubscription, origins, resources, brand, mailTexts, portalTexts } =
      definition;
    this.#definition = definition;
    this.name = name;
    this.scopes = [...builtIn.filter((scope) => isScopeOn(scope.name, parts)), ...scopes];
    this.#scopeNames = new Set(this.scopes.map((scope) => scope.name));
    const existing = <Of extends { readonly scopes: readonly string[] }>(each: Of): Of => ({
      ...each,
      scopes: each.scopes.filter((scope) => this.#scopeNames.has(scope)),
    });
    this.roles = [
      ...Object.entries(builtInRoles).map(([role, own]) => this.#builtInRole(role, own, roles)),
      ...roles.map(existing),
    ].filter(isFirstOfItsName);
    this.products = products.map(existing);
    this.endedSubscription = endedSubscription;
    this.origins = origins;
    this.resources = resources.map(existing);
    this.brand = brand;
    this.mailTexts = mailTexts;
    this.portalTexts = portalTexts;
    this.#roleScopes = new Map(this.roles.map((role) => [role.name, new Set(role.scopes)]));
    this.#productScopes = new Map(this.products.map((product) => [product.name, new Set(product.scopes)]));
  }

  /** The same application with the scopes of these parts of the service. */
  serving(parts: OptionalParts): Application {
    return new Application(this.#definition, parts);
  }

  /** Whether an organization scope of this name exists. */
  hasScope(name: string): boolean {
    return this.#scopeNames.has(name);
  }

  /** Whether the application has this role; rows may hold one that an earlier definition had. */
  hasRole(name: Role): boolean {
    return this.#roleScopes.has(name);
  }

  /** The role as it is shown: MEMBER for one that the application no longer has. It grants nothing then. */
  shownRole(name: Role): Role {
    return this.hasRole(name) ? name : 'MEMBER';
  }

  /** Effective scopes of a membership: those granted both by the role and by the active subscription's product. */
  effectiveScopes(role: Role, subscription: SubscriptionState): readonly string[] {
    const granted = this.planScopes(subscription);
    return [...this.roleScopes(role)].filter((scope) => granted.has(scope));
  }

  /** The scopes that a role grants where the plan does too: none for a role that the application no longer has. */
  roleScopes(role: Role): ReadonlySet<string> {
    return this.#roleScopes.get(role) ?? noScopes;
  }

  /** The scopes that a subscription grants to roles: those of its product, and none while it is not paid for. */
  planScopes({ status, product }: SubscriptionState): ReadonlySet<string> {
    return (isPaidFor(status) ? this.#productScopes.get(product ?? '') : undefined) ?? noScopes;
  }

  rolesGranting(scope: string): readonly Role[] {
    return this.roles.filter(({ scopes }) => scopes.includes(scope)).map(({ name }) => name);
  }

  productsGranting(scope: string): readonly string[] {
    return this.products.filter(({ scopes }) => scopes.includes(scope)).map(({ name }) => name);
  }

  findProduct(name: string | null): Product | null {
    return this.products.find((product) => product.name === name) ?? null;
  }

  /**
   * Whether this caller may give, change, remove and invite a role: the caller's role has all its scopes, whatever the
   * product grants. Only an OWNER without a limit manages owners and roles that are no longer defined.
   */
  mayManage({ role, limitedTo }: RoleManager, other: Role): boolean {
    if (role === 'OWNER' && limitedTo === null) return true;
    const scopes = this.#roleScopes.get(other);
    if (other === 'OWNER' || scopes === undefined) return false;
    const held = limitedTo ?? this.#roleScopes.get(role) ?? new Set();
    return [...scopes].every((scope) => held.has(scope));
  }

  #builtInRole(
    name: Role,
    { title, scopes }: Pick<ApplicationRole, 'title' | 'scopes'>,
    defined: readonly ApplicationRole[],
  ): ApplicationRole {
    const own = defined.find((role) => role.name === name);
    const held = new Set<string>([...scopes, ...(own?.scopes ?? [])]);
    const isHeld = name === 'OWNER' ? () => true : (scope: ApplicationScope) => held.has(scope.name);
    return { name, title: own?.title ?? title, scopes: this.scopes.filter(isHeld).map((scope) => scope.name) };
  }
}

const noParts: OptionalParts = { machineTokens: false, organizationMcp: false };

const noScopes: ReadonlySet<string> = new Set();

const builtIn: readonly ApplicationScope[] = Object.entries(builtInScopes).map(([name, words]) => ({
  name,
  words,
  isBuiltIn: true,
}));

const isFirstOfItsName = ({ name }: ApplicationRole, at: number, all: readonly ApplicationRole[]): boolean =>
  all.findIndex((role) => role.name === name) === at;

/** The application's name, colour and support link. */
export const mailLookOf = ({ name, brand: { color, support } }: Application): MailLook => ({
  ...(color === null ? defaultMailLook : themeOf(color)),
  name,
  supportUrl: support,
});
