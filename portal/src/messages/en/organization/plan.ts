/** Messages of /plan: the subscription, what it permits, and the payment provider. */

export const plan = {
  title: 'Plan',
  lead: 'The plan of {organization}, and what its members can do with it.',
  current: {
    title: 'Current plan',
    none: 'No plan',
    unnamed: 'A plan without a name',
    trialEnds: 'The trial ends on {date}.',
    trialEnded: 'The trial ended on {date}.',
    periodEnds: 'The current period ends on {date}.',
    periodEnded: 'The last period ended on {date}.',
  },
  NONE: {
    badge: 'Not subscribed',
    meaning:
      'The organization has no plan, so features that need a plan are not available. Accounts, sign-in and received invitations still work.',
  },
  ACTIVE: {
    badge: 'Active',
    meaning: 'Members can do what the plan includes and their role allows.',
  },
  TRIALING: {
    badge: 'On trial',
    meaning: 'During the trial, members can do what the plan includes and their role allows.',
  },
  PAST_DUE: {
    badge: 'Payment overdue',
    meaning:
      'A payment is overdue. The features of the plan are not available until it is paid. Members keep their accounts and roles.',
  },
  CANCELED: {
    badge: 'Ended',
    meaning: 'The plan has ended, so its features are not available. Members keep their accounts and roles.',
  },
  change: {
    manage: 'Manage billing',
    manageLead: 'Manage payment method, invoices and cancellation at the payment provider.',
    subscribe: 'Subscribe',
    subscribeTo: 'Subscribe to {product}',
    choose: 'Choose a plan below. You pay at the payment provider and then return here.',
    awaited: 'We are waiting for confirmation from the payment provider.',
    noOther: 'There is no other plan to choose at the moment.',
    askOwner: 'Owners of {organization} can change the plan. Ask one of them.',
    askOperator: 'Plans cannot be changed on this page. To change yours, contact the operator of this service.',
    notForSale: 'This plan cannot be bought right now. Contact the operator of this service.',
    nothingPaid: 'This organization has not paid for a plan yet. Choose a plan first.',
  },
  checkout: {
    done: {
      title: 'You completed the payment page',
      text: 'The plan changes here as soon as the payment provider confirms the payment.',
    },
    cancelled: {
      title: 'You left the payment page',
      text: 'You have not bought anything, and the plan has not changed.',
    },
    reload: 'Refresh',
  },
  allowed: {
    title: 'What you may do',
    lead: {
      OWNER: 'Your role and the plan decide together. You are an owner of {organization}.',
      ADMIN: 'Your role and the plan decide together. You are an administrator of {organization}.',
      MEMBER: 'Your role and the plan decide together. You are a member of {organization}.',
      other: 'Your role and the plan decide together. Your role in {organization} is {role}.',
    },
    granted: 'allowed',
    forbidden: 'not allowed',
    denialReasons: {
      notActive: 'No plan is active.',
      notIncluded: 'The plan does not include it.',
      role: 'Your role does not include it.',
    },
    reasons: 'Why',
  },
  products: {
    title: 'What each plan includes',
    lead: 'For members whose role allows it.',
    current: 'Current plan',
    nothing: 'Only an account',
    members: '{count, plural, one {up to # member} other {up to # members}}',
  },
  scopes: {
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
} as const;
