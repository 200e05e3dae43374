/**
 * How refusals of the browser routes end: a person is looking, so the portal's sign-in page says what happened, under a
 * code and an id that stand in the log too. A defect is nobody's refusal and is shown like any other.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExternalRefusal, type ExternalRefusalCode } from '../../domain/external-identity/external-refusal.ts';
import type { Logger } from '../../platform/logger.ts';
import { addressOf } from '../../web/caller.ts';
import { refusalOf } from '../../web/refusal-of.ts';

export interface RefusalDeps {
  readonly logger: Logger;
  readonly settings: { readonly frontendUrl: string };
}

interface Refused {
  readonly code: ExternalRefusalCode;
  readonly detail: string | null;
}

/**
 * @param redirect where the person wanted to go: signing in another way still leads there
 * @param status of the redirect; 303 after a form (RFC 9110, section 15.4.4)
 * @throws whatever `work` throws that is no refusal
 */
export const withRefusals = async (
  deps: RefusalDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  redirect: string | null,
  work: () => Promise<FastifyReply>,
  status: 302 | 303 = 302,
): Promise<FastifyReply> => {
  try {
    return await work();
  } catch (error) {
    const refused = refusedIn(error);
    if (refused === null) throw error;
    logRefusal(deps, request, refused);
    return reply.redirect(signInUrl(deps.settings, { error: refused.code, id: request.id, redirect }), status);
  }
};

/** The portal's sign-in page, with parameters; null leaves one out. */
export const signInUrl = (
  { frontendUrl }: { readonly frontendUrl: string },
  parameters: Readonly<Record<string, string | null>>,
): string => {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${frontendUrl}/signin?${given.join('&')}`;
};

const refusedIn = (error: unknown): Refused | null => {
  if (error instanceof ExternalRefusal) return error;
  const code = refusalOf(error)?.code;
  return code === 'RATE_LIMITED' || code === 'UNAVAILABLE' ? { code, detail: null } : null;
};

/** What the operator may have to see to; the rest happens to people every day. */
const isTrouble: ReadonlySet<ExternalRefusalCode> = new Set([
  'PROVIDER_UNAVAILABLE',
  'PROVIDER_REFUSED',
  'UNAVAILABLE',
]);

const logRefusal = ({ logger }: RefusalDeps, request: FastifyRequest, { code, detail }: Refused): void =>
  logger[isTrouble.has(code) ? 'warn' : 'info'](
    { event: 'auth.external_refused', code, detail, correlationId: request.id, ip: addressOf(request) },
    'A sign-in or a link by the outside provider was refused',
  );
