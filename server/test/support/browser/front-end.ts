/** A front end of an adopter: a page at an origin of its own, which loads `@gatehouse/client` and nothing else. */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import type { Client } from '../../../../packages/client/src/index.ts';
import { listen } from '../servers/listen.ts';
import type { Visitor } from './visitors.ts';

/** What the page offers to its tests. */
interface OfPage {
  readonly client: Client;
  /** Events of the session, oldest first. */
  readonly events: readonly string[];
  /** Every status that the session had, oldest first. */
  readonly statuses: readonly string[];
}

declare global {
  var frontEnd: OfPage;
}

export interface FrontEnd {
  /** Its origin. */
  readonly url: string;
  close(): Promise<void>;
}

const bundleClient = async (): Promise<string> => {
  const input = fileURLToPath(new URL('../../../../packages/client/src/index.ts', import.meta.url));
  await using bundle = await rolldown({ input });
  const { output } = await bundle.generate({ format: 'es', codeSplitting: false });
  return output[0].code;
};

const html = `<!doctype html><html lang="en"><title>Front end</title><h1>Front end</h1><p></p>
<script type="module" src="/page.js"></script>`;

const script = (baseUrl: string): string => `
import { createClient } from '/client.js';
const client = createClient({ baseUrl: '${baseUrl}' });
const events = [];
const statuses = [];
for (const name of ['signedIn', 'signedOut', 'switched', 'expired']) client.session.on(name, () => events.push(name));
const show = () => {
  const state = client.session.state();
  document.querySelector('p').textContent = state.status === 'signedIn' ? state.user.email : state.status;
};
client.session.subscribe(() => {
  statuses.push(client.session.state().status);
  show();
});
globalThis.frontEnd = { client, events, statuses };
await client.session.open();
`;

/** @param baseUrl of the service, read at the first request: the service needs the front end's origin to start */
export const startFrontEnd = async (baseUrl: () => string): Promise<FrontEnd> => {
  const client = await bundleClient();
  const files: Readonly<Record<string, () => readonly [type: string, content: string]>> = {
    '/': () => ['text/html', html],
    '/page.js': () => ['text/javascript', script(baseUrl())],
    '/client.js': () => ['text/javascript', client],
  };
  const server = createServer((request, response) => {
    const [type, content] = files[request.url ?? '']?.() ?? ['text/plain', ''];
    response.writeHead(200, { 'content-type': type }).end(content);
  });
  const { url, close } = await listen(server);
  return { url, close };
};

/** Tabs with the front end, each of which knows who is signed in; the visitor's first tab stays as it is. */
export const openTabs = (visitor: Visitor, { url }: FrontEnd, count: number, shown: string): Promise<readonly Page[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const tab = await visitor.newTab();
      await tab.goto(url);
      await shows(tab, shown);
      return tab;
    }),
  );

/** Resolves when the page shows the address of a person, or another status than signed in. */
export const shows = (tab: Page, shown: string): Promise<void> =>
  tab.locator('p').getByText(shown, { exact: true }).waitFor();

/** As when the person comes back to the tab. */
export const becomeVisible = (tab: Page): Promise<unknown> =>
  tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

export const eventsOf = (tab: Page): Promise<readonly string[]> => tab.evaluate(() => frontEnd.events);

export const statusesOf = (tab: Page): Promise<readonly string[]> => tab.evaluate(() => frontEnd.statuses);

/** One request of the person, by either function of the client. @returns the id in the answer, or the refusal's code */
export const ask = (tab: Page, by: 'fetch' | 'graphql', baseUrl: string): Promise<string> =>
  tab.evaluate(
    async ([way, url]) => {
      const { client } = frontEnd;
      const query = 'query Ask { me { id } }';
      interface Answer {
        readonly me: { readonly id: string };
      }
      if (way === 'graphql') {
        return client.graphql<Answer, Record<string, never>>(query).then(
          ({ me }) => me.id,
          (error: unknown) => (error as { readonly code: string }).code,
        );
      }
      const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json' };
      const response = await client.fetch(`${url}/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
      });
      const answer = (await response.json()) as {
        readonly data?: Answer;
        readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
      };
      return answer.data?.me.id ?? answer.errors?.[0]?.extensions.code ?? 'no answer';
    },
    [by, baseUrl] as const,
  );
