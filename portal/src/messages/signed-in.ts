/** Messages of the signed-in part, in addition to those of index.ts. */
import { accountPages, devices, emailSection, home, ownAccount, ownData, signInMethods } from './account.ts';
import { consent } from './consent.ts';
import { frame, lists, noOrganization, switcher } from './frame.ts';
import { invite, memberActions, members, membersForbidden } from './members.ts';
import { deletedOrganizations, newOrganization, renameOrganization } from './organizations.ts';
import { plan } from './plan.ts';

export const signedInMessages = {
  frame,
  lists,
  switcher,
  noOrganization,
  home,
  accountPages,
  ownAccount,
  emailSection,
  ownData,
  signInMethods,
  devices,
  members,
  memberActions,
  invite,
  membersForbidden,
  deletedOrganizations,
  newOrganization,
  renameOrganization,
  plan,
  consent,
} as const;
