/** The address of the sign-in page that leads back to a page. */
import type { ReadRequest } from './incoming-request.ts';

export interface Places {
  /** Origin of the sign-in page. */
  readonly portal: string;
  /** Origins whose pages may be named. */
  readonly origins: readonly string[];
}

/** Longer ones are not followed by the portal. */
const maximumLength = 2048;

/** The page of a request is named only at an origin that the caller listed: the Host of a request is its client's. */
export const signInPage = ({ portal, origins }: Places, request: ReadRequest): string => {
  const page = `${portal}/signin`;
  const back = pageOf(request, origins);
  return back === null || back.length > maximumLength ? page : `${page}?redirect=${encodeURIComponent(back)}`;
};

const pageOf = ({ url, header }: ReadRequest, origins: readonly string[]): string | null => {
  const asked = /^https?:\/\//.test(url) && URL.canParse(url) ? new URL(url) : null;
  const path = asked === null ? url : `${asked.pathname}${asked.search}`;
  if (!path.startsWith('/')) return null;
  const hosts = [header('x-forwarded-host'), header('host'), asked?.host].flatMap((host) => host ?? []);
  const origin = hosts.flatMap((host) => origins.find((each) => new URL(each).host === host) ?? [])[0];
  // Resolved as text: a path that begins with two slashes names no other host.
  return origin === undefined ? null : `${origin}${path}`;
};
