/**
 * Shows addresses with their domains in their own letters (IDNA): in the answers of the service, where they are in
 * ASCII, so that every page has them, and what a person sends is turned back there. The rule is loaded for an answer
 * with such a domain alone.
 */

/** A text of JSON that is an address with such a domain. */
const address = /"([^"\\\s@]+@[^"\\\s@]*xn--[^"\\\s@]*)"/g;

export const withShownAddresses =
  (ask: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (...request) => {
    const response = await ask(...request);
    // A body that cannot be read is the caller's to report.
    const text = await response
      .clone()
      .text()
      .catch(() => '');
    if (!text.includes('xn--')) return response;
    const { shownAddress } = await import('../../../server/src/kernel/shown-address.ts');
    const { status, statusText, headers } = response;
    const shown = text.replaceAll(address, (_whole, email: string) => JSON.stringify(shownAddress(email)));
    return new Response(shown, { status, statusText, headers });
  };
