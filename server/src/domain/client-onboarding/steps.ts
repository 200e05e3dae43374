/**
 * The steps of an MCP client's connection and the rules that refuse one, each with its explanation for super admins.
 * Surfaces note steps as they pass; no token, code, state or query is kept.
 */
import type { ConnectionRule } from '../../kernel/errors.ts';
import explanations from './rule-explanations.json' with { type: 'json' };

/** In the order in which a client takes them. */
export const connectionSteps = [
  'challenge',
  'resource_metadata',
  'server_metadata',
  'registration',
  'client_document',
  'authorization',
  'consent',
  'token',
  'refresh',
  'call',
] as const;
export type ConnectionStep = (typeof connectionSteps)[number];

const places = connectionSteps.filter((step) => step !== 'client_document');

/** A client with a metadata document does not register: the two steps share a place. */
export const placeOfStep = (step: ConnectionStep): number =>
  places.indexOf(step === 'client_document' ? 'registration' : step);

/** One step as a surface observed it. */
export interface ConnectionStepEvent {
  readonly step: ConnectionStep;
  /** Null when the step passed. */
  readonly rule: ConnectionRule | null;
  /** Known from the registration on. */
  readonly clientId: string | null;
  readonly ip: string;
  readonly userAgent: string | null;
  /** The refused value: a redirect URI without its query, an origin, a scope, a version or an account. */
  readonly detail: string | null;
}

/** The token with which `gatehouse doctor` tests that tokens arrive. Never accepted, and not recorded as an attempt. */
export const doctorToken = 'made-up-by-gatehouse-doctor';

/** The sink for steps of the surfaces. Never throws, never waits: a connection does not depend on its record. */
export interface ConnectionLog {
  note(event: ConnectionStepEvent): void;
}

// Explanations of the rules, for a super admin who has to find out why a client cannot connect, and the fix for each.

interface RuleExplanation {
  /** The refused condition. */
  readonly explanation: string;
  /** The fix, and the party that applies it. */
  readonly fix: string;
}

export const ruleExplanations: Readonly<Record<ConnectionRule, RuleExplanation>> = explanations;
