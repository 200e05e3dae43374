/**
 * The type of all messages, by namespace. English is in the files beside this one, in ICU syntax; translations are in a
 * folder for each language. What a module shows is loaded with it: see `docs/languages.md`.
 */
export type Messages = typeof import('./account.ts') &
  typeof import('./account-forms.ts') &
  typeof import('./common.ts') &
  typeof import('./connected-clients.ts') &
  typeof import('./consent.ts') &
  typeof import('./console.ts') &
  typeof import('./console-overview.ts') &
  typeof import('./console-sign-ins.ts') &
  typeof import('./email-change.ts') &
  typeof import('./frame.ts') &
  typeof import('./invitation.ts') &
  typeof import('./invite-many.ts') &
  typeof import('./mcp.ts') &
  typeof import('./members.ts') &
  typeof import('./one-time-codes.ts') &
  typeof import('./organization-audit.ts') &
  typeof import('./organization-pages.ts') &
  typeof import('./organization-tokens.ts') &
  typeof import('./organizations.ts') &
  typeof import('./passkeys.ts') &
  typeof import('./password-review.ts') &
  typeof import('./pending-undo.ts') &
  typeof import('./plan.ts') &
  typeof import('./sessions.ts') &
  typeof import('./sign-in.ts') &
  typeof import('./sign-ins.ts') &
  typeof import('./sign-up.ts') &
  typeof import('./step-up.ts') &
  typeof import('./tokens.ts') &
  typeof import('./verify.ts');

// Makes the compiler check every key and placeholder.
declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages;
  }
}
