/** Records a step of a client's connection attempt in the connection log, with the caller's address and user agent. */
import type { FastifyRequest } from 'fastify';
import type { ConnectionLog, ConnectionStep } from '../domain/client-onboarding/steps.ts';
import { type ConnectionRule, Refusal } from '../kernel/errors.ts';
import { addressOf, callerOf } from './authenticate-request.ts';

export interface StepDeps {
  readonly connections: ConnectionLog;
}

/** The rule that refused a step, and the refused value. */
export interface RefusedBy {
  readonly rule: ConnectionRule;
  readonly detail: string | null;
}

/** @param refused null when the step succeeded */
export const recordStep = (
  { connections }: StepDeps,
  request: FastifyRequest,
  step: ConnectionStep,
  clientId: string | null,
  refused: RefusedBy | null,
): void => {
  const { ip, userAgent } = callerOf(request);
  const { rule, detail } = refused ?? { rule: null, detail: null };
  connections.note({ step, rule, clientId, ip: ip ?? addressOf(request), userAgent, detail });
};

/** The rule of a refusal; null for any other error, and for a refusal that is not recorded. */
export const refusedBy = (error: unknown): RefusedBy | null => {
  if (!(error instanceof Refusal)) return null;
  const { rule, detail } = error;
  if (error.code === 'RATE_LIMITED') return { rule: 'rate_limited', detail: null };
  return rule === null ? null : { rule, detail };
};
