/** Messages of the pages /organization/security and /organization/delete. */

export const organizationSecurity = {
  title: 'Security of {name}',
  lead: 'How members must sign in before they can use the organization.',
  section: 'Second factor',
  isRequired: 'Required of every member',
  isNotRequired: 'Not required',
  text: 'When it is required, members can do nothing in {name} until they have confirmed with a passkey or a one-time code in their session. They stay signed in: the portal asks them for it, and they can set one up there.',
  require: 'Require a second factor',
  stopRequiring: 'Stop requiring it',
  required: '{name} requires a second factor now.',
  notRequired: '{name} no longer requires a second factor.',
  notAllowed: 'Your role in this organization does not let you change this.',
} as const;

export const deleteOrganization = {
  title: 'Delete {name}',
  lead: 'For seven days an owner can restore it as it was. Then it is gone for good.',
  text: 'Members lose access at once, and invitations stop working. Every owner gets a mail.',
  typeName: 'Type {name} to confirm',
  nameMissing: 'Type the name of the organization.',
  submit: 'Delete the organization',
  notOwner: 'Only an owner can delete an organization.',
  SUBSCRIPTION_ACTIVE: 'The organization has a running plan. End it first, under “Plan”.',
} as const;
