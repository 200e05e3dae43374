/** What the server writes into the page for this installation: see the meta elements of index.html. */

export interface PageSettings {
  /** The API's origin, empty when it is the portal's own. */
  readonly apiOrigin: string;
  /** Address of the development mailbox, where there is one. */
  readonly mailbox: string | undefined;
  /** Whether plans can be bought and changed: the server has a key of the payment provider. */
  readonly hasBilling: boolean;
  /** Address of Platform MCP, where it is switched on. */
  readonly mcpUrl: string | undefined;
  /** Whether visitors are asked about analytics. */
  readonly asksConsent: boolean;
  /** The outside provider that one can sign in with, where there is one. */
  readonly providerName: string | undefined;
}

export const readPageSettings = (page: Document): PageSettings => {
  const apiOrigin = content(page, 'gatehouse-api').replace(/\/+$/, '');
  const mailbox = content(page, 'gatehouse-mailbox');
  return {
    apiOrigin,
    mailbox: mailbox === '' ? undefined : new URL(mailbox, apiOrigin || page.baseURI).href,
    hasBilling: content(page, 'gatehouse-billing') !== '',
    mcpUrl: content(page, 'gatehouse-mcp') || undefined,
    asksConsent: content(page, 'gatehouse-consent') === 'ask',
    providerName: content(page, 'gatehouse-provider') || undefined,
  };
};

const content = (page: Document, name: string): string =>
  page.querySelector(`meta[name="${name}"]`)?.getAttribute('content')?.trim() ?? '';
