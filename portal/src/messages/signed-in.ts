/** The words of the signed-in part, beside those that every page has. */
import { devices, home, ways } from './account.ts';
import { consent } from './consent.ts';
import { frame, noOrganization, passwordReview, switcher } from './frame.ts';
import { governance } from './governance.ts';
import { invite, memberDeeds, members, membersWithheld } from './members.ts';
import { newOrganization, renameOrganization } from './organizations.ts';
import { plan } from './plan.ts';

export const signedInMessages = {
  frame,
  switcher,
  noOrganization,
  home,
  ways,
  devices,
  members,
  memberDeeds,
  invite,
  membersWithheld,
  newOrganization,
  renameOrganization,
  plan,
  governance,
  passwordReview,
  consent,
} as const;
