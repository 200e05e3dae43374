/**
 * The limits of sites, in the table of limits: each counts the same as a limit of networks, for all networks of a site
 * together, where strangers cause rows. Their state is not sent: it would tell what others of the site do.
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

export const siteLimits = {
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
  tokenReportOfSite: {
    name: 'token_report_site',
    ...inAnyHour(600),
    counts: 'reports of leaked tokens from a site',
  },
} as const;
