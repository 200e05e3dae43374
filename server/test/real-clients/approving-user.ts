/** The super admin at the browser: signed in to the portal, and approving clients. */

import { createSuperAdminAccount } from '../support/actors/super-admins.ts';
import { csrfTokenIn, PageBrowser } from '../support/clients/authorization.ts';
import type { Service } from '../support/gatehouse/gatehouse.ts';

export interface Person {
  readonly email: string;
  /** Opens the URL of a client, and allows its request. Returns the redirect of the browser. */
  allow(address: string | URL): Promise<URL>;
  /** The same, and follows the redirect to the client's callback. */
  allowAndReturn(address: string | URL): Promise<void>;
}

export const newPerson = async (service: Service, scopes?: readonly string[]): Promise<Person> => {
  const email = await createSuperAdminAccount(service, scopes);
  const browser = new PageBrowser(service);
  await browser.signIn(service, email);
  const allow: Person['allow'] = async (address) => {
    const { origin, pathname, search } = new URL(address);
    if (origin !== service.url) throw new Error(`The client opens ${origin}, not the service`);
    const page = pathOf(service, (await browser.get(`${pathname}${search}`)).location);
    const consent = await browser.get(page);
    const form = { csrf_token: csrfTokenIn(consent), ...organizationIn(consent.text), decision: 'approve' };
    const { location, text } = await browser.post(page, form);
    if (location === null) throw new Error(`The answer leads nowhere: ${text}`);
    return new URL(location);
  };
  const allowAndReturn: Person['allowAndReturn'] = async (address) => {
    const response = await fetch(await allow(address));
    if (!response.ok) throw new Error(`The callback of the client answers ${response.status}`);
  };
  return { email, allow, allowAndReturn };
};

/** The field of a consent that is for an organization. */
const organizationIn = (text: string): Readonly<Record<string, string>> => {
  const id = /name="organization_id" value="([^"]+)"/.exec(text)?.[1];
  return id === undefined ? {} : { organization_id: id };
};

const pathOf = ({ url }: Pick<Service, 'url'>, location: string | null): string => {
  if (location?.startsWith(url) !== true) throw new Error(`The client was not let in, but sent to ${location}`);
  return location.slice(url.length);
};
