/** Error pages of authorize and consent: what happened, and what to do. They echo nothing from the request. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../domain/access/actor.ts';
import type { ConnectionStep } from '../../domain/client-onboarding/steps.ts';
import { type IdentifyDeps, publicRefusalOf } from '../../http-kit/authenticate-request.ts';
import { recordStep, refusedBy, type StepDeps } from '../../http-kit/connection-step.ts';
import { parseParameters, queryOf } from '../../http-kit/request-content.ts';
import { type ConnectionRule, isOAuthRefusal, type OAuthRefusal, Refusal } from '../../kernel/errors.ts';
import { escapeHtml } from '../../platform/mail/message.ts';
import { wordsFor } from '../pages/page-language.ts';
import type { Words } from '../pages/words.ts';
import { authorizePath } from './authorize.ts';
import { findSignedInPerson } from './browser-session.ts';
import { type Page, type PageDeps, sendPage } from './pages.ts';
import { clientNamedIn } from './responses.ts';

/** The error handler for routes that show pages. */
export const answerWithPage =
  (deps: StepDeps & PageDeps & IdentifyDeps) =>
  async (error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    noteRefusal(deps, request, error);
    const { status, fault, waitSeconds, detail } = failureOf(error);
    const { retryAfterSeconds } = publicRefusalOf(error)?.details ?? {};
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    if (status === 500) {
      request.log.error({ event: 'request.failed', err: error, correlationId: request.id }, 'A request failed');
    }
    const words = await wordsFor(request, status >= 500 ? null : await personOf(deps, request));
    const advice = adviceOf(words, fault, waitSeconds, request.id);
    return sendPage(deps, reply, status, render(words, fault, advice, detail));
  };

/** Null also where storage does not answer: then the language is that of the browser. */
const personOf = async (deps: IdentifyDeps, request: FastifyRequest): Promise<Actor | null> => {
  try {
    return await findSignedInPerson(deps, request);
  } catch (error) {
    if (publicRefusalOf(error) === null) throw error;
    return null;
  }
};

const noteRefusal = (deps: StepDeps, request: FastifyRequest, error: unknown): void => {
  const refused = refusedBy(error);
  if (refused === null) return;
  const clientId = error instanceof Refusal ? error.clientId : null;
  recordStep(deps, request, stepOf(request, refused.rule), clientId ?? claimedClient(request), refused);
};

/** No client registers on a page, so the redirect URIs that are not allowed are those of a metadata document. */
const stepOf = (request: FastifyRequest, rule: ConnectionRule): ConnectionStep => {
  if (rule.startsWith('client_document_') || rule === 'redirect_uri_not_allowed') return 'client_document';
  return request.routeOptions.url === authorizePath ? 'authorization' : 'consent';
};

/** The client id claimed in the query, not verified. */
const claimedClient = (request: FastifyRequest): string | null => clientNamedIn(parseParameters(queryOf(request)));

/** Pages whose texts take no value. */
type PlainFault =
  | 'unavailable'
  | 'misread'
  | 'malformed'
  | 'answered'
  | 'clientUnknown'
  | 'clientRevoked'
  | 'clientDocument'
  | 'redirectUri'
  | 'expired'
  | 'otherBrowser'
  | 'otherPage';
type Fault = PlainFault | 'failed' | 'limited';

interface Failure {
  readonly status: number;
  readonly fault: Fault;
  /** Seconds until the next try; on the page `limited` alone. */
  readonly waitSeconds: number;
  /** What is wrong with the client's request, for its developer, in the English of the protocol; null otherwise. */
  readonly detail: string | null;
}

const failure = (status: number, fault: Fault, facts: Partial<Failure> = {}): Failure => ({
  status,
  fault,
  waitSeconds: 1,
  detail: null,
  ...facts,
});

const failureOf = (error: FastifyError): Failure => {
  if (isOAuthRefusal(error)) return refusedRequest(error);
  const refusal = publicRefusalOf(error);
  if (refusal?.code === 'RATE_LIMITED') {
    return failure(429, 'limited', { waitSeconds: wholeMinutes(refusal.details.retryAfterSeconds ?? 1) });
  }
  if (refusal !== null) return failure(refusal.status, 'unavailable');
  const { statusCode: status = 500 } = error;
  return status < 500 ? failure(status, 'misread') : failure(500, 'failed');
};

/** A wait of more than 90 seconds is told in minutes, rounded up. */
const wholeMinutes = (seconds: number): number => (seconds > 90 ? Math.max(2, Math.ceil(seconds / 60)) * 60 : seconds);

/** By rule; for any other rule, the client's request is at fault. */
const faults: Partial<Readonly<Record<ConnectionRule, readonly [status: number, fault: PlainFault]>>> = {
  client_unknown: [400, 'clientUnknown'],
  client_revoked: [400, 'clientRevoked'],
  client_document_not_listed: [400, 'clientUnknown'],
  client_document_address: [400, 'clientDocument'],
  client_document_unreachable: [400, 'clientDocument'],
  client_document_gone: [400, 'clientDocument'],
  client_document_invalid: [400, 'clientDocument'],
  redirect_uri_not_allowed: [400, 'clientDocument'],
  redirect_uri_not_registered: [400, 'redirectUri'],
  consent_expired: [410, 'expired'],
  consent_other_browser: [403, 'otherBrowser'],
  host_or_origin: [403, 'otherPage'],
};

/** Those with a sentence of the protocol for the client's developer. */
const faultsOfDeveloper: ReadonlySet<Fault> = new Set(['malformed', 'clientDocument']);

const refusedRequest = ({ rule, message }: OAuthRefusal): Failure => {
  // A person who navigates back after the answer: the one refusal without a rule.
  if (rule === null) return failure(410, 'answered');
  const [status, fault] = faults[rule] ?? ([400, 'malformed'] as const);
  return failure(status, fault, faultsOfDeveloper.has(fault) ? { detail: message } : {});
};

const adviceOf = ({ say }: Words, fault: Fault, waitSeconds: number, id: string): string => {
  if (fault === 'failed') return say(fault, 'advice', { id });
  return fault === 'limited' ? say(fault, 'advice', { wait: waitSeconds }) : say(fault, 'advice');
};

const render = ({ language, say }: Words, fault: Fault, advice: string, detail: string | null): Page => ({
  language,
  title: say(fault, 'title'),
  main: `<h1>${say(fault, 'title')}</h1>
<p>${say(fault, 'message')}</p>
<p class="soft">${advice}</p>${detail === null ? '' : `\n<p><code lang="en">${escapeHtml(detail)}</code></p>`}`,
});
