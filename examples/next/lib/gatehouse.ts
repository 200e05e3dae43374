/** The client of the pages' scripts, once. */
import { createClient } from '@gatehouse/client';
import { gatehouseUrl, ownUrl, portalUrl } from './addresses';

export const gatehouse = createClient({ baseUrl: gatehouseUrl, frontendUrl: portalUrl, origins: [ownUrl] });
