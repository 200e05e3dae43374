/**
 * Owns every rate limit; docs/limits.md is checked against it. Limits are generous to people: a whole company may share
 * one address, and the portal refreshes by itself.
 */
import { siteLimits } from './site-limits.ts';

export interface RateLimit {
  /** Unique among the limits; sent to clients in the RateLimit header. */
  readonly name: string;
  /** Sustained permits per hour, once the burst is used up. */
  readonly perHour: number;
  /** Permits available at once after a period of rest. */
  readonly burst: number;
  /** No hour has more than the burst, whenever it begins: a permit is available again an hour after it was taken. */
  readonly isSliding?: true;
  /** The action that takes a permit and the subject it is counted for, in words for the operator. */
  readonly counts: string;
  /** Its state is sent only where it refuses: unrelated clients share it, or nearly every answer would have it. */
  readonly isShared?: true;
}

/** As the contract states a limit: at most so many in any hour. */
const inAnyHour = (most: number) => ({ perHour: most, burst: most, isSliding: true }) as const;

export const rateLimits = {
  signIn: { name: 'sign_in', perHour: 7200, burst: 2000, counts: 'sign-ins from a network' },
  signInFailures: {
    name: 'sign_in_failures',
    perHour: 400,
    burst: 200,
    counts:
      'failed sign-ins from a network, to any accounts; excludes browsers that the owner signed in with in the last 30 days',
  },
  signInAccount: {
    name: 'sign_in_account',
    perHour: 20,
    burst: 10,
    counts:
      'failed sign-ins to an address, with or without an account, from one network, or from one browser that its owner signed in with in the last 30 days, on any network',
  },
  signInEverywhere: {
    name: 'sign_in_everywhere',
    perHour: 60,
    burst: 100,
    counts:
      'failed sign-ins to an address, from all networks together; excludes browsers and networks that its owner signed in from in the last 30 days',
    isShared: true,
  },
  /** Recovery codes and passkeys are not counted: the owner can sign in with them while a stranger guesses. */
  oneTimeCode: {
    name: 'one_time_code',
    ...inAnyHour(10),
    counts: 'wrong one-time codes of a person, from all networks together',
    isShared: true,
  },
  /** Apart from those of a sign-in: the app that is being set up shows its code to a person who is signed in. */
  oneTimeCodeSetUp: {
    name: 'one_time_code_set_up',
    perHour: 20,
    burst: 10,
    counts: 'wrong one-time codes of a signed-in person who sets up an authenticator app',
  },
  /** Each is a row that is kept for five minutes. */
  passkeyOptions: {
    name: 'passkey_options',
    perHour: 7200,
    burst: 2000,
    counts: 'challenges for a sign-in with a passkey, from a network',
  },
  passkeyOptionsOfUser: {
    name: 'passkey_options_user',
    perHour: 120,
    burst: 60,
    counts: 'challenges for a passkey of a signed-in person',
  },
  passkey: { name: 'passkey', perHour: 7200, burst: 2000, counts: 'uses of a passkey from a network' },
  passkeyFailures: {
    name: 'passkey_failures',
    perHour: 400,
    burst: 200,
    counts: 'failed uses of a passkey from a network, of any accounts',
  },
  passkeyAccount: {
    name: 'passkey_account',
    perHour: 20,
    burst: 10,
    counts: 'failed uses of the passkeys of an account from one network',
  },
  signUp: { name: 'sign_up', perHour: 200, burst: 100, counts: 'sign-ups from a network' },
  signUpMailbox: {
    name: 'sign_up_mailbox',
    perHour: 6,
    burst: 12,
    counts: 'sign-ups for a mailbox from one network; addresses that differ only in dots or `+tag` are one mailbox',
    isShared: true,
  },
  /** Bounds the mails that a peer with many networks can send to one mailbox. */
  signUpMailboxWide: {
    name: 'sign_up_mailbox_wide',
    perHour: 60,
    burst: 120,
    counts: 'sign-ups for a mailbox from one IPv4 /24 or one IPv6 /48',
    isShared: true,
  },
  validateEmail: {
    name: 'validate_email',
    perHour: 1200,
    burst: 300,
    counts: 'confirmations of addresses from a network',
  },
  /** The page of a link makes one request when it is opened, before the user confirms or rejects. */
  verificationLink: {
    name: 'verification_link',
    perHour: 3600,
    burst: 600,
    counts: 'reads of verification links from a network',
  },
  rejectSignUp: { name: 'reject_sign_up', perHour: 1200, burst: 300, counts: 'rejections of sign-ups from a network' },
  resendVerification: {
    name: 'resend_verification',
    perHour: 200,
    burst: 100,
    counts: 'requests from a network for another verification mail',
  },
  resendVerificationMailbox: {
    name: 'resend_verification_mailbox',
    perHour: 6,
    burst: 12,
    counts: 'requests from one network for another verification mail to a mailbox, however its address is written',
    isShared: true,
  },
  emailChange: { name: 'email_change', perHour: 10, burst: 10, counts: 'changes of address that a person requests' },
  /** Per mailbox, for all people together; the same for a known and an unknown address. */
  emailChangeTo: {
    name: 'email_change_to',
    perHour: 6,
    burst: 12,
    counts:
      'mails to a mailbox for a requested change of address, for all people together and however its address is written',
    isShared: true,
  },
  emailChangeLink: {
    name: 'email_change_link',
    perHour: 1200,
    burst: 300,
    counts: 'uses of links that confirm or undo a change of address, from a network',
  },
  refresh: { name: 'refresh', perHour: 36_000, burst: 5000, counts: 'session refreshes from a network' },
  /** More than any person or script of theirs needs. What ends access is not counted: it is how others end a flood. */
  mutation: { name: 'mutation', perHour: 18_000, burst: 1000, counts: 'mutations of a person', isShared: true },
  switchOrganization: {
    name: 'switch_organization',
    perHour: 600,
    burst: 100,
    counts: 'organization switches of a person',
  },
  externalExchange: {
    name: 'external_exchange',
    perHour: 3600,
    burst: 1000,
    counts: 'exchanges from a network after a sign-in with the identity provider',
  },
  invitationPreview: {
    name: 'invitation_preview',
    perHour: 3600,
    burst: 600,
    counts: 'invitation previews from a network',
  },
  invitationAccept: {
    name: 'invitation_accept',
    perHour: 200,
    burst: 100,
    counts: 'invitations that a person accepts',
  },
  invitationComplete: {
    name: 'invitation_complete',
    perHour: 200,
    burst: 100,
    counts: 'profiles completed from a network',
  },
  /** Per mailbox, for all inviters together; the same for a known and an unknown address. */
  invitationTo: {
    name: 'invitation_to',
    perHour: 6,
    burst: 20,
    counts: 'invitation mails to a mailbox, from all inviters together and however its address is written',
    isShared: true,
  },
  /** Allows for a user who invites a whole company. */
  invitationFrom: { name: 'invitation_from', perHour: 200, burst: 1000, counts: 'invitation mails from a person' },
  /** Each checks up to two hundred addresses, and can be a dry run that sends none of the mails above. */
  invitationList: {
    name: 'invitation_list',
    perHour: 60,
    burst: 30,
    counts: 'lists of addresses that a person invites, dry runs included',
  },
  dataExport: { name: 'data_export', perHour: 6, burst: 3, counts: 'exports of what is kept of a person' },
  /** Each reads up to 10,000 rows. */
  auditExport: { name: 'audit_export', perHour: 60, burst: 20, counts: 'exports of an audit by a person' },
  /** Each but a service account mails up to 50 people. A person may have 50 live tokens in an organization. */
  tokenIssue: {
    name: 'token_issue',
    perHour: 60,
    burst: 60,
    counts:
      'tokens and service accounts that a person creates, tokens that they rotate, and their changes of the policy for tokens',
  },
  /** Each mails every owner. */
  organizationDeletion: {
    name: 'organization_deletion',
    perHour: 3,
    burst: 5,
    counts: 'deletions of an organization, also of one that was restored',
  },
  organization: { name: 'organization', perHour: 10, burst: 50, counts: 'organizations created by a person' },
  /** Each permit is a session at the provider. */
  checkout: { name: 'checkout', perHour: 10, burst: 5, counts: 'checkouts of an organization' },
  billingPortal: {
    name: 'billing_portal',
    perHour: 10,
    burst: 5,
    counts: 'billing portal sessions of an organization',
  },
  externalSignIn: {
    name: 'external_sign_in',
    perHour: 3600,
    burst: 1000,
    counts: 'redirects from a network to the identity provider',
  },
  /** Frequent attempts have a cause that another attempt does not fix. */
  externalLink: {
    name: 'external_link',
    perHour: 20,
    burst: 10,
    counts: 'attempts of a person to link an external identity',
  },
  /** Unauthenticated clients can begin sessions, and each is kept for thirty days. */
  visitorSession: {
    name: 'visitor_session',
    perHour: 300,
    burst: 300,
    counts: 'first analytics decisions of browsers on a network',
  },
  visitorDecision: {
    name: 'visitor_decision',
    perHour: 3600,
    burst: 1000,
    counts: 'changed or repeated analytics decisions of browsers on a network',
  },
  /** Each registration is a row that is kept for 30 days. */
  oauthRegistration: {
    name: 'oauth_registration',
    ...inAnyHour(60),
    counts: 'registrations of MCP clients from a network',
  },
  /** Each request is a row that is kept for a day. */
  oauthAuthorization: {
    name: 'oauth_authorization',
    ...inAnyHour(120),
    counts: 'authorization requests from a network, by browsers that are not signed in',
  },
  oauthAuthorizationOfUser: {
    name: 'oauth_authorization_user',
    perHour: 600,
    burst: 120,
    counts: 'authorization requests of a signed-in user',
  },
  oauthToken: { name: 'oauth_token', perHour: 36_000, burst: 5000, counts: 'token requests from a network' },
  introspectionRefused: {
    name: 'introspection_refused',
    perHour: 3600,
    burst: 600,
    counts: 'requests to `/auth/introspect` from a network with a name or secret that is not accepted',
  },
  /** Each live token of a report is a row until it is worked off. */
  tokenReport: { name: 'token_report', ...inAnyHour(60), counts: 'reports of leaked tokens from a network' },
  oauthRevocation: { name: 'oauth_revocation', perHour: 3600, burst: 1000, counts: 'token revocations from a network' },
  mcp: { name: 'mcp', perHour: 7200, burst: 600, counts: 'messages to `/mcp` or `/mcp/organization` in a session' },
  mcpRefused: {
    name: 'mcp_refused',
    perHour: 3600,
    burst: 600,
    counts: 'requests to `/mcp` or `/mcp/organization` from a network with a token that is not accepted',
  },
  ...siteLimits,
} as const satisfies Readonly<Record<string, RateLimit>>;
