/** The pages about the external provider, in every state with a different look; page-states.ts has the others. */
import type { Page, Route } from 'playwright-core';
import { answerInstead, button, heading } from '../browser.ts';
import { operationOf } from '../visitors.ts';
import { type Show, unavailable } from './page-states.ts';

/** A provider that is never opened: its button is on the pages nevertheless. */
export const providerEnvironment = {
  GOOGLE_CLIENT_ID: 'client-of-the-pages',
  GOOGLE_CLIENT_SECRET: 'secret-of-the-pages',
  GOOGLE_ISSUER: 'http://127.0.0.1:1',
} as const;

const id = '01890a5d-ac96-774b-bcce-b302099a8057';

/** The sign-in page with this result of the server. */
const refused =
  (code: string, words: string): Show =>
  async (page) => {
    await page.goto(`/signin?error=${code}&id=${id}`);
    await page.getByText(words).waitFor();
  };

const linked = { email: 'a-person-with-quite-a-long-name@mail.example.com', linkedAt: '2026-02-03T10:00:00.000Z' };

interface Ways {
  readonly hasPassword: boolean;
  readonly externalIdentity: typeof linked | null;
}

/** The account page of a user with these sign-in methods, up to the text. */
const accountWith = async (page: Page, ways: Ways, words: string, path = '/account'): Promise<void> => {
  const restore = await answerInstead(page, 'FetchSignInMethods', {
    status: 200,
    headers: { 'content-type': 'application/graphql-response+json' },
    body: JSON.stringify({ data: { me: { id, ...ways }, mySecondFactor: { passkeys: 0 } } }),
  });
  await page.goto(path);
  await page.getByText(words).waitFor();
  await restore();
};

export const providerVisitorStates: Readonly<Record<string, Show>> = {
  'sign-in, cancelled at the provider': refused('PROVIDER_CANCELLED', 'You cancelled at Google.'),
  'sign-in, address not verified at the provider': refused('EMAIL_UNVERIFIED', 'is not confirmed at Google yet'),
  'sign-in, account already exists': refused('ACCOUNT_EXISTS', 'There is an account with this address already.'),
  'sign-in, wrong answer of the provider': refused('PROVIDER_REFUSED', 'was not valid'),
  'sign-in, secret used': async (page) => {
    await page.goto('/signin?oauth_exchange=1');
    await page.getByText('Signing in took too long').waitFor();
  },
  'sign-in, unfinished': async (page) => {
    const restore = await answerInstead(page, 'ExchangeAuthTokens', unavailable);
    await page.goto('/signin?oauth_exchange=1');
    await page.getByText('Not available right now').waitFor();
    await restore();
  },
};

export const providerPersonStates: Readonly<Record<string, Show>> = {
  'another person at the provider': async (page) => {
    await page.goto('/signin?error=ACCOUNT_MISMATCH');
    await heading(page, 'You are signed in already').waitFor();
  },
  'link refused': refused('IDENTITY_TAKEN', 'is connected to another account here'),
  'link cancelled at the provider': refused('PROVIDER_CANCELLED', 'You cancelled at Google.'),
  'account, provider just connected': (page) =>
    accountWith(
      page,
      { hasPassword: true, externalIdentity: linked },
      'Google is connected.',
      '/account?external=linked',
    ),
  'account, provider is the last sign-in method': (page) =>
    accountWith(page, { hasPassword: false, externalIdentity: linked }, 'You cannot disconnect it'),
  'disconnect the provider?': async (page) => {
    await accountWith(page, { hasPassword: true, externalIdentity: linked }, 'Connected as');
    await button(page, 'Disconnect Google').click();
    await page.getByRole('alertdialog').waitFor();
  },
  'home, password from before the link in question': async (page) => {
    const answer = async (route: Route): Promise<void> => {
      if (operationOf(route.request()) !== 'FetchMe') return route.fallback();
      const response = await route.fetch();
      const body = (await response.text()).replace('"hasPasswordToReview":false', '"hasPasswordToReview":true');
      return route.fulfill({ response, body });
    };
    await page.route('**/graphql', answer);
    await page.goto('/');
    await page.getByRole('region', { name: 'Did you set the password of this account?' }).waitFor();
    await page.unroute('**/graphql', answer);
  },
  'account, sign-in methods unavailable': async (page) => {
    const restore = await answerInstead(page, 'FetchSignInMethods', unavailable);
    await page.goto('/account');
    await page.getByText('Not available right now').waitFor();
    await restore();
  },
};
