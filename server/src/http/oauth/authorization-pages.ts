/** Mounts what a person's browser meets while a client connects: authorize, consent, and their stylesheet. */
import type { FastifyError, FastifyInstance } from 'fastify';
import type { BodyBudget } from '../../web/request-bodies.ts';
import { type AuthorizeDeps, mountAuthorize } from './authorize.ts';
import { type ContinueDeps, mountContinue } from './continue.ts';
import { answerWithPage } from './error-page.ts';
import { mountStylesheet, stylesheets } from './pages.ts';
import { takeTexts } from './text-bodies.ts';

export interface AuthorizationPagesDeps extends AuthorizeDeps, ContinueDeps {
  /** What bodies of callers may take together before anyone knows who they are. */
  readonly bodies: BodyBudget;
  readonly settings: AuthorizeDeps['settings'] & ContinueDeps['settings'];
}

const mostBytes = 8 * 1024;

/** @param scope of these pages alone: forms are read as text, and refusals are shown as pages */
export const mountAuthorizationPages = (scope: FastifyInstance, deps: AuthorizationPagesDeps): void => {
  takeTexts(scope, deps.bodies, mostBytes);
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  scope.setErrorHandler<FastifyError>(answerWithPage(deps));
  mountStylesheet(scope, stylesheets.oauth);
  mountAuthorize(scope, deps);
  mountContinue(scope, deps);
};
