/** The hostile issuer as a correct one with many accounts, without the pages of the real issuer. */
import { randomBytes } from 'node:crypto';
import { newAddress } from '../clients/clients.ts';
import type { PageAnswer } from '../clients/cookie-jar.ts';
import type { ProviderBrowser } from '../clients/provider-browser.ts';
import { type HostileIssuer, startHostileIssuer } from './hostile-issuer.ts';
import type { Json } from './id-tokens.ts';

export interface IssuerOfPeople
  extends Pick<HostileIssuer, 'issuer' | 'clientId' | 'clientSecret' | 'environment' | 'close'> {
  /** Subject → claims. A change counts from the next sign-in on. */
  readonly people: Map<string, Json>;
  /** A person with a verified address and a name, unless the changes say otherwise; returns the subject. */
  newPerson(changes?: Json): string;
  /** From a URL of the service through the issuer, up to the callback, which is not opened; returns its URL. */
  signIn(browser: ProviderBrowser, startUrl: string, subject: string): Promise<string>;
  /** The same, and the answer of the callback, not followed. */
  comeBack(browser: ProviderBrowser, startUrl: string, subject: string): Promise<PageAnswer>;
  /** Declines at the issuer and stops before the callback; returns its URL. */
  cancel(browser: ProviderBrowser, startUrl: string): Promise<string>;
}

export const startIssuerOfPeople = async (): Promise<IssuerOfPeople> => {
  const issuer = await startHostileIssuer();
  const people = new Map<string, Json>();
  /** By the nonce of the attempt. */
  const chosen = new Map<unknown, string>();
  issuer.behave({
    claims: (good) => {
      const subject = chosen.get(good['nonce']) ?? issuer.subject;
      return { ...good, ...people.get(subject), sub: subject };
    },
  });
  const leave = async (browser: ProviderBrowser, startUrl: string): Promise<string> => {
    const away = await browser.follow(startUrl, ({ href }) => href.startsWith(`${issuer.issuer}/authorize?`));
    if (typeof away !== 'string') throw new Error(`Not at the issuer: ${JSON.stringify(away)}`);
    return away;
  };
  const signIn = async (browser: ProviderBrowser, startUrl: string, subject: string): Promise<string> => {
    const away = await leave(browser, startUrl);
    chosen.set(new URL(away).searchParams.get('nonce'), subject);
    return issuer.authorize(away);
  };
  return {
    ...issuer,
    people,
    newPerson: (changes = {}) => {
      const subject = randomBytes(12).toString('hex');
      people.set(subject, { email: newAddress(), email_verified: true, name: 'Person at the Provider', ...changes });
      return subject;
    },
    signIn,
    comeBack: async (browser, startUrl, subject) => browser.get(await signIn(browser, startUrl, subject)),
    cancel: async (browser, startUrl) => {
      const callback = new URL(issuer.authorize(await leave(browser, startUrl)));
      callback.searchParams.delete('code');
      callback.searchParams.set('error', 'access_denied');
      return callback.href;
    },
  };
};
