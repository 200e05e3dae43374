/**
 * Error pages of authorize and consent: what happened, and what to do about it. They echo nothing from the request.
 */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { publicRefusalOf } from '../../http-kit/authenticate-request.ts';
import { noteStep, refusedBy, type StepDeps } from '../../http-kit/connection-step.ts';
import { parseParameters, queryOf } from '../../http-kit/request-content.ts';
import { type ConnectionRule, isOAuthRefusal, type OAuthRefusal, Refusal } from '../../kernel/errors.ts';
import { escapeHtml } from '../../platform/mail/message.ts';
import { authorizePath } from './authorize.ts';
import { type PageDeps, sendPage } from './pages.ts';
import { clientNamedIn } from './responses.ts';

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
  (deps: StepDeps & PageDeps) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    noteRefusal(deps, request, error);
    const page = pageOf(error, request);
    const { retryAfterSeconds } = publicRefusalOf(error)?.details ?? {};
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
    if (page.status === 500) {
      request.log.error({ event: 'request.failed', err: error, correlationId: request.id }, 'A request failed');
    }
    return sendPage(deps, reply, page.status, { title: page.title, main: render(page) });
  };

const render = ({ title, message, advice }: ErrorPage): string => `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(message)}</p>
<p class="soft">${escapeHtml(advice)}</p>`;

const noteRefusal = (deps: StepDeps, request: FastifyRequest, error: unknown): void => {
  const refused = refusedBy(error);
  if (refused === null) return;
  const step = request.routeOptions.url === authorizePath ? 'authorization' : 'consent';
  const clientId = error instanceof Refusal ? error.clientId : null;
  noteStep(deps, request, step, clientId ?? claimedClient(request), refused);
};

/** The client id claimed in the query, not verified. */
const claimedClient = (request: FastifyRequest): string | null => clientNamedIn(parseParameters(queryOf(request)));

const pageOf = (error: FastifyError, request: FastifyRequest): ErrorPage => {
  if (isOAuthRefusal(error)) return refusedPage(error);
  const refusal = publicRefusalOf(error);
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
    advice: `If it happens again, send this id to the operator of this service: ${request.id}`,
  };
};

const limitedPage = (seconds: number): ErrorPage => ({
  status: 429,
  title: 'Too many requests',
  message: 'Too many requests for access came from your network within the last hour.',
  advice: `Wait ${inWords(seconds)}, then go back to your client and start connecting again.`,
});

const inWords = (seconds: number): string => {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
};

const startAgain = 'Go back to your client and start connecting again.';
const forDeveloper = 'The developer of the client has to fix this; you cannot change it here.';

const misread = {
  title: 'This request cannot be understood',
  message: 'The request did not come from this page.',
  advice: startAgain,
} as const;

type Frame = readonly [status: number, title: string, advice: string];

/** Shown when a person navigates back after the answer, the one refusal without a rule. */
const answered: Frame = [
  410,
  'This request is already answered',
  'Go back to your client. If it is not connected, start connecting again from there.',
];

/** Keyed by rule; for any other rule, the client's request is at fault. */
const frames: Partial<Readonly<Record<ConnectionRule, Frame>>> = {
  client_unknown: [
    400,
    'This client is not registered here',
    'Remove this server from your client and add it again, so that it registers again.',
  ],
  client_revoked: [
    400,
    'This client may not connect any more',
    'Remove this server from your client and add it again, or ask a super admin why it was revoked.',
  ],
  redirect_uri_not_registered: [
    400,
    'This client cannot be answered',
    'For its developer: register exactly this redirect URI. Unless it is a loopback address, it must also be in MCP_REDIRECT_ALLOW_LIST of this service.',
  ],
  consent_expired: [410, 'This request has ended', startAgain],
  consent_other_browser: [
    403,
    'This request belongs to another browser',
    'Answer it in the browser that your client opened, with cookies switched on, or start connecting again from here.',
  ],
  host_or_origin: [403, 'Your answer did not count', 'Nothing was decided. Open this page again to see the request.'],
};

const refusedPage = ({ rule, message }: OAuthRefusal): ErrorPage => {
  const frame = rule === null ? answered : frames[rule];
  const [status, title, advice] = frame ?? [400, 'This request cannot be understood', forDeveloper];
  return { status, title, message, advice };
};
