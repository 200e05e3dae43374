/** A person at the browser: signed in to the portal, and approving clients. */

import { createSuperAdminAccount } from '../support/actors/super-admins.ts';
import { addTo, getTenant } from '../support/actors/tenants.ts';
import { csrfTokenIn, organizationIn, PageBrowser } from '../support/clients/authorization.ts';
import { register } from '../support/clients/clients.ts';
import type { Service } from '../support/gatehouse/gatehouse.ts';

export interface Person {
  readonly email: string;
  /** Opens the URL of a client, and allows its request. Returns the redirect of the browser. */
  allow(address: string | URL): Promise<URL>;
  /** The same, and follows the redirect to the client's callback. */
  allowAndReturn(address: string | URL): Promise<void>;
}

export interface Member extends Person {
  /** Has another role from now on. */
  becomes(role: string): Promise<void>;
}

/** A super admin. */
export const newPerson = async (service: Service, scopes?: readonly string[]): Promise<Person> =>
  personAt(service, await createSuperAdminAccount(service, scopes));

/** A member, who has an organization of their own too, and chooses this one on the consent page. */
export const newMemberOf = async (service: Service, organizationId: string, role = 'MEMBER'): Promise<Member> => {
  const email = await register(service);
  const memberId = await addTo(service, (await getTenant(service, email)).userId, organizationId, role);
  return {
    ...(await personAt(service, email, { organizationId })),
    becomes: async (next) => {
      await service.sql('UPDATE organization_members SET role = $2 WHERE id = $1', [memberId, next]);
    },
  };
};

/** @param organizationId chosen where the page is about one; the active one without it */
export const personAt = async (
  service: Pick<Service, 'url'>,
  email: string,
  { organizationId, password }: { readonly organizationId?: string; readonly password?: string } = {},
): Promise<Person> => {
  const browser = new PageBrowser(service);
  await browser.signIn(service, email, password);
  const open = async (path: string) => {
    const page = await browser.get(path);
    const shown = organizationIn(page);
    if (organizationId === undefined || shown === undefined) return page;
    // The person follows the link of the other organization.
    const link = `${path}?organization_id=${organizationId}`;
    if (!page.text.includes(link)) throw new Error(`The page has no link to ${organizationId}: ${page.text}`);
    return browser.get(link);
  };
  const allow: Person['allow'] = async (address) => {
    const { origin, pathname, search } = new URL(address);
    if (origin !== service.url) throw new Error(`The client opens ${origin}, not the service`);
    const path = pathOf(service, (await browser.get(`${pathname}${search}`)).location);
    const page = await open(path);
    const form = { csrf_token: csrfTokenIn(page), decision: 'approve' };
    const organization = organizationIn(page);
    const chosen = organization === undefined ? form : { ...form, organization_id: organization };
    const { location, text } = await browser.post(path, chosen);
    if (location === null) throw new Error(`The answer leads nowhere: ${text}`);
    return new URL(location);
  };
  const allowAndReturn: Person['allowAndReturn'] = async (address) => {
    const response = await fetch(await allow(address));
    if (!response.ok) throw new Error(`The callback of the client answers ${response.status}`);
  };
  return { email, allow, allowAndReturn };
};

const pathOf = ({ url }: Pick<Service, 'url'>, location: string | null): string => {
  if (location?.startsWith(url) !== true) throw new Error(`The client was not let in, but sent to ${location}`);
  return location.slice(url.length);
};
