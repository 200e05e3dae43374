/** A site on this machine with client ID metadata documents, each under a URL that a service may list. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen.ts';

export type DocumentAnswer = (response: ServerResponse, request: IncomingMessage) => void;

export interface DocumentSite {
  /** All URLs of the site, for MCP_CLIENT_METADATA_ALLOW_LIST. */
  readonly allowList: string;
  /** A URL that no other test uses, with this answer. */
  publish(answer?: DocumentAnswer): string;
  /** Replaces the answer of a URL. */
  change(url: string, answer: DocumentAnswer): void;
  /** How often a URL was requested. */
  requests(url: string): number;
  close(): Promise<void>;
}

export const loopbackRedirect = 'http://127.0.0.1/callback';

/** The document of a client that receives codes on the machine of its user. */
export const documentOf = (clientId: string, changes: object = {}): Readonly<Record<string, unknown>> => ({
  client_id: clientId,
  client_name: 'Documented Client',
  redirect_uris: [loopbackRedirect],
  token_endpoint_auth_method: 'none',
  ...changes,
});

const json = { 'content-type': 'application/json' };

/** Answers with any body as JSON. */
export const answering =
  (body: string, headers: object = {}, status = 200): DocumentAnswer =>
  (response) => {
    response.writeHead(status, { ...json, ...headers }).end(body);
  };

const urlsOfSite = 100;

export const startDocumentSite = async (): Promise<DocumentSite> => {
  const answers = new Map<string, DocumentAnswer>();
  const counts = new Map<string, number>();
  let base = '';
  const server = createServer((request, response) => {
    const url = `${base}${request.url ?? ''}`;
    counts.set(url, (counts.get(url) ?? 0) + 1);
    const answer = answers.get(url) ?? ((unknown) => unknown.writeHead(404).end());
    answer(response, request);
  });
  const listening = await listen(server);
  base = listening.url;
  const urls = Array.from({ length: urlsOfSite }, (_, index) => `${base}/clients/${index}.json`);
  let published = 0;
  return {
    allowList: urls.join(','),
    publish: (given) => {
      const url = urls[published];
      if (url === undefined) throw new Error('The site has no more URLs');
      published += 1;
      answers.set(url, given ?? answering(JSON.stringify(documentOf(url))));
      return url;
    },
    change: (url, answer) => answers.set(url, answer),
    requests: (url) => counts.get(url) ?? 0,
    close: listening.close,
  };
};
