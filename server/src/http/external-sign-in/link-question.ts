/**
 * `GET` and `POST /auth/google/link/:questionId`: asks before an identity is linked in a browser without the session
 * that prepared the link. The answer is accepted once, in the browser that was asked, from this page alone.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../../domain/access/deps.ts';
import {
  findLinkQuestion,
  type LinkIdentityDeps,
  type LinkQuestion,
  linkConfirmedIdentity,
  takeLinkQuestion,
} from '../../domain/external-sign-in/link-identity.ts';
import { type HelperCookieSettings, readHelperSession } from '../../http-kit/helper-session.ts';
import { type FrontEndSettings, requirePortalOrigin } from '../../http-kit/origins.ts';
import type { BodyBudget } from '../../http-kit/request-bodies.ts';
import { onlyValue, type Parameters, readForm, takeTexts } from '../../http-kit/request-content.ts';
import { externalRefusal, Refusal } from '../../kernel/errors.ts';
import { escapeHtml } from '../../platform/mail/message.ts';
import { mountStylesheet, type Page, sendPage, stylesheets } from '../oauth/pages.ts';
import { wordsFor } from '../pages/page-language.ts';
import type { Words } from '../pages/words.ts';
import { tokensIn } from './callback.ts';
import { linkQuestionPath, type RefusalDeps, withRefusals } from './refusals.ts';

export interface LinkQuestionDeps
  extends LinkIdentityDeps,
    Deps<'application' | 'keyring' | 'helperSessions' | 'provider'>,
    RefusalDeps {
  /** Memory budget for unauthenticated bodies. */
  readonly bodies: BodyBudget;
  readonly settings: RefusalDeps['settings'] & LinkIdentityDeps['settings'] & HelperCookieSettings & FrontEndSettings;
}

type QuestionRequest = FastifyRequest<{ Params: { questionId: string } }>;

const path = `${linkQuestionPath}/:questionId`;
const maxBytes = 8 * 1024;

/** @param scope a scope of these routes alone: forms are read as text */
export const mountLinkQuestion = (scope: FastifyInstance, deps: LinkQuestionDeps): void => {
  takeTexts(scope, deps.bodies, maxBytes);
  mountStylesheet(scope, stylesheets.external);
  mountPage(scope, deps);
  mountAnswer(scope, deps);
};

const mountPage = (scope: FastifyInstance, deps: LinkQuestionDeps): void => {
  scope.get<{ Params: { questionId: string } }>(path, { exposeHeadRoute: false }, (request, reply) =>
    withRefusals(deps, request, reply, null, async () => {
      const sessionId = sessionOf(deps, request);
      const { questionId } = request.params;
      const question = open(await findLinkQuestion(deps, sessionId, questionId));
      const csrfToken = deps.keyring.mac(csrfPurpose, csrfText(sessionId, questionId));
      // With no-referrer the browser would send the form with `Origin: null`, which is refused.
      reply.header('referrer-policy', 'same-origin');
      // Whose account it is, is asked here: the language is that of the browser.
      const words = await wordsFor(request, null);
      const page = renderLinkQuestion(words, {
        ...question,
        questionId,
        csrfToken,
        provider: deps.provider.displayName,
      });
      return sendPage(deps, reply, 200, page, stylesheets.external);
    }),
  );
};

const mountAnswer = (scope: FastifyInstance, deps: LinkQuestionDeps): void => {
  scope.post<{ Params: { questionId: string } }>(path, (request, reply) => {
    requirePortalOrigin(request, deps.settings);
    const work = async () => reply.redirect(`${deps.settings.frontendUrl}${await answer(deps, request)}`, 303);
    return withRefusals(deps, request, reply, null, work, 303);
  });
};

/**
 * @returns the path to redirect to
 * @throws Refusal LINK_DECLINED, ATTEMPT_OVER, and the codes of {@link linkConfirmedIdentity}
 * @throws Refusal ORIGIN_REFUSED, BAD_USER_INPUT: before the question is consumed
 */
const answer = async (deps: LinkQuestionDeps, request: QuestionRequest): Promise<string> => {
  const form = readForm(request);
  if (form === null) throw new Refusal('BAD_USER_INPUT', 'The answer did not come as a form.');
  const sessionId = sessionOf(deps, request);
  const { questionId } = request.params;
  if (!deps.keyring.isMac(csrfPurpose, csrfText(sessionId, questionId), onlyValue(form, 'csrf_token') ?? ''))
    throw new Refusal('ORIGIN_REFUSED', 'This answer did not come from the page that asks.');
  const isYes = readDecision(form);
  const { target, identity, redirect } = open(await takeLinkQuestion(deps, sessionId, questionId));
  if (!isYes) throw externalRefusal('LINK_DECLINED');
  await linkConfirmedIdentity(deps, { ...target, presentedTokens: tokensIn(request) }, identity);
  return redirect ?? '/';
};

const sessionOf = ({ settings, keyring }: LinkQuestionDeps, request: QuestionRequest): string => {
  const sessionId = readHelperSession(request, settings, keyring);
  if (sessionId === null) throw externalRefusal('ATTEMPT_OVER', 'no_helper_session');
  return sessionId;
};

const open = (question: LinkQuestion | null): LinkQuestion => {
  if (question === null) throw externalRefusal('ATTEMPT_OVER', 'link_question_unknown');
  return question;
};

const csrfPurpose = 'external link question';

/** Binds the CSRF token to this question in this browser. */
const csrfText = (sessionId: string, questionId: string): string => `${sessionId} ${questionId}`;

const readDecision = (form: Parameters): boolean => {
  const decision = onlyValue(form, 'decision');
  if (decision === 'connect' || decision === 'refuse') return decision === 'connect';
  throw new Refusal('BAD_USER_INPUT', 'The answer was neither “Link” nor “Do not link”.');
};

// The confirmation page: names the identity and the account that it would open.

interface LinkQuestionDetails extends Pick<LinkQuestion, 'identity' | 'account' | 'isSameAddress'> {
  readonly questionId: string;
  readonly csrfToken: string;
  /** The provider's display name. */
  readonly provider: string;
}

const renderLinkQuestion = (words: Words, { questionId, csrfToken, ...details }: LinkQuestionDetails): Page => {
  const { language, say } = words;
  return {
    language,
    title: say('link', 'title'),
    main: `<h1>${say('link', 'title')}</h1>
<p class="soft">${say('link', 'lead')}</p>
<div class="pair">
${renderIdentity(words, details)}
${renderAccount(words, details)}
</div>
<section aria-labelledby="effect"><h2 id="effect">${say('link', 'effect')}</h2>
<p class="soft">${say('link', 'effectText', { provider: details.provider })}</p>
<form method="post" action="${linkQuestionPath}/${escapeHtml(questionId)}">
<input type="hidden" name="csrf_token" value="${escapeHtml(csrfToken)}">
<button class="refuse" name="decision" value="refuse">${say('link', 'refuse')}</button>
<button class="allow" name="decision" value="connect">${say('link', 'connect')}</button>
</form></section>`,
  };
};

type ShownDetails = Omit<LinkQuestionDetails, 'questionId' | 'csrfToken'>;

const renderIdentity = ({ say }: Words, { identity, provider }: ShownDetails): string => {
  const name = identity.email ?? identity.name;
  return `<section aria-labelledby="identity"><h2 id="identity">${say('link', 'identity', { provider })}</h2>
<p class="strong">${name === '' ? say('link', 'noName') : `<bdi>${escapeHtml(name)}</bdi>`}</p></section>`;
};

const renderAccount = ({ say }: Words, { account, isSameAddress, provider }: ShownDetails): string =>
  `<section aria-labelledby="account"><h2 id="account">${say('link', 'account')}</h2>
<p class="strong"><bdi>${escapeHtml(account)}</bdi></p>
${isSameAddress ? '' : `<p class="soft">${say('link', 'otherAddress', { provider })}</p>`}</section>`;
