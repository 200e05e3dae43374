/** Messages of /plan: the subscription, what it permits, and the payment provider. */

export const plan = {
  title: 'Plan',
  lead: 'What {organization} subscribes to, and what that lets its people do.',
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
      'The organization has no plan, so what only a plan allows is not available. Accounts, sign-in and invitations received stay as they are.',
  },
  ACTIVE: {
    badge: 'Active',
    meaning: 'Everyone can do what the plan includes, as far as their role allows.',
  },
  TRIALING: {
    badge: 'On trial',
    meaning: 'During the trial everyone can do what the plan includes, as far as their role allows.',
  },
  PAST_DUE: {
    badge: 'Payment overdue',
    meaning:
      'A payment did not arrive. What the plan allows rests until it is paid; everyone keeps their account and their role.',
  },
  CANCELED: {
    badge: 'Ended',
    meaning: 'The plan has ended, and with it what it allowed. Everyone keeps their account and their role.',
  },
  change: {
    manage: 'Manage billing',
    manageLead: 'Payment method, invoices and cancellation are with the payment provider.',
    subscribe: 'Subscribe',
    subscribeTo: 'Subscribe to {product}',
    choose: 'Choose a plan below. You pay with the payment provider and come back here.',
    awaited: 'We are waiting for word from the payment provider.',
    noOther: 'There is no other plan to choose at the moment.',
    askOwner: 'Owners of {organization} can change the plan. Ask one of them.',
    askOperator: 'Plans are not sold on this page. To change yours, ask the people who run this service.',
    notForSale: 'This plan cannot be bought right now. Ask the people who run this service.',
    nothingPaid: 'The payment provider knows of no payment for this organization yet. Choose a plan first.',
  },
  checkout: {
    done: {
      title: 'The payment page is done',
      text: 'The plan changes here as soon as the payment provider tells us.',
    },
    cancelled: { title: 'You left the payment page', text: 'Nothing has been bought, and the plan is as it was.' },
    reload: 'Look again',
  },
  allowed: {
    title: 'What you may do',
    lead: {
      OWNER: 'Your role and the plan decide together. You are an owner of {organization}.',
      ADMIN: 'Your role and the plan decide together. You are an administrator of {organization}.',
      MEMBER: 'Your role and the plan decide together. You are a member of {organization}.',
    },
    granted: 'allowed',
    forbidden: 'not allowed',
    denialReasons: {
      notActive: 'No plan is running.',
      notIncluded: 'The plan does not include it.',
      role: 'Your role does not include it.',
    },
    reasons: 'Why',
  },
  products: {
    title: 'What each plan includes',
    lead: 'For those whose role allows it.',
    current: 'Current plan',
    nothing: 'Nothing beyond an account',
  },
  scopes: {
    MEMBERS_VIEW: 'See who belongs to the organization',
    MEMBERS_INVITE: 'Invite people',
    MEMBERS_UPDATE: 'Change the role of people',
    MEMBERS_REMOVE: 'Remove people',
    ORGANIZATION_UPDATE: 'Rename the organization',
    BILLING_MANAGE: 'Look after billing',
  },
} as const;
