/** Messages about organizations: creating and renaming. */

export const newOrganization = {
  title: 'Create an organization',
  lead: 'You become its owner and can invite others. The organizations you belong to already stay as they are.',
  name: 'Name of the organization',
  submit: 'Create organization',
  notSwitchedTitle: '{name} has been created',
  notSwitched: 'Switching to it failed. You can choose it under your organizations.',
  open: 'Open {name}',
} as const;

export const renameOrganization = {
  title: 'Name of the organization',
  lead: 'Every member and every invitation shows it.',
  open: 'Rename',
  name: 'Name',
  submit: 'Save name',
  done: 'The organization is called {name} now.',
} as const;

/** The page that deletes an organization. */
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

export const deletedOrganizations = {
  open: 'Delete this organization',
  title: 'Deleted organizations',
  until: 'Gone for good on {date}',
  restore: 'Restore',
  restoreOne: 'Restore {name}',
  askOwner: 'An owner can restore it until then.',
} as const;
