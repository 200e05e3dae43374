/**
 * The words that every visitor's first page needs, in ICU message syntax. Each page's words stand in a file of their own
 * beside this one; those of the signed-in part are assembled in signed-in.ts and arrive with its frame, except the many
 * of mcp.ts, which arrive with their page.
 */
import { brand, common, failures, fields, roles } from './common.ts';
import { invitation } from './invitation.ts';
import type { mcp } from './mcp.ts';
import { signIn } from './sign-in.ts';
import { checkMail, passwordRules, signUp } from './sign-up.ts';
import type { signedInMessages } from './signed-in.ts';
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
  invitation,
} as const;

// Lets the compiler check every key and placeholder that the pages use.
declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof messages & typeof signedInMessages & { mcp: typeof mcp };
  }
}
