/** The demo provider's own routes: the question for an account, and its answer. The library serves the rest. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { answerPage, answerStyles, answerText, readForm } from './frame.ts';
import type { DemoIssuer } from './issuer.ts';
import { overPage, questionPage } from './page.ts';
import { type DemoAccount, offeredPeople } from './people.ts';

export interface Chooser {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export const createChooser = (issuer: DemoIssuer, frontendUrl: string): Chooser => {
  const serve = issuer.provider.callback();
  return {
    answer: async (request, response) => {
      const [, first = ''] = (request.url ?? '').split(/[/?]/);
      if (first === 'pages.css') return answerStyles(response);
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

const chosen = (form: URLSearchParams): DemoAccount | null => {
  const choice = form.get('who') ?? '';
  if (choice !== 'typed') return offeredPeople[Number.parseInt(choice, 10)] ?? null;
  return {
    name: (form.get('name') ?? '').trim(),
    email: (form.get('email') ?? '').trim(),
    isVerified: form.has('verified'),
  };
};
