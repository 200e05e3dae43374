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

export const deletedOrganizations = {
  open: 'Delete this organization',
  title: 'Deleted organizations',
  until: 'Gone for good on {date}',
  restore: 'Restore',
  restoreOne: 'Restore {name}',
  askOwner: 'An owner can restore it until then.',
} as const;
