/** Printed from the schema of a definition by `npm run schema:print`; do not edit by hand. */

/** The definition of your application. Every field is optional; docs/application.md has the rules. */
export interface ApplicationDefinition {
  /** Name of the application, as people see it. Default: 'Gatehouse'. */
  readonly name?: string;
  /** Scopes of an organization, each with words for people. */
  readonly scopes?: Readonly<Record<string, string>>;
  /** Roles beside OWNER, ADMIN and MEMBER, and scopes of your own for ADMIN and MEMBER. */
  readonly roles?: Readonly<Record<string, RoleDefinition>>;
  /** What an organization can subscribe to. Default: free, which grants every scope. */
  readonly products?: Readonly<Record<string, ProductDefinition>>;
  /** What an ended subscription leaves: nothing, or the product DEFAULT_PRODUCT. Default: 'DENY'. */
  readonly endedSubscription?: 'DENY' | 'DEFAULT_PRODUCT';
  /** Origins of the application's own front ends, beside FRONTEND_URL. */
  readonly origins?: readonly string[];
  /** APIs that may introspect tokens. */
  readonly resources?: Readonly<Record<string, ResourceDefinition>>;
  /** How portal, mails and consent page look. */
  readonly brand?: BrandDefinition;
  /** Texts of your own, by language: en, de, … */
  readonly messages?: Readonly<Record<string, MessagesDefinition>>;
}

export interface RoleDefinition {
  /** The role in words. Required for a role of your own. */
  readonly title?: string;
  /** Scopes that the role holds; of ADMIN and MEMBER, those beside the built-in ones. */
  readonly scopes: readonly string[];
}

export interface ProductDefinition {
  /** The product in words. Default: its name. */
  readonly title?: string;
  /** Scopes of your own that the product grants; '*' is all. */
  readonly scopes?: '*' | readonly string[];
  /** Built-in scopes that the product does not grant. */
  readonly without?: readonly string[];
  /** Number of seats. Default: no limit. */
  readonly members?: number;
  /** Look-up key of the price at Stripe. Default: the product's name. */
  readonly stripe?: string;
}

export interface ResourceDefinition {
  /** Identifier of the resource: the audience of its tokens. */
  readonly url: string;
  /** Scopes that tokens for it can have. */
  readonly scopes: readonly string[];
  /** Whether machine tokens are active there. Default: false. */
  readonly machineTokens?: boolean;
}

export interface BrandDefinition {
  /** Path of an SVG, PNG, JPEG or WebP file, relative to this file. */
  readonly logo?: string;
  /** #rrggbb, readable on white. */
  readonly color?: string;
  /** https: or mailto: link. */
  readonly support?: string;
  /** https: link. */
  readonly terms?: string;
  /** https: link. */
  readonly privacy?: string;
}

export interface MessagesDefinition {
  /** Texts of mails by their keys, as in passkeyAdded.subject (docs/mails.md): ICU messages. */
  readonly mails?: Readonly<Record<string, string>>;
  /** Texts of the portal by their keys, as in signIn.title (docs/languages.md): ICU messages. */
  readonly portal?: Readonly<Record<string, string>>;
}
