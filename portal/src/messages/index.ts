/**
 * The words that every page needs, in ICU message syntax. Each page's words stand in a file of their own beside this one
 * and arrive with the page; those of the signed-in part are assembled in signed-in.ts and arrive with its frame, except
 * the many of mcp.ts.
 */
import type { passwordRules, provider } from './account-forms.ts';
import { brand, common, failures, fields, roles } from './common.ts';
import type { invitation } from './invitation.ts';
import type { mcp } from './mcp.ts';
import type { external, signIn } from './sign-in.ts';
import type { checkMail, signUp } from './sign-up.ts';
import type { signedInMessages } from './signed-in.ts';
import type { reject, verify } from './verify.ts';

export const messages = { brand, common, roles, fields, failures } as const;

interface PageMessages {
  readonly passwordRules: typeof passwordRules;
  readonly provider: typeof provider;
  readonly signIn: typeof signIn;
  readonly external: typeof external;
  readonly signUp: typeof signUp;
  readonly checkMail: typeof checkMail;
  readonly verify: typeof verify;
  readonly reject: typeof reject;
  readonly invitation: typeof invitation;
  readonly mcp: typeof mcp;
}

// Lets the compiler check every key and placeholder that the pages use.
declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof messages & typeof signedInMessages & PageMessages;
  }
}
