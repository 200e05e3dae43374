/**
 * Owns: the texts of the server's own pages, one file for each language.
 * Promises: Every language has every text, with the placeholders of the English one.
 *
 * The pages in English, of which the others are translations.
 */
import type { PageTexts } from '../page-texts.ts';

const signedInAs = 'You are signed in as';
const startAgain = 'Go back to your client and start connecting again.';
const notUnderstood = 'This request cannot be understood';

export const texts: PageTexts = {
  consent: {
    title: 'Allow access?',
    heading: 'Allow {client} to act for you?',
    unverified:
      'The client chose this name when it registered; it is not verified. Allow it only if you have just started connecting it yourself.',
    document:
      'A document at {host} describes this client and gives it this name. Allow it only if you have just started connecting it yourself.',
    documentOfLoopback:
      'Your answer goes to a program on this computer, and any program here can use the document of {host} as its own. Go on only if you have just started the connection yourself, in a program that you trust.',
    signedInAs,
    otherAccount: 'Not you? <signOut>Sign out in the portal</signOut>, then connect again from your client.',
    target: 'Your answer goes to',
    localApp: 'An app on this computer',
    scopes: 'It will be able to',
    changes: 'Changes',
    idle: 'These scopes add nothing here: they apply only in the portal',
    narrowed: 'It also requested scopes that you do not hold. It does not get them.',
    time: 'For how long',
    lifetime:
      'For {time} at most. You can end it at any time among <devices>your devices</devices> in the portal, and so can any super admin who may end sessions.',
    refuse: 'Refuse',
    allow: 'Allow',
  },
  scopes: {
    'sessions:revoke': 'Sign any person out, on one device or everywhere',
    'users:suspend': 'Suspend people, so that they cannot sign in, and reinstate them',
    'invitations:manage': 'Send invitations again, and cancel them',
    'mcp:whoami': 'See who you are and what you may do here',
    'sessions:view': 'See who is signed in, since when and from where',
    'users:view': 'Find people, and see their names, e-mail addresses and organizations',
    'organizations:view': 'See every organization, its plan, its members and its open invitations',
    'mcp:access:view': 'See which MCP clients are registered, and when they were last used',
  },
  organization: {
    heading: 'Allow {client} to act for you in {organization}?',
    organization: 'Organization',
    choose: 'Choose another one',
    organizationOnly: 'It gets access to this organization alone. Another one is another connection.',
    resource: 'Access to',
    missing: 'It also asks for these, and does not get them',
    missingRole: 'Your role here, {role}, does not grant this.',
    missingPlan: 'The plan of the organization does not include this.',
    missingPayment: 'The subscription of the organization is not active, so it grants nothing.',
    lifetime:
      'For {time} at most. You can end it at any time among <clients>your connected clients</clients> in the portal. It ends when you leave the organization, and administrators of the organization can end it too.',
    notAccepted:
      '{organization} does not let this client in. An owner or administrator can change that in the portal, among the MCP clients of the organization.',
    nothingHeld: 'You hold none of the scopes in {organization} that this client asks for.',
    secondFactor:
      '{organization} requires a second factor, and you have used none in this session. <confirm>Confirm with one</confirm>, or choose another organization.',
    accountHeading: 'You cannot connect {client} with this account',
    accountLead:
      'This client asks for access to an organization, and the account that is signed in here belongs to none.',
  },
  organizationScopes: {
    MEMBERS_VIEW: 'See who belongs to the organization',
    MEMBERS_INVITE: 'Invite people',
    MEMBERS_UPDATE: 'Change roles',
    MEMBERS_REMOVE: 'Remove people',
    ORGANIZATION_UPDATE: 'Rename the organization',
    BILLING_MANAGE: 'Pay and manage billing',
    TOKENS_MANAGE: 'Manage tokens and service accounts',
    MCP_MANAGE: 'Manage connected MCP clients',
    AUDIT_VIEW: 'See the audit log of the organization',
  },
  account: {
    title: 'Another account is needed',
    heading: 'Only a super admin can connect {client}',
    lead: 'Platform MCP acts on the whole service. The account that is signed in here is not a super admin’s.',
    signedInAs,
    effect:
      'If you use another account, you are signed out of the portal in this browser first. If you cancel, the client is denied access.',
    cancel: 'Cancel',
    other: 'Use another account',
  },
  link: {
    title: 'Link to this account?',
    lead: 'This browser is not signed in with the session that asked for the link. Link the two accounts only if both are yours and you asked for it yourself.',
    identity: 'Your account at {provider}',
    noName: 'An account without a name',
    account: 'The account here',
    otherAddress: 'It has another address than your account at {provider}. If it is not yours, choose “Do not link”.',
    effect: 'If you link them',
    effectText: 'Signing in with {provider} then always opens the account named above.',
    refuse: 'Do not link',
    connect: 'Link',
  },
  failed: {
    title: 'Something went wrong',
    message: 'Something went wrong on our side.',
    advice: 'If it happens again, send this id to the operator of this service: {id}',
  },
  limited: {
    title: 'Too many requests',
    message: 'Too many requests for access came from your network within the last hour.',
    advice: 'Wait {wait}, then go back to your client and start connecting again.',
  },
  unavailable: {
    title: 'Not right now',
    message: 'The service cannot answer at the moment. Please try again shortly.',
    advice: startAgain,
  },
  misread: {
    title: notUnderstood,
    message: 'The request did not come from this page.',
    advice: startAgain,
  },
  malformed: {
    title: notUnderstood,
    message: 'The request of the client does not have the form that it needs.',
    advice: 'The developer of the client has to fix this; you cannot change it here.',
  },
  answered: {
    title: 'This request is already answered',
    message: 'You have already answered this request. Each request is answered once, and the client has your answer.',
    advice: 'Go back to your client. If it is not connected, start connecting again from there.',
  },
  clientUnknown: {
    title: 'This client is not registered here',
    message: 'No client is registered under the id that this one sent.',
    advice: 'Remove this server from your client and add it again, so that it registers again.',
  },
  clientRevoked: {
    title: 'This client may not connect any more',
    message: 'The registration of this client was revoked.',
    advice: 'Remove this server from your client and add it again, or ask a super admin why it was revoked.',
  },
  clientDocument: {
    title: 'This client cannot be identified',
    message: 'The document in which this client describes itself cannot be used.',
    advice:
      'Wait a minute and connect again. If this page comes back, tell the developer of the client what is written below. A super admin finds more among the connections in the portal.',
  },
  redirectUri: {
    title: 'This client cannot be answered',
    message:
      'The redirect URI is not one that this client registered and may use here. Only the port of a loopback address may differ.',
    advice:
      'For its developer: register exactly this redirect URI. Unless it is a loopback address, it must also be in MCP_REDIRECT_ALLOW_LIST of this service.',
  },
  expired: {
    title: 'This request has ended',
    message: 'This request does not exist, or expired after ten minutes.',
    advice: startAgain,
  },
  otherBrowser: {
    title: 'This request belongs to another browser',
    message: 'This request began in another browser, or this browser did not keep its cookie.',
    advice:
      'Answer it in the browser that your client opened, with cookies switched on, or start connecting again from here.',
  },
  otherPage: {
    title: 'Your answer did not count',
    message:
      'This answer did not come from the page of this service, or another person has signed in here since the page was shown.',
    advice: 'Nothing was decided. Open this page again to see the request.',
  },
};
