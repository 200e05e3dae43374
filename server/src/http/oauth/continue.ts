/**
 * `GET` and `POST /auth/mcp/continue/:requestId`: the consent question and its answer
 * (contract/platform-mcp.md#consent-page, contract/organization-mcp.md#consent-of-a-member). A signed-out person goes
 * to the portal first; one whose account cannot connect the client may use another one; one without any of the
 * requested scopes returns to the client with the reason.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../domain/access/actor.ts';
import {
  type ClientAnswer,
  locationOf,
  malformedRequest,
  type RequestParameters,
  readOnce,
} from '../../domain/oauth/authorization-request.ts';
import {
  type AnsweredAtOnce,
  type Decision,
  decisions,
  getOpenRequest,
  type OpenRequest,
  type RequestKey,
  type WrongAccount,
} from '../../domain/oauth/decide-consent.ts';
import {
  askForOrganization,
  decideForOrganization,
  type OrganizationQuestion,
} from '../../domain/oauth/organization-consent.ts';
import { askForPlatform, decideForPlatform, type PlatformQuestion } from '../../domain/oauth/platform-consent.ts';
import { signOut } from '../../domain/sessions/own-sessions.ts';
import { recordStep, refusedBy } from '../../http-kit/connection-step.ts';
import { clearAuthCookies } from '../../http-kit/cookies.ts';
import { mayUseCookies } from '../../http-kit/origins.ts';
import { onlyValue, parseParameters, queryOf, readForm } from '../../http-kit/request-content.ts';
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { wordsFor } from '../pages/page-language.ts';
import {
  detourToReauthenticate,
  detourToSignIn,
  findSignedInPerson,
  rememberAnswer,
  requestKeyOf,
} from './browser-session.ts';
import { renderAccountPage, renderConsentPage } from './consent-page.ts';
import { organizationField, organizationPath, renderOrganizationPage } from './organization-consent-page.ts';
import { sendPage } from './pages.ts';
import type { OAuthRouteDeps } from './responses.ts';

const path = '/auth/mcp/continue/:requestId';

export const mountContinue = (app: FastifyInstance, deps: OAuthRouteDeps): void => {
  app.get<{ Params: { requestId: string } }>(path, { exposeHeadRoute: false }, async (request, reply) => {
    const key = requestKeyOf(request);
    const asked = await getOpenRequest(deps, key);
    const person = await findSignedInPerson(deps, request);
    if (person === null) return detourToSignIn(reply, deps.settings, key.requestId, 302);
    const chosenId = onlyValue(parseParameters(queryOf(request)), organizationField);
    return withSession(deps, reply, key, { status: 302, organizationId: chosenId }, async () => {
      const question = await ask(deps, person, asked, key, chosenId);
      return question.kind === 'answered'
        ? answerClient(deps, request, reply, key, question.answer, 302)
        : showForm(deps, request, reply, key, person, question);
    });
  });
  app.post<{ Params: { requestId: string } }>(path, async (request, reply) => {
    if (!mayUseCookies(request, deps.settings)) throw foreignPage();
    const key = requestKeyOf(request);
    const asked = await getOpenRequest(deps, key);
    const person = await findSignedInPerson(deps, request);
    if (person === null) return detourToSignIn(reply, deps.settings, key.requestId, 303);
    const form = readForm(request);
    if (form === null) throw malformedRequest('The answer did not come as a form.');
    const organizationId = readOrganization(form);
    // Only scopes shown on the page are granted, even when the person has gained others since.
    const shown = requireOwnPage(deps, key, person, form);
    if (readOnce(form, 'account') === 'other') return switchAccount(deps, reply, key, person);
    const decision = readDecision(form);
    return withSession(deps, reply, key, { status: 303, organizationId }, async () => {
      const answer = asked.resource.isOfOrganization
        ? await decideForOrganization(deps, person, asked, key, { decision, organizationId, shown })
        : await decideForPlatform(deps, person, { ...asked, scopes: shown }, key, decision);
      return answerClient(deps, request, reply, key, answer, 303);
    });
  });
};

type Question = PlatformQuestion | OrganizationQuestion | WrongAccount;

/** The page of a request for an organization names the one that the person chose in its query. */
const ask = async (
  deps: OAuthRouteDeps,
  person: Actor,
  asked: OpenRequest,
  key: RequestKey,
  chosenId: string | null,
): Promise<Question | AnsweredAtOnce> =>
  asked.resource.isOfOrganization
    ? askForOrganization(deps, person, asked, key, chosenId)
    : askForPlatform(deps, person, asked, key);

const showForm = async (
  deps: OAuthRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  key: RequestKey,
  person: Actor,
  question: Question,
): Promise<FastifyReply> => {
  const words = await wordsFor(request, person);
  // With no-referrer the browser would send the form with `Origin: null`, which is refused.
  reply.header('referrer-policy', 'same-origin');
  if (question.kind === 'organization') {
    const csrfToken = csrfTokenOf(deps, key, person, question.granted);
    const facts = { ...question, person, csrfToken, settings: deps.settings };
    return sendPage(deps, reply, 200, renderOrganizationPage(words, facts));
  }
  if (question.kind === 'platform') {
    const csrfToken = csrfTokenOf(deps, key, person, question.granted);
    const facts = { ...question, person, csrfToken, settings: deps.settings };
    return sendPage(deps, reply, 200, renderConsentPage(words, facts));
  }
  const csrfToken = csrfTokenOf(deps, key, person, []);
  recordStep(deps, request, 'consent', question.request.clientId, refusedBy(question.refusal));
  return sendPage(deps, reply, 200, renderAccountPage(words, { ...question, person, csrfToken }));
};

/** Ends the session first: while it lasts, the portal's sign-in page continues by itself. */
const switchAccount = async (
  deps: OAuthRouteDeps,
  reply: FastifyReply,
  { requestId }: RequestKey,
  person: Actor,
): Promise<FastifyReply> => {
  await signOut(deps, person);
  clearAuthCookies(reply, deps.settings);
  return detourToSignIn(reply, deps.settings, requestId, 303);
};

const csrfPurpose = 'oauth consent';

/**
 * Binds the CSRF token to this request, browser and session, and the scopes shown. The organization is chosen in the
 * form: whatever it names, only scopes that were shown are granted.
 */
const csrfText = ({ requestId, browserSecret }: RequestKey, { credential }: Actor, shown: readonly string[]): string =>
  [requestId, browserSecret, credential.sessionFamilyId, ...shown].join(' ');

/** The token names the scopes that the page shows, so that the answer identifies its question. */
const csrfTokenOf = ({ keyring }: OAuthRouteDeps, key: RequestKey, person: Actor, shown: readonly string[]): string =>
  [keyring.mac(csrfPurpose, csrfText(key, person, shown)), ...shown].join('.');

const foreignPage = (): Refusal =>
  new Refusal('access_denied', 'This answer did not come from the page of this service.', { rule: 'host_or_origin' });

/** The scopes that the page showed. @throws Refusal: the form is not from the page shown to this person */
const requireOwnPage = (
  { keyring }: OAuthRouteDeps,
  key: RequestKey,
  person: Actor,
  form: RequestParameters,
): readonly string[] => {
  const [mac = '', ...shown] = (readOnce(form, 'csrf_token') ?? '').split('.');
  if (keyring.isMac(csrfPurpose, csrfText(key, person, shown), mac)) return shown;
  throw new Refusal(
    'access_denied',
    'After the page was shown, another person signed in here, or the session changed.',
    { rule: 'host_or_origin' },
  );
};

/** @returns the id of the chosen organization; null where the page had none to choose */
const readOrganization = (form: RequestParameters): string | null => {
  const given = readOnce(form, organizationField);
  if (given === null || isId(given)) return given;
  throw malformedRequest('The answer names no organization by its id.');
};

const readDecision = (form: RequestParameters): Decision => {
  const given = readOnce(form, 'decision');
  const decision = decisions.find((known) => known === given);
  if (decision !== undefined) return decision;
  throw malformedRequest('The answer was neither “Allow” nor “Refuse”.');
};

/** Repeats sign-in and question for a person whose session ended during the request, or who must authenticate again. */
const withSession = async (
  { settings }: OAuthRouteDeps,
  reply: FastifyReply,
  { requestId }: RequestKey,
  { status, organizationId }: { readonly status: 302 | 303; readonly organizationId: string | null },
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'UNAUTHENTICATED') return detourToSignIn(reply, settings, requestId, status);
    const needsSecondFactor = error.code === 'SECOND_FACTOR_REQUIRED';
    if (!needsSecondFactor && error.code !== 'REAUTHENTICATION_REQUIRED') throw error;
    return detourToReauthenticate(
      reply,
      settings,
      organizationPath(requestId, organizationId),
      status,
      needsSecondFactor,
    );
  }
};

const answerClient = (
  deps: OAuthRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  key: RequestKey,
  answer: ClientAnswer,
  status: 302 | 303,
): FastifyReply => {
  recordStep(deps, request, 'consent', answer.clientId, 'refusal' in answer ? refusedBy(answer.refusal) : null);
  rememberAnswer(reply, deps.settings.baseUrl, key);
  return reply.redirect(locationOf(answer, deps.settings.baseUrl), status);
};
