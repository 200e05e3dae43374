/** Every word the portal shows, in ICU message syntax. Each page's words stand in a file of their own beside this one. */
import { brand, common, failures, fields, roles } from './common.ts';
import { devices, home } from './home.ts';
import { members } from './members.ts';
import { newOrganization } from './organizations.ts';
import { signIn } from './sign-in.ts';
import { checkMail, passwordRules, signUp } from './sign-up.ts';
import { verify } from './verify.ts';

export const messages = {
  brand,
  common,
  roles,
  fields,
  failures,
  passwordRules,
  signIn,
  signUp,
  checkMail,
  verify,
  home,
  devices,
  members,
  newOrganization,
} as const;

// Lets the compiler check every key and placeholder that the pages use.
declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof messages;
  }
}
