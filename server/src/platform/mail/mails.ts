/** The mails: what each is filled in with, and how many links it has. Their texts are in `texts/`. */

/**
 * The value of a placeholder: an untrusted text, an e-mail address, the name of the identity provider (null when it is
 * no longer configured), an instant, a number, or one of some choices, which the text selects by.
 */
export type ValueKind = 'text' | 'address' | 'provider' | 'instant' | 'count' | readonly string[];

interface MailFacts {
  readonly values: Readonly<Record<string, ValueKind>>;
  /** Number of links, each with a label: the button, and a less prominent one below it. */
  readonly links: 0 | 1 | 2;
}

const own = { name: 'text', at: 'instant' } as const;
const role = ['OWNER', 'ADMIN', 'MEMBER', 'named', 'none'] as const;
const invitation = { organization: 'text', email: 'address', role, roleTitle: 'text' } as const;
/** An identity that has no address has the `hasEmail` `no`. */
const identity = { ...own, provider: 'provider', email: 'address', hasEmail: ['yes', 'no'] } as const;
const token = { ...own, token: 'text', organization: 'text' } as const;
/** The values of a change that a person made to what belongs to the organization. */
const managed = { ...own, organization: 'text', person: 'text' } as const;
/** A request without a known address has the `hasAddress` `no`. */
const origin = { address: 'text', hasAddress: ['yes', 'no'] } as const;
const expiry = { name: 'text', organization: 'text', until: 'instant', days: 'count' } as const;

export const mails = {
  verification: { values: { at: 'instant' }, links: 2 },
  alreadyRegistered: { values: own, links: 1 },
  alreadyRegisteredChange: { values: own, links: 1 },
  addressKept: { values: { ...own, until: 'instant' }, links: 0 },
  addressKeptChange: { values: { ...own, until: 'instant' }, links: 0 },
  emailChangeConfirmation: { values: { email: 'address', at: 'instant' }, links: 1 },
  emailChangeRequested: { values: { ...own, newEmail: 'address' }, links: 1 },
  emailChanged: { values: { ...own, email: 'address', newEmail: 'address' }, links: 1 },
  emailChangeUndone: { values: own, links: 1 },
  invitation: { values: { ...invitation, inviter: 'text' }, links: 1 },
  invitationByOperator: { values: invitation, links: 1 },
  oneTimeCodesAdded: { values: own, links: 1 },
  oneTimeCodesReplaced: { values: own, links: 1 },
  oneTimeCodesRemoved: { values: own, links: 1 },
  recoveryCodesRenewed: { values: own, links: 1 },
  recoveryCodeUsed: { values: { ...own, left: 'count' }, links: 1 },
  passkeyAdded: { values: { ...own, passkey: 'text' }, links: 1 },
  passkeyRemoved: { values: { ...own, passkey: 'text' }, links: 1 },
  passwordAdded: { values: { ...own, tokens: 'count' }, links: 1 },
  passwordChanged: { values: { ...own, tokens: 'count' }, links: 1 },
  passwordRemoved: { values: { ...own, provider: 'provider' }, links: 1 },
  passwordSetByOperator: { values: own, links: 1 },
  secondFactorRemoved: { values: own, links: 1 },
  identityLinked: { values: identity, links: 1 },
  identityLinkedWithPassword: { values: identity, links: 1 },
  identityLinkedInsteadOfPassword: { values: identity, links: 1 },
  identityLinkedInSession: { values: identity, links: 1 },
  identityUnlinked: { values: { ...identity, way: ['password', 'passkey'] }, links: 1 },
  personalTokenReported: { values: { ...own, token: 'text', organization: 'text' }, links: 1 },
  serviceTokenReported: { values: { ...own, serviceAccount: 'text', organization: 'text' }, links: 1 },
  sessionReported: { values: own, links: 1 },
  endedAfterRestore: { values: { ...own, tokens: 'count' }, links: 1 },
  suspended: { values: own, links: 0 },
  reinstated: { values: own, links: 1 },
  organizationDeleted: { values: { name: 'text', organization: 'text', deleter: 'text', until: 'instant' }, links: 1 },
  personalTokenCreated: { values: { ...token, ...origin, isPending: ['yes', 'no'] }, links: 1 },
  personalTokenRotated: { values: { ...token, ...origin }, links: 1 },
  personalTokenApproved: { values: token, links: 1 },
  personalTokenRefused: { values: token, links: 1 },
  personalTokenWaiting: { values: { ...managed, token: 'text' }, links: 1 },
  personalTokenExpires: { values: { ...expiry, token: 'text' }, links: 1 },
  serviceTokenCreated: { values: { ...managed, account: 'text', ...origin }, links: 1 },
  serviceTokenRotated: { values: { ...managed, account: 'text', ...origin }, links: 1 },
  serviceTokenExpires: { values: { ...expiry, account: 'text' }, links: 1 },
  serviceTokenHolderLeft: { values: { ...managed, accounts: 'text', count: 'count' }, links: 1 },
  serviceTokensEndedAfterRestore: {
    values: { ...own, organization: 'text', accounts: 'text', count: 'count' },
    links: 1,
  },
  serviceAccountScopesAdded: { values: { ...managed, account: 'text', scopes: 'text' }, links: 1 },
  tokenPolicyChanged: { values: managed, links: 1 },
  accountDeleted: { values: own, links: 0 },
} as const satisfies Readonly<Record<string, MailFacts>>;

/** @internal The type of what tests build or receive. */
export type MailKey = keyof typeof mails;

type Mails = typeof mails;

const isMailKey = (key: string): key is MailKey => Object.hasOwn(mails, key);

/** @internal A test runs it alone. */
export const mailKeys: readonly MailKey[] = Object.keys(mails).filter(isMailKey);

type ValueOf<Kind> = Kind extends 'text' | 'address'
  ? string
  : Kind extends 'provider'
    ? string | null
    : Kind extends 'instant'
      ? Date
      : Kind extends 'count'
        ? number
        : Kind extends readonly (infer Choice)[]
          ? Choice
          : never;

export type MailValues<Key extends MailKey> = {
  readonly [Name in keyof Mails[Key]['values']]: ValueOf<Mails[Key]['values'][Name]>;
};

/** URLs of the links, the button first. */
type LinksOf<Count> = Count extends 0 ? readonly [] : Count extends 1 ? readonly [string] : readonly [string, string];

interface MailOf<Key extends MailKey> {
  readonly mail: Key;
  readonly to: string;
  /** Whose accounts decide the language, the first that has one; absent where `to` is the account's address. */
  readonly accounts?: readonly string[];
  readonly values: MailValues<Key>;
  readonly links: LinksOf<Mails[Key]['links']>;
}

/** A mail that is queued: what is said, to which address; the language is chosen when it is queued. */
export type Mail = { readonly [Key in MailKey]: MailOf<Key> }[MailKey];

// The texts, ICU messages.

type LabelsOf<Count> = Count extends 0
  ? unknown
  : Count extends 1
    ? { readonly action: string }
    : { readonly action: string; readonly secondAction: string };

type TextsOf<Key extends MailKey> = {
  readonly subject: string;
  /** Paragraphs, with an empty line between two. */
  readonly body: string;
  /** Small print: what to do when the mail was not expected. */
  readonly remark: string;
} & LabelsOf<Mails[Key]['links']>;

interface SharedTexts {
  /** Begins a mail that has the name of its recipient. */
  readonly greeting: string;
  readonly greetingWithoutName: string;
  /** Before the link where recipients get help. */
  readonly support: string;
  /** Before the address of the button, written out. */
  readonly openAddress: string;
  /** The value of `provider` without a configured one. */
  readonly identityProvider: string;
}

/** All texts of a language: one that is missing is an error of the compiler. */
export type MailTexts = { readonly [Key in MailKey]: TextsOf<Key> } & { readonly shared: SharedTexts };

const sharedValues = {
  greeting: { name: 'text' },
  greetingWithoutName: {},
  support: {},
  openAddress: {},
  identityProvider: {},
} as const satisfies { readonly [Part in keyof SharedTexts]: MailFacts['values'] };

const labels = ['action', 'secondAction'];

/** The values that each text may be filled in with, by its key: `passkeyAdded.subject`. */
export const valuesOfTexts: ReadonlyMap<string, MailFacts['values']> = new Map([
  ...Object.entries(sharedValues).map(([part, values]) => [`shared.${part}`, values] as const),
  ...mailKeys.flatMap((key) =>
    ['subject', 'body', ...labels.slice(0, mails[key].links), 'remark'].map(
      (part) => [`${key}.${part}`, mails[key].values] as const,
    ),
  ),
]);
