/** The words of the signed-in part, beside those that every page has. */
import { consent } from './consent.ts';
import { frame, noOrganization, switcher } from './frame.ts';
import { governance } from './governance.ts';
import { devices, home, ways } from './home.ts';
import { invite, memberDeeds, members, membersWithheld } from './members.ts';
import { newOrganization, renameOrganization } from './organizations.ts';
import { passwordReview } from './password-review.ts';
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
