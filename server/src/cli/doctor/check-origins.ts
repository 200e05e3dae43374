/** Doctor check of the origins: whether a browser will return the session cookies that it is given. */
import type { Config } from '../../config/config.ts';
import { isPublicSuffix } from '../../config/value-shapes.ts';
import type { Application } from '../../domain/scopes/application.ts';
import { present } from '../../kernel/collections.ts';
import { isLoopback } from '../../kernel/network.ts';
import { originsOfOtherSites, siteOf } from '../sites.ts';
import { type Finding, findingsOn } from './findings.ts';

const { ok, warning, error } = findingsOn('origins');

type Origins = Pick<Config, 'baseUrl' | 'frontendUrl' | 'authCookieDomain' | 'sessionCookieDomain' | 'isHardened'>;

/** @param application its own front ends are checked too */
export const checkOrigins = (config: Origins, application: Pick<Application, 'origins'>): Finding[] => {
  const found = present(
    schemeFinding(config),
    publicSuffixFinding('AUTH_COOKIE_DOMAIN', config.authCookieDomain, 'people do not stay signed in'),
    publicSuffixFinding('SESSION_COOKIE_DOMAIN', config.sessionCookieDomain, 'sign-in with an identity provider fails'),
    pairFinding(config),
    ...frontEndFindings(config, application),
  );
  return found.length > 0 ? found : [ok('Browsers accept the cookies of both origins and send them back.')];
};

const schemeFinding = ({ baseUrl, frontendUrl, isHardened }: Origins): Finding | null => {
  const [base, frontend] = [new URL(baseUrl), new URL(frontendUrl)];
  if (base.protocol !== frontend.protocol)
    return error(
      'One of BASE_URL and FRONTEND_URL is https and the other is not, so browsers do not send the cookies to one of them.',
      'Use https for both.',
    );
  const isLocal = isLoopback(base.hostname);
  if (base.protocol === 'http:' && !isLocal)
    return warning(
      'BASE_URL is http on another machine: passwords and tokens travel unencrypted, and MCP clients refuse it.',
      'Put a proxy with TLS in front and set BASE_URL and FRONTEND_URL to its https address.',
    );
  return isHardened && isLocal
    ? warning(
        'BASE_URL names this machine, so links in mails work only on this machine.',
        'Set BASE_URL to the address that people use.',
      )
    : null;
};

const publicSuffixFinding = (variable: string, value: string | undefined, consequence: string): Finding | null => {
  const domain = value?.replace(/^\./, '').toLowerCase();
  if (domain === undefined || !isPublicSuffix(domain)) return null;
  return error(
    `${variable} is ${domain}, a public suffix, so browsers refuse the cookies and ${consequence}.`,
    `Set ${variable} to the nearest parent that both origins share and that is yours, such as example.com.`,
  );
};

const pairFinding = ({ baseUrl, frontendUrl, authCookieDomain }: Origins): Finding | null => {
  const [base, frontend] = [new URL(baseUrl).hostname, new URL(frontendUrl).hostname];
  if (base === frontend) return null;
  if (isLoopback(base) && isLoopback(frontend) && siteOf(base) !== siteOf(frontend))
    return error(
      'BASE_URL and FRONTEND_URL name this machine in two ways, which are two sites to a browser, so people do not stay signed in.',
      'Use localhost in both, or 127.0.0.1 in both.',
    );
  const shared = siteOf(base);
  if (shared === null || shared !== siteOf(frontend))
    return error(
      'BASE_URL and FRONTEND_URL share no domain that is yours, so browsers never send the cookies to the portal.',
      'Give both a host below one domain, such as api.example.com and app.example.com, and set AUTH_COOKIE_DOMAIN to it.',
    );
  return authCookieDomain === undefined
    ? warning(
        'BASE_URL and FRONTEND_URL are two hosts and AUTH_COOKIE_DOMAIN is not set, so only BASE_URL gets the cookies: requests that the host of FRONTEND_URL passes on, such as /auth, are not signed in.',
        `Set AUTH_COOKIE_DOMAIN to ${shared}.`,
      )
    : null;
};

const frontEndFindings = ({ baseUrl }: Origins, application: Pick<Application, 'origins'>): Finding[] =>
  originsOfOtherSites(application, baseUrl).map((origin) =>
    warning(
      `${origin}, of the application's origins, is not same-site with BASE_URL, so browsers send no cookies from its pages.`,
      `Serve it with the scheme of ${baseUrl} and below the same domain, or let its back end present the token as a Bearer.`,
    ),
  );
