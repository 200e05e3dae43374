/** The page before an identity is linked in a browser without the session that prepared it: what would open what. */
import type { LinkQuestion } from '../../domain/external-identity/link-question.ts';
import { escapeHtml } from '../../platform/mail/message.ts';
import type { Page } from '../oauth/pages.ts';
import { linkQuestionPath } from './addresses.ts';

export interface LinkQuestionFacts extends Pick<LinkQuestion, 'identity' | 'account' | 'isSameAddress'> {
  readonly questionId: string;
  readonly csrfToken: string;
  /** The provider, as people know it. */
  readonly provider: string;
}

export const renderLinkQuestion = ({ questionId, csrfToken, ...facts }: LinkQuestionFacts): Page => ({
  title: 'Link to this account?',
  main: `<h1>Link to this account?</h1>
<p class="soft">This browser is not signed in with the session that asked for the link. Link the two accounts only if both are yours and you asked for it yourself.</p>
<div class="pair">
${renderIdentity(facts)}
${renderAccount(facts)}
</div>
<section aria-labelledby="effect"><h2 id="effect">If you link them</h2>
<p class="soft">Signing in with ${escapeHtml(facts.provider)} then opens the account here that is named above, and no other one.</p>
<form method="post" action="${linkQuestionPath}/${escapeHtml(questionId)}">
<input type="hidden" name="csrf_token" value="${escapeHtml(csrfToken)}">
<button class="refuse" name="decision" value="refuse">Do not link</button>
<button class="allow" name="decision" value="connect">Link</button>
</form></section>`,
});

type Facts = Omit<LinkQuestionFacts, 'questionId' | 'csrfToken'>;

const renderIdentity = ({ identity, provider }: Facts): string => {
  const name = identity.email ?? identity.name;
  return `<section aria-labelledby="identity"><h2 id="identity">Your account at ${escapeHtml(provider)}</h2>
<p class="strong"><bdi>${escapeHtml(name === '' ? 'An account without a name' : name)}</bdi></p></section>`;
};

const renderAccount = ({ account, isSameAddress, provider }: Facts): string =>
  `<section aria-labelledby="account"><h2 id="account">The account here</h2>
<p class="strong"><bdi>${escapeHtml(account)}</bdi></p>
${isSameAddress ? '' : `<p class="soft">It has another address than your account at ${escapeHtml(provider)}. If it is not yours, choose “Do not link”.</p>`}</section>`;
