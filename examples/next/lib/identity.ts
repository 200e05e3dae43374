/** Who makes a request, on the server. Gatehouse is asked each time. */
import { type Actor, createIdentity, isRefusal } from '@gatehouse/node';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { gatehouseUrl, ownUrl, portalUrl } from './addresses';
import { pageHeader } from './page-header';

export const identity = createIdentity({ baseUrl: gatehouseUrl, frontendUrl: portalUrl, frontends: [ownUrl] });

/**
 * The actor of a page. Without a session, or with an expired one, the browser is sent to the portal, which signs in or
 * renews, and leads back here.
 */
export const requireActor = async (): Promise<Actor> => {
  const received = await headers();
  const request = { method: 'GET', url: received.get(pageHeader) ?? '', headers: received };
  try {
    return await identity.resolveActor(request);
  } catch (error) {
    if (isRefusal(error) && error.status === 401) redirect(identity.signInRedirect(request));
    throw error;
  }
};
