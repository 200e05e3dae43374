/**
 * Messages that every page needs, in ICU syntax. Each page has a file of its own here, loaded with the page; those of
 * the signed-in part are assembled in signed-in.ts and loaded with its layout, except governance.ts and mcp.ts, which
 * are large and loaded with their pages.
 */
import type { passwordRules, provider } from './account-forms.ts';
import { common, failures, fields, roles } from './common.ts';
import type { consoleMessages } from './console.ts';
import type { overview } from './console-overview.ts';
import type { consoleSignIns, suspension } from './console-sign-ins.ts';
import type { emailChange, emailUndo } from './email-change.ts';
import type { invitation } from './invitation.ts';
import type { inviteMany } from './invite-many.ts';
import type { mcp } from './mcp.ts';
import type { oneTimeCodes, secondFactor } from './one-time-codes.ts';
import type { deleteOrganization, organizationSecurity } from './organization-pages.ts';
import type { passkeys } from './passkeys.ts';
import type { passwordReview } from './password-review.ts';
import type { pendingUndo } from './pending-undo.ts';
import type { sessions } from './sessions.ts';
import type { external, signIn } from './sign-in.ts';
import type { recentSignIns } from './sign-ins.ts';
import type { checkMail, signUp } from './sign-up.ts';
import type { signedInMessages } from './signed-in.ts';
import type { secondFactorNeeded, stepUp } from './step-up.ts';
import type { reject, verify } from './verify.ts';

export const messages = { common, roles, fields, failures } as const;

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
  readonly console: typeof consoleMessages;
  readonly overview: typeof overview;
  readonly consoleSignIns: typeof consoleSignIns;
  readonly suspension: typeof suspension;
  readonly sessions: typeof sessions;
  readonly inviteMany: typeof inviteMany;
  readonly mcp: typeof mcp;
  readonly stepUp: typeof stepUp;
  readonly oneTimeCodes: typeof oneTimeCodes;
  readonly secondFactor: typeof secondFactor;
  readonly emailChange: typeof emailChange;
  readonly emailUndo: typeof emailUndo;
  readonly passkeys: typeof passkeys;
  readonly recentSignIns: typeof recentSignIns;
  readonly passwordReview: typeof passwordReview;
  readonly pendingUndo: typeof pendingUndo;
  readonly deleteOrganization: typeof deleteOrganization;
  readonly organizationSecurity: typeof organizationSecurity;
  readonly secondFactorNeeded: typeof secondFactorNeeded;
}

// Makes the compiler check every key and placeholder.
declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof messages & typeof signedInMessages & PageMessages;
  }
}
