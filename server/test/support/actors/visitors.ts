/** Visitors of the tests: browsers that decide about analytics. */
import { type Answer, Browser, operations } from '../clients/clients.ts';

export interface Visitor {
  readonly analyticsConsent: boolean | null;
  readonly anonymousId: string | null;
}

export const undecided: Visitor = { analyticsConsent: null, anonymousId: null };
export const refused: Visitor = { analyticsConsent: false, anonymousId: null };

export const decide = async (browser: Browser, analytics: boolean): Promise<Visitor> =>
  visitorIn(await browser.run(operations.recordConsent, { analytics }), 'recordConsent');

export const visitorOf = async (browser: Browser): Promise<Visitor> =>
  visitorIn(await browser.run(operations.visitor), 'visitor');

const visitorIn = (answer: Answer, field: string): Visitor => {
  const visitor = answer.data?.[field];
  if (answer.code !== null || !isVisitor(visitor)) throw new Error(`No visitor in ${answer.status} ${answer.text}`);
  return visitor;
};

const isVisitor = (value: unknown): value is Visitor =>
  typeof value === 'object' && value !== null && 'analyticsConsent' in value && 'anonymousId' in value;

/** Another browser with the same cookies: a tab, or a thief. */
export const copyOf = (service: { readonly url: string }, { cookies }: Pick<Browser, 'cookies'>): Browser => {
  const copy = new Browser(service);
  for (const [name, value] of cookies) copy.cookies.set(name, value);
  return copy;
};
