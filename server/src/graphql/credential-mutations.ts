/**
 * The mutations that mint, consume or check secrets, in one list: each stands alone in its request (contract,
 * "Errors"). A new one belongs here before anywhere else.
 */

/** Whether an access credential is looked at before it runs; if not, no Origin refuses it either. */
const credentialMutations: Readonly<Record<string, { readonly looksAtAccess: boolean }>> = {
  signUpWithPassword: { looksAtAccess: false },
  validateEmail: { looksAtAccess: false },
  resendVerification: { looksAtAccess: false },
  rejectSignUp: { looksAtAccess: false },
  confirmSignUp: { looksAtAccess: false },
  signInWithPassword: { looksAtAccess: false },
  // Checks its own tokens, and the Origin when those come from cookies.
  refreshAccessToken: { looksAtAccess: false },
  // For logged-out callers alone.
  completeInvitedProfile: { looksAtAccess: true },
  // Who is signed in decides whether it is the same person.
  exchangeAuthTokens: { looksAtAccess: true },
  switchOrganization: { looksAtAccess: true },
};

export const loneMutations: ReadonlySet<string> = new Set(Object.keys(credentialMutations));

/** Whether nobody is authenticated for an operation with these root fields. */
export const needsNoActor = (rootFields: readonly string[]): boolean =>
  rootFields.every((field) => credentialMutations[field]?.looksAtAccess === false);
