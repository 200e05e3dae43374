/**
 * Owns: the language of the server's own pages below /auth, their texts in each language, and how they are filled in.
 * Promises: Whatever a text is filled in with is escaped, and isolated from the direction of the text around it.
 *
 * The texts themselves are in `texts/`, one file for each language.
 */

/**
 * An untrusted text, the id of a request, or a number of seconds, written in the largest unit with a count of at least
 * two; `link` is a tag around the words of a link, `<signOut>…</signOut>`.
 */
type ValueKind = 'text' | 'id' | 'duration' | 'link';

export type ValuesOfText = Readonly<Record<string, ValueKind>>;

/** A page that tells what went wrong: title, the error, and what to do about it. */
const fault = { title: {}, message: {}, advice: {} } as const;

const pages = {
  consent: {
    title: {},
    heading: { client: 'text' },
    unverified: {},
    document: { host: 'text' },
    documentOfLoopback: { host: 'text' },
    signedInAs: {},
    otherAccount: { signOut: 'link' },
    target: {},
    localApp: {},
    scopes: {},
    changes: {},
    idle: {},
    narrowed: {},
    time: {},
    lifetime: { time: 'duration', devices: 'link' },
    refuse: {},
    allow: {},
  },
  /** The effect of each scope for a client; those that are left out matter in the portal alone. */
  scopes: {
    'sessions:revoke': {},
    'users:suspend': {},
    'invitations:manage': {},
    'mcp:whoami': {},
    'sessions:view': {},
    'users:view': {},
    'organizations:view': {},
    'mcp:access:view': {},
  },
  /** The question about one organization, where it differs from the one about Platform MCP. */
  organization: {
    heading: { client: 'text', organization: 'text' },
    organization: {},
    choose: {},
    organizationOnly: {},
    resource: {},
    missing: {},
    missingRole: { role: 'text' },
    missingPlan: {},
    missingPayment: {},
    lifetime: { time: 'duration', clients: 'link' },
    notAccepted: { organization: 'text' },
    nothingHeld: { organization: 'text' },
    secondFactor: { organization: 'text', confirm: 'link' },
    accountHeading: { client: 'text' },
    accountLead: {},
  },
  /** Built-in scopes of an organization; the application has words for its own. */
  organizationScopes: {
    MEMBERS_VIEW: {},
    MEMBERS_INVITE: {},
    MEMBERS_UPDATE: {},
    MEMBERS_REMOVE: {},
    ORGANIZATION_UPDATE: {},
    BILLING_MANAGE: {},
    TOKENS_MANAGE: {},
    MCP_MANAGE: {},
    AUDIT_VIEW: {},
  },
  /** The page for a person who is not a super admin. */
  account: {
    title: {},
    heading: { client: 'text' },
    lead: {},
    signedInAs: {},
    effect: {},
    cancel: {},
    other: {},
  },
  /** The question whether to link an identity. */
  link: {
    title: {},
    lead: {},
    identity: { provider: 'text' },
    noName: {},
    account: {},
    otherAddress: { provider: 'text' },
    effect: {},
    effectText: { provider: 'text' },
    refuse: {},
    connect: {},
  },
  failed: { ...fault, advice: { id: 'id' } },
  limited: { ...fault, advice: { wait: 'duration' } },
  unavailable: fault,
  misread: fault,
  malformed: fault,
  answered: fault,
  clientUnknown: fault,
  clientRevoked: fault,
  clientDocument: fault,
  redirectUri: fault,
  expired: fault,
  otherBrowser: fault,
  otherPage: fault,
} as const satisfies Readonly<Record<string, Readonly<Record<string, ValuesOfText>>>>;

type Pages = typeof pages;
export type PageKey = keyof Pages;

/** All texts of a language: one that is missing is an error of the compiler. */
export type PageTexts = {
  readonly [Key in PageKey]: { readonly [Part in keyof Pages[Key]]: string };
};

/** A link is filled in with its URL. */
type ValueOf<Kind> = Kind extends 'duration' ? number : string;

export type PageValues<Key extends PageKey, Part extends keyof Pages[Key]> = {
  readonly [Name in keyof Pages[Key][Part]]: ValueOf<Pages[Key][Part][Name]>;
};

export type PagePart<Key extends PageKey> = keyof Pages[Key] & keyof PageTexts[Key] & string;

/** The values that each text is filled in with, by its key: `consent.heading`. */
export const valuesOfPageTexts: ReadonlyMap<string, ValuesOfText> = new Map(
  Object.entries<Readonly<Record<string, ValuesOfText>>>(pages).flatMap(([key, parts]) =>
    Object.entries(parts).map(([part, values]) => [`${key}.${part}`, values] as const),
  ),
);
