/** Records a step of a client's connection attempt in the connection log, with the caller's address and user agent. */
import type { FastifyRequest } from 'fastify';
import type { ConnectionLog, ConnectionRule, ConnectionStep } from '../domain/client-onboarding/steps.ts';
import { addressOf, callerOf } from './authenticate-request.ts';

export interface StepDeps {
  readonly connections: ConnectionLog;
}

/** @param refused null when the step succeeded */
export const noteStep = (
  { connections }: StepDeps,
  request: FastifyRequest,
  step: ConnectionStep,
  clientId: string | null,
  refused: { readonly rule: ConnectionRule; readonly detail: string | null } | null,
): void => {
  const { ip, userAgent } = callerOf(request);
  const { rule, detail } = refused ?? { rule: null, detail: null };
  connections.note({ step, rule, clientId, ip: ip ?? addressOf(request), userAgent, detail });
};
