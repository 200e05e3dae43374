/**
 * The limits of sites: each counts the same as a limit of networks, for all networks of a site together, where
 * strangers cause rows. Their state is not sent: it would tell what others of the site do.
 */

interface SiteLimit {
  readonly perHour: number;
  readonly burst: number;
  readonly isSliding?: true;
  readonly isShared: true;
}

/** As the contract states a limit: at most so many in any hour. */
const inAnyHour = (most: number): SiteLimit => ({
  perHour: most,
  burst: most,
  isSliding: true,
  isShared: true,
});

/** So that a company, or the customers of a carrier, who share a few addresses of a site have room in it. */
const timesTheNetwork = (times: number, perHour: number, burst: number): SiteLimit => ({
  perHour: times * perHour,
  burst: times * burst,
  isShared: true,
});

export const siteLimits = {
  passkeyOptionsOfSite: {
    name: 'passkey_options_site',
    ...timesTheNetwork(5, 7200, 2000),
    counts: 'challenges for a sign-in with a passkey, from a site',
  },
  signUpOfSite: { name: 'sign_up_site', ...timesTheNetwork(10, 200, 100), counts: 'sign-ups from a site' },
  externalSignInOfSite: {
    name: 'external_sign_in_site',
    ...timesTheNetwork(5, 3600, 1000),
    counts: 'redirects from a site to the identity provider',
  },
  externalExchangeOfSite: {
    name: 'external_exchange_site',
    ...timesTheNetwork(5, 3600, 1000),
    counts: 'exchanges from a site after a sign-in with the identity provider',
  },
  visitorSessionOfSite: {
    name: 'visitor_session_site',
    ...timesTheNetwork(10, 300, 300),
    counts: 'first analytics decisions of browsers on a site',
  },
  visitorDecisionOfSite: {
    name: 'visitor_decision_site',
    ...timesTheNetwork(5, 3600, 1000),
    counts: 'changed or repeated analytics decisions of browsers on a site',
  },
  oauthRegistrationOfSite: {
    name: 'oauth_registration_site',
    ...inAnyHour(600),
    counts: 'registrations of MCP clients from a site',
  },
  oauthAuthorizationOfSite: {
    name: 'oauth_authorization_site',
    ...inAnyHour(1200),
    counts: 'authorization requests from a site, by browsers that are not signed in',
  },
  tokenReportOfSite: { name: 'token_report_site', ...inAnyHour(600), counts: 'reports of leaked tokens from a site' },
} as const;
