/**
 * Error pages of authorize and consent: what happened, and what to do about it. They echo nothing from the request.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ConnectionRule } from '../../domain/client-onboarding/steps.ts';
import { AlreadyAnswered } from '../../domain/oauth/decide-consent.ts';
import { OAuthRefusal } from '../../domain/oauth/oauth-refusal.ts';
import { refusalOf } from '../../http-kit/authenticate-request.ts';
import { noteStep, type StepDeps } from '../../http-kit/connection-step.ts';
import { Refusal } from '../../kernel/errors.ts';
import { escapeHtml } from '../../platform/mail/message.ts';
import { authorizePath } from './authorize.ts';
import { clientNamedIn, parseParameters, queryOf } from './exchanges.ts';
import { sendPage } from './pages.ts';

interface ErrorPage {
  readonly status: number;
  readonly title: string;
  /** The error. */
  readonly message: string;
  /** The recommended action. */
  readonly advice: string;
}

/** The error handler for routes that show pages. */
export const answerWithPage =
  (deps: StepDeps) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    noteRefusal(deps, request, error);
    const page = pageOf(error, request);
    const { retryAfterSeconds } = refusalOf(error)?.details ?? {};
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    if (page.status === 500) {
      request.log.error({ event: 'request.failed', err: error, correlationId: request.id }, 'A request failed');
    }
    return sendPage(reply, page.status, { title: page.title, main: render(page) });
  };

const render = ({ title, message, advice }: ErrorPage): string => `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(message)}</p>
<p class="soft">${escapeHtml(advice)}</p>`;

const noteRefusal = (deps: StepDeps, request: FastifyRequest, error: unknown): void => {
  const step = request.routeOptions.url === authorizePath ? 'authorization' : 'consent';
  if (error instanceof OAuthRefusal) noteStep(deps, request, step, error.clientId ?? claimedClient(request), error);
  if (!(error instanceof Refusal) || error.code !== 'RATE_LIMITED') return;
  noteStep(deps, request, step, claimedClient(request), { rule: 'rate_limited', detail: null });
};

/** The client id claimed in the query, not verified. */
const claimedClient = (request: FastifyRequest): string | null => clientNamedIn(parseParameters(queryOf(request)));

const pageOf = (error: FastifyError, request: FastifyRequest): ErrorPage => {
  if (error instanceof OAuthRefusal) return refusedPage(error);
  if (error instanceof AlreadyAnswered) return answered;
  const refusal = refusalOf(error);
  if (refusal?.code === 'RATE_LIMITED') return limitedPage(refusal.details.retryAfterSeconds ?? 1);
  if (refusal !== null) {
    return { status: refusal.status, title: 'Not right now', message: refusal.message, advice: startAgain };
  }
  const { statusCode: status = 500 } = error;
  if (status < 500) return { ...misread, status };
  return {
    status: 500,
    title: 'Something went wrong',
    message: 'Something went wrong on our side.',
    advice: `If it happens again, tell the operator of this service: ${request.id}`,
  };
};

const limitedPage = (seconds: number): ErrorPage => ({
  status: 429,
  title: 'Too many requests',
  message: 'Too many requests for access were made from here within the last hour.',
  advice: `Wait ${inWords(seconds)}, then go back to your client and start connecting again.`,
});

const inWords = (seconds: number): string => {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
};

const startAgain = 'Go back to your client and start connecting again.';
const forDeveloper = 'This is for the developer of the client to mend: nothing that you do here will change it.';

/** Shown when a person navigates back after the answer. */
const answered: ErrorPage = {
  status: 410,
  title: 'This request is already answered',
  message: 'You have answered this request already. Each one is answered once, and the client has your answer.',
  advice: 'Go back to your client. If it is not connected, start connecting again from there.',
};

const misread = {
  title: 'This request cannot be understood',
  message: 'The request is not one that this page sends.',
  advice: startAgain,
} as const;

/** Keyed by rule; for any other rule, the client's request is at fault. */
const frames: Partial<Readonly<Record<ConnectionRule, readonly [status: number, title: string, advice: string]>>> = {
  client_unknown: [
    400,
    'This client is not registered here',
    'Remove this server from your client and add it again, so that it registers anew.',
  ],
  client_revoked: [
    400,
    'This client may not connect any more',
    'Remove this server from your client and add it again, or ask a super admin why it was revoked.',
  ],
  redirect_uri_not_registered: [
    400,
    'This client cannot be answered',
    'For its developer: register this very redirect URI. One that is no loopback address has to be on the list MCP_REDIRECT_ALLOW_LIST of this service too.',
  ],
  consent_expired: [410, 'This request is over', startAgain],
  consent_other_browser: [
    403,
    'This request belongs to another browser',
    'Answer it in the browser that your client opened, with cookies switched on, or start connecting again from here.',
  ],
  host_or_origin: [403, 'Your answer did not count', 'Nothing was decided. Open this page again to see the request.'],
};

const refusedPage = ({ rule, message }: OAuthRefusal): ErrorPage => {
  const [status, title, advice] = frames[rule] ?? [400, 'This request cannot be understood', forDeveloper];
  return { status, title, message, advice };
};
