/** Where everything is; inlined in the scripts of pages, so they are set when those are built. */
export const gatehouseUrl = process.env.NEXT_PUBLIC_GATEHOUSE_URL ?? 'http://localhost:4000';
export const portalUrl = process.env.NEXT_PUBLIC_GATEHOUSE_FRONTEND_URL ?? gatehouseUrl;
export const ownUrl = process.env.NEXT_PUBLIC_OWN_URL ?? 'http://localhost:3000';
