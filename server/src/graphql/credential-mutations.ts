/** The mutations that mint, consume or check secrets: which they are, and whether they look at who sends them. */
import type { guards } from './guards.ts';

/**
 * Mutations that mint, consume or check secrets; each must be alone in its request
 * (contract/requests.md#mutations-that-stand-alone). `looksAtAccess` is whether an access credential is checked before
 * the mutation runs; if not, no Origin check applies either.
 */
const credentialMutations: Readonly<Partial<Record<keyof typeof guards, { readonly looksAtAccess: boolean }>>> = {
  signUpWithPassword: { looksAtAccess: false },
  validateEmail: { looksAtAccess: false },
  resendVerification: { looksAtAccess: false },
  rejectSignUp: { looksAtAccess: false },
  undoEmailChange: { looksAtAccess: false },
  confirmSignUp: { looksAtAccess: false },
  signInWithPassword: { looksAtAccess: false },
  completeSecondFactor: { looksAtAccess: false },
  signInWithPasskey: { looksAtAccess: false },
  // Checks its own tokens, and the Origin when those come from cookies.
  refreshAccessToken: { looksAtAccess: false },
  // For logged-out callers only.
  completeInvitedProfile: { looksAtAccess: true },
  // Depends on whether the signed-in person is the same one.
  exchangeAuthTokens: { looksAtAccess: true },
  switchOrganization: { looksAtAccess: true },
  changePassword: { looksAtAccess: true },
  reauthenticate: { looksAtAccess: true },
  confirmTotp: { looksAtAccess: true },
  createPersonalToken: { looksAtAccess: true },
  createServiceToken: { looksAtAccess: true },
  rotateToken: { looksAtAccess: true },
};

export const loneMutations: ReadonlySet<string> = new Set(Object.keys(credentialMutations));

const signIns: ReadonlySet<string> = new Set<keyof typeof guards>([
  'signInWithPassword',
  'completeSecondFactor',
  'signInWithPasskeyOptions',
  'signInWithPasskey',
  'exchangeAuthTokens',
  'refreshAccessToken',
]);

const withoutActor: ReadonlySet<string> = new Set(
  Object.entries(credentialMutations).flatMap(([name, { looksAtAccess }]) => (looksAtAccess ? [] : [name])),
);

/**
 * What an operation with these root fields knows of its sender: whether it needs the actor, without whom it runs
 * unauthenticated, and whether it does nothing but sign a person in, or keep them signed in.
 */
export const senderOf = (
  rootFields: readonly string[],
): { readonly needsActor: boolean; readonly signsIn: boolean } => ({
  needsActor: !rootFields.every((field) => withoutActor.has(field)),
  signsIn: rootFields.every((field) => signIns.has(field)),
});
