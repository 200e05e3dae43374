/** Set by proxy.ts: a server component is not told the address of its page. */
export const pageHeader = 'x-page';
