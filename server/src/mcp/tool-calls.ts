/**
 * One tool call, from its name to its answer, and its row in the audit record (specification, "Events" 2): the row, the
 * log line and the counter report the same outcome under the same correlation id.
 *
 * A change and its row are committed in one transaction. Data that a call reads leaves the process only after the row
 * is durable.
 */
import { type Actor, isActingSuperAdmin, scopesOfActor } from '../domain/access/actor.ts';
import { requireLiveSession } from '../domain/access/authorize.ts';
import {
  appendToolAudit,
  argumentDigest,
  recordedToolName,
  type ToolAudits,
  type ToolCallFacts,
} from '../domain/audit/tool-audits.ts';
import type { RecordedCall, ToolOutcome } from '../domain/audit/tool-audits-store.ts';
import { catalogue, findTool } from '../domain/tools/catalogue.ts';
import type { Tool, ToolAnswer, ToolDeps } from '../domain/tools/tool.ts';
import { publicRefusalOf } from '../http-kit/authenticate-request.ts';
import type { Refusal } from '../kernel/errors.ts';
import { isRecord, type JsonRecord } from '../kernel/records.ts';
import type { Keyring } from '../kernel/secrets.ts';
import type { Transaction } from '../platform/database/database.ts';
import { settlesBeforeDeadline } from '../platform/database/deadlines.ts';
import { withBeforeCommit } from '../platform/database/decorators.ts';
import { annotate, currentCorrelationId, traced } from '../platform/observability/context.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import { type CallToConfirm, Confirmations, type Question, questionAbout } from './confirmation.ts';

export interface ToolCallDeps extends ToolDeps {
  readonly audits: ToolAudits;
  readonly keyring: Keyring;
  readonly metrics: Pick<Metrics, 'countToolCall'>;
}

/**
 * The result of a call. `unavailable`: a dependency does not answer, and the client learns nothing else. `refused`,
 * `declined` and `failed` are addressed to the model, `question` to the person.
 */
export type ToolCallResult =
  | { readonly kind: 'success'; readonly answer: ToolAnswer }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'declined' | 'wrong_state' | 'denied' | 'failed' | 'unavailable' };

/** Whether a super admin with these scopes may call the tool. */
const isAllowed = ({ requiredScopes }: Tool, held: ReadonlySet<string>): boolean =>
  requiredScopes.every((scope) => held.has(scope));

/** Whether the actor may call the tool now: its scopes are granted to the credential and still held. */
const mayCall = (actor: Actor, tool: Tool): boolean =>
  isActingSuperAdmin(actor) && isAllowed(tool, scopesOfActor(actor));

/** The tools that the actor may call now. */
export const listTools = (actor: Actor): readonly Tool[] => {
  const held = scopesOfActor(actor);
  return isActingSuperAdmin(actor) ? catalogue.filter((tool) => isAllowed(tool, held)) : [];
};

/** Refusals for lack of authority. */
const denials: ReadonlySet<string> = new Set(['FORBIDDEN', 'SECOND_FACTOR_REQUIRED', 'UNAUTHENTICATED']);

export class ToolCall {
  /** The request's correlation id; a request contains at most one call. */
  readonly correlationId = currentCorrelationId();
  readonly #deps: ToolCallDeps;
  readonly #actor: Actor;
  readonly #facts: Omit<ToolCallFacts, 'outcome'>;
  readonly #tool: Tool | null;
  readonly #arguments: unknown;
  readonly #params: JsonRecord;
  readonly #confirmations: Confirmations;
  #outcome: ToolOutcome | null = null;

  /** @param params the params of the request, not validated */
  constructor(deps: ToolCallDeps, actor: Actor, clientId: string, params: unknown) {
    this.#params = isRecord(params) ? params : {};
    const { name, arguments: given } = this.#params;
    this.#deps = deps;
    this.#confirmations = new Confirmations(deps.keyring);
    this.#actor = actor;
    this.#arguments = given;
    this.#tool = typeof name === 'string' ? findTool(name) : null;
    this.#facts = {
      actorUserId: actor.user.id,
      credentialId: actor.credential.id,
      clientId,
      tool: recordedToolName(name),
      correlationId: this.correlationId,
      argumentDigest: argumentDigest(deps.keyring, given),
    };
  }

  /** The recorded outcome; null before it is recorded. */
  get outcome(): ToolOutcome | null {
    return this.#outcome;
  }

  /**
   * Runs the tool, or asks the person first, and records the outcome. Never throws.
   * @param canAsk whether the client shows questions to its person
   */
  run(canAsk = false): Promise<ToolCallResult> {
    // An unknown tool name is chosen by the client and must not become a span name.
    const tool = this.#tool?.name ?? 'unknown';
    const attributes = { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': tool };
    return traced(
      () => ({ name: `tools/call ${tool}`, attributes }),
      () => this.#run(canAsk),
    );
  }

  async #run(canAsk: boolean): Promise<ToolCallResult> {
    const tool = this.#tool;
    if (tool === null || !mayCall(this.#actor, tool)) return this.#end('deny', { kind: 'denied' });
    const call = { actor: this.#actor, tool, arguments: this.#arguments, argumentDigest: this.#facts.argumentDigest };
    const step = this.#confirmations.nextStep(call, this.#params, canAsk);
    if (step === 'wrong_state') return this.#end('error', { kind: 'wrong_state' });
    if (step === 'declined') return this.#end('deny', { kind: 'declined' });
    try {
      if (step === 'ask') return await this.#ask(call);
      const deps = tool.isReadOnly ? this.#deps : this.#recordingDeps();
      const answer = await tool.call(deps, this.#actor, this.#arguments);
      return await this.#end('success', { kind: 'success', answer });
    } catch (error) {
      return this.#endRefused(error);
    }
  }

  /** The question is recorded as what has run, which is a dry run. */
  async #ask(call: CallToConfirm): Promise<ToolCallResult> {
    const preview = await call.tool.preview(this.#deps, this.#actor, this.#arguments);
    const question = questionAbout(call, preview, this.#confirmations.stateFor(call));
    const given = isRecord(this.#arguments) ? this.#arguments : {};
    const digest = argumentDigest(this.#deps.keyring, { ...given, dryRun: true });
    return this.#end('success', { kind: 'question', question }, { ...this.#facts, argumentDigest: digest });
  }

  /**
   * Records a call that the protocol refused before it could run.
   * @returns whether the row is durable
   */
  async recordRejected(): Promise<boolean> {
    return (await this.#end('error', { kind: 'failed' })).kind === 'failed';
  }

  #endRefused(error: unknown): Promise<ToolCallResult> {
    const refusal = publicRefusalOf(error);
    if (refusal === null) {
      this.#logDefect(error);
      return this.#end('error', { kind: 'failed' });
    }
    if (denials.has(refusal.code)) return this.#end('deny', { kind: 'denied' });
    if (refusal.code === 'UNAVAILABLE') return this.#end('error', { kind: 'unavailable' });
    return this.#end('error', { kind: 'refused', refusal });
  }

  /**
   * Never answers before the audit row is durable. After the deadline the client gets 503; the row is still written.
   */
  async #end(outcome: ToolOutcome, result: ToolCallResult, facts = this.#facts): Promise<ToolCallResult> {
    if (this.#outcome !== null) return result;
    const recording = this.#deps.audits.append({ ...facts, outcome }).then(
      (recorded) => this.#recorded(outcome, recorded),
      (error: unknown) => this.#logUnrecorded(error),
    );
    const isOnRecord = (await settlesBeforeDeadline(recording)) && this.#outcome !== null;
    return isOnRecord ? result : { kind: 'unavailable' };
  }

  /** Records the call as the last statement of the tool's transaction, so that both are durable or neither. */
  #recordingDeps(): ToolDeps {
    const { database } = this.#deps;
    return { ...this.#deps, database: withBeforeCommit(database, (transaction) => this.#recordIn(transaction)) };
  }

  async #recordIn(transaction: Transaction): Promise<void> {
    const recorded = await appendToolAudit(transaction, { ...this.#facts, outcome: 'success' });
    // Waiting for the audit chain may take long; check that the session is still live.
    await requireLiveSession(transaction, this.#actor);
    transaction.afterCommit(() => this.#recorded('success', recorded));
  }

  /** Logs position and hash in the chain: a copy of the log elsewhere reveals a chain that was rebuilt. */
  #recorded(outcome: ToolOutcome, { position, hash }: RecordedCall): void {
    if (this.#outcome !== null) return;
    this.#outcome = outcome;
    annotate({ 'mcp.tool.outcome': outcome });
    const { actorUserId: userId, credentialId, clientId, tool, correlationId } = this.#facts;
    const place = { position, hash: hash.toString('hex') };
    const facts = { userId, credentialId, clientId, tool, outcome, correlationId, ...place };
    this.#deps.metrics.countToolCall(this.#tool?.name ?? 'unknown', outcome);
    this.#deps.logger.info({ event: 'mcp.tool_called', ...facts }, 'A Platform MCP tool was called');
  }

  #logDefect(error: unknown): void {
    const { tool, correlationId } = this.#facts;
    this.#deps.logger.error({ event: 'request.failed', err: error, tool, correlationId }, 'A tool failed unexpectedly');
  }

  #logUnrecorded(error: unknown): void {
    const { tool, correlationId } = this.#facts;
    this.#deps.logger.error(
      { event: 'mcp.tool_call_unrecorded', err: error, tool, correlationId },
      'A call of a tool could not be recorded, so it was not answered',
    );
  }
}
