/**
 * The type of all messages, by namespace. Each language has a folder, with folders by subject, in ICU syntax; English is
 * the source. What a module shows is loaded with it: see `docs/languages.md`.
 */
export type Messages = typeof import('./en/account/account.ts') &
  typeof import('./en/account/email-change.ts') &
  typeof import('./en/account/one-time-codes.ts') &
  typeof import('./en/account/passkeys.ts') &
  typeof import('./en/account/sign-ins.ts') &
  typeof import('./en/organization/invitation.ts') &
  typeof import('./en/organization/invite-many.ts') &
  typeof import('./en/organization/members.ts') &
  typeof import('./en/organization/organization-audit.ts') &
  typeof import('./en/organization/organization-pages.ts') &
  typeof import('./en/organization/organization-tokens.ts') &
  typeof import('./en/organization/organizations.ts') &
  typeof import('./en/organization/plan.ts') &
  typeof import('./en/platform/console-overview.ts') &
  typeof import('./en/platform/console-sign-ins.ts') &
  typeof import('./en/platform/console.ts') &
  typeof import('./en/platform/mcp.ts') &
  typeof import('./en/platform/sessions.ts') &
  typeof import('./en/shared/common.ts') &
  typeof import('./en/shared/connected-clients.ts') &
  typeof import('./en/shared/consent.ts') &
  typeof import('./en/shared/frame.ts') &
  typeof import('./en/shared/tokens.ts') &
  typeof import('./en/sign-in/account-forms.ts') &
  typeof import('./en/sign-in/password-review.ts') &
  typeof import('./en/sign-in/pending-undo.ts') &
  typeof import('./en/sign-in/sign-in.ts') &
  typeof import('./en/sign-in/sign-up.ts') &
  typeof import('./en/sign-in/step-up.ts') &
  typeof import('./en/sign-in/verify.ts');

// Makes the compiler check every key and placeholder.
declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages;
  }
}
