/** The demo provider's own routes: the question for an account, and its answer. The library serves the rest. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import type { DemoIssuer } from './issuer.ts';
import { overPage, questionPage, styles } from './page.ts';
import { type DemoAccount, offeredPeople } from './people.ts';

export interface Chooser {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export const createChooser = (issuer: DemoIssuer, frontendUrl: string): Chooser => {
  const serve = issuer.provider.callback();
  return {
    answer: async (request, response) => {
      const [, first = ''] = (request.url ?? '').split(/[/?]/);
      if (first === 'pages.css') return answerStyles(response, styles);
      if (first === '') return answerPage(response, 200, overPage(frontendUrl));
      if (first !== 'who') return serve(request, response);
      if (!(await isUnderWay(issuer.provider, request, response)))
        return answerPage(response, 400, overPage(frontendUrl));
      if (request.method !== 'POST') return answerPage(response, 200, questionPage(frontendUrl));
      return finish(issuer, request, response);
    },
  };
};

/** Whether this browser has an unanswered interaction. */
const isUnderWay = async (provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
  try {
    await provider.interactionDetails(request, response);
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'SessionNotFound') return false;
    throw error;
  }
};

const finish = async (
  { provider, know }: DemoIssuer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const form = await readForm(request);
  if (form === null) return answerText(response, 413, 'That is too long.');
  const account = chosen(form);
  const result =
    account === null
      ? { error: 'access_denied', error_description: 'The person cancelled.' }
      : { login: { accountId: know(account) } };
  return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
};

/** The chosen account; null when none was chosen. */
const chosen = (form: URLSearchParams): DemoAccount | null => {
  const choice = form.get('who') ?? '';
  if (choice !== 'typed') return offeredPeople[Number.parseInt(choice, 10)] ?? null;
  return {
    name: (form.get('name') ?? '').trim(),
    email: (form.get('email') ?? '').trim(),
    isVerified: form.has('verified'),
  };
};

const maxFormLength = 20_000;

/** Null when the body is too long. */
const readForm = async (request: IncomingMessage): Promise<URLSearchParams | null> => {
  let text = '';
  for await (const part of request.setEncoding('utf8')) {
    text += String(part);
    if (text.length > maxFormLength) return null;
  }
  return new URLSearchParams(text);
};

// Response headers of the demo provider's pages: no scripts, no framing, no caching.

/** Omits `form-action`, which Chromium also applies to the redirect back to the service. */
const policy = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
};

export const answerPage = (response: ServerResponse, status: number, html: string): void => {
  response.writeHead(status, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(html);
};

export const answerText = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
};

const answerStyles = (response: ServerResponse, styles: string): void => {
  response.writeHead(200, { ...headers, 'content-type': 'text/css; charset=utf-8' }).end(styles);
};
