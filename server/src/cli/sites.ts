/** Owns the sites of origins: which origins a browser treats as one site, and so sends the session's cookies from. */
import { isIP } from 'node:net';
import type { Config } from '../config/config.ts';
import { registrableDomainOf } from '../config/value-shapes.ts';
import type { Application } from '../domain/scopes/application.ts';
import { isLoopback } from '../kernel/network.ts';
import type { Logger } from '../platform/observability/logger.ts';

/** The registrable domain: the public suffix and one more label. Null when there is none. */
export const siteOf = (hostname: string): string | null => {
  if (isLoopback(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return hostname;
  return registrableDomainOf(hostname);
};

/** Whether a browser treats two origins as one site: by scheme and registrable domain, whatever the port. */
const isSameSite = (one: URL, other: URL): boolean => {
  if (one.protocol !== other.protocol) return false;
  if (one.hostname === other.hostname) return true;
  const site = siteOf(one.hostname);
  return site !== null && site === siteOf(other.hostname);
};

/** Those from whose pages browsers send no cookies (contract/application.md#origins-of-another-site). */
export const originsOfOtherSites = ({ origins }: Pick<Application, 'origins'>, baseUrl: string): string[] =>
  origins.filter((origin) => !isSameSite(new URL(origin), new URL(baseUrl)));

/** Logs each of {@link originsOfOtherSites} as a warning. */
export const warnOfOtherSites = (
  { baseUrl }: Pick<Config, 'baseUrl'>,
  application: Pick<Application, 'origins'>,
  logger: Logger,
): void => {
  for (const origin of originsOfOtherSites(application, baseUrl))
    logger.warn(
      { event: 'application.origin_of_another_site', origin },
      `${origin} is not same-site with BASE_URL, ${baseUrl}, so browsers send no cookies from its pages`,
    );
};
