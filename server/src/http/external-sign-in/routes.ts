/**
 * Owns: the browser routes of external sign-in: begin, callback, the question before a link.
 * Promises: A callback only stores an exchange, or links for the session that asked; a redirect leads to the front ends
 *   alone.
 *
 * `/auth/google…` (contract/accounts.md#external-sign-in), only when a provider is configured.
 */
import type { FastifyInstance } from 'fastify';
import { nameParty } from '../../platform/observability/context.ts';
import { type BeginDeps, mountBegin, mountPrepareLink, type PrepareLinkDeps } from './begin.ts';
import { type CallbackDeps, mountCallback } from './callback.ts';
import { type LinkQuestionDeps, mountLinkQuestion } from './link-question.ts';

interface ExternalDeps extends BeginDeps, CallbackDeps, LinkQuestionDeps, PrepareLinkDeps {
  readonly settings: BeginDeps['settings'] &
    CallbackDeps['settings'] &
    LinkQuestionDeps['settings'] &
    PrepareLinkDeps['settings'];
}

export const mountExternal = async (app: FastifyInstance, deps: ExternalDeps): Promise<void> => {
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      nameParty({ signsIn: true });
      reply.header('cache-control', 'no-store');
    });
    mountBegin(scope, deps);
    mountCallback(scope, deps);
    await scope.register(async (inner) => mountPrepareLink(inner, deps));
    await scope.register(async (inner) => mountLinkQuestion(inner, deps));
  });
};
