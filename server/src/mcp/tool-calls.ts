/**
 * One tool call, from its name to its answer, and its row in the record
 * (contract/platform-mcp.md#correlation-and-audit-row): the row, the log line and the counter report the same outcome
 * under the same correlation id.
 *
 * A change and its row are committed in one transaction; a change of the application's tools is recorded before it
 * begins as well. Data that a call reads leaves the process only after the row is durable.
 */
import type { Actor } from '../domain/access/actor.ts';
import { requireLiveSession } from '../domain/access/authorize.ts';
import { argumentDigest, recordedToolName } from '../domain/audit/tool-audits.ts';
import type { ToolOutcome } from '../domain/audit/tool-audits-store.ts';
import type { AnyTool, CustomTool, CustomToolCall, ToolAnswer, ToolDeps } from '../domain/tools/tool.ts';
import { publicRefusalOf } from '../http-kit/authenticate-request.ts';
import { shownActor } from '../http-kit/identity.ts';
import { isRecord, type JsonRecord } from '../kernel/records.ts';
import type { Keyring } from '../kernel/secrets.ts';
import { isToolError } from '../kernel/tool-error.ts';
import type { Transaction } from '../platform/database/database.ts';
import { settlesBeforeDeadline, withinDeadline } from '../platform/database/deadlines.ts';
import { withBeforeCommit } from '../platform/database/decorators.ts';
import { annotate, currentCorrelationId, traced } from '../platform/observability/context.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import { type CallToConfirm, Confirmations, questionAbout } from './confirmation.ts';
import type { CallRecord, RecordedFields, Surface, ToolCallResult } from './surface.ts';

export interface ToolCallDeps extends ToolDeps {
  readonly surface: Surface;
  readonly keyring: Keyring;
  readonly metrics: Pick<Metrics, 'countToolCall'>;
  /** Time of a call of one of the application's tools, and the end of all of them. */
  readonly customTools: Pick<CustomToolCall, 'timeoutMillis' | 'closing'>;
}

/** Refusals for lack of authority. */
const denials: ReadonlySet<string> = new Set([
  'FORBIDDEN',
  'MEMBERSHIP_REQUIRED',
  'REAUTHENTICATION_REQUIRED',
  'SECOND_FACTOR_REQUIRED',
  'UNAUTHENTICATED',
]);

export class ToolCall {
  /** The request's correlation id; a request contains at most one call. */
  readonly correlationId = currentCorrelationId();
  readonly #deps: ToolCallDeps;
  readonly #actor: Actor;
  readonly #clientId: string;
  readonly #recordedName: string;
  readonly #record: CallRecord;
  readonly #tool: AnyTool | null;
  readonly #arguments: unknown;
  readonly #argumentDigest: string;
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
    this.#tool = typeof name === 'string' ? deps.surface.findTool(name) : null;
    this.#recordedName = recordedToolName(name);
    this.#clientId = clientId;
    this.#argumentDigest = argumentDigest(deps.keyring, given);
    this.#record = this.#recordOf(given, this.#argumentDigest);
  }

  /** @param given the arguments that run */
  #recordOf(given: unknown, digest: string): CallRecord {
    return this.#deps.surface.record({
      actor: this.#actor,
      clientId: this.#clientId,
      tool: this.#recordedName,
      correlationId: this.correlationId,
      argumentDigest: digest,
      isDryRun: isRecord(given) && given['dryRun'] === true,
    });
  }

  /** The recorded outcome; null before it is recorded. */
  get outcome(): ToolOutcome | null {
    return this.#outcome;
  }

  /** Runs the tool, or asks the person first if the client shows questions, and records the outcome. Never throws. */
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
    const denial = this.#deps.surface.denialOf(this.#actor, tool);
    if (tool === null || denial !== null) return this.#end('deny', denial ?? { kind: 'denied' });
    const call = { actor: this.#actor, tool, arguments: this.#arguments, argumentDigest: this.#argumentDigest };
    const step = this.#confirmations.nextStep(call, this.#params, canAsk);
    if (step === 'wrong_state') return this.#end('error', { kind: 'wrong_state' });
    if (step === 'declined') return this.#end('deny', { kind: 'declined' });
    try {
      if (step === 'ask') return await this.#ask(call);
      return await this.#end('success', { kind: 'success', answer: await this.#callTool(tool) });
    } catch (error) {
      return this.#endRefused(error);
    }
  }

  #callTool(tool: AnyTool): Promise<ToolAnswer> {
    if ('inputSchema' in tool) return this.#callCustom(tool, this.#arguments, this.#record);
    return tool.call(tool.isReadOnly ? this.#deps : this.#recordingDeps(), this.#actor, this.#arguments);
  }

  #callCustom(tool: CustomTool, given: unknown, record: CallRecord): Promise<ToolAnswer> {
    const begin = () => withinDeadline(Number.POSITIVE_INFINITY, () => record.begin());
    return tool.call(this.#deps, this.#actor, given, { ...this.#deps.customTools, shown: shownActor, begin });
  }

  /** The question is recorded as what has run, which is a dry run. */
  async #ask(call: CallToConfirm): Promise<ToolCallResult> {
    const { tool } = call;
    const given = { ...(isRecord(this.#arguments) ? this.#arguments : {}), dryRun: true };
    const record = this.#recordOf(given, argumentDigest(this.#deps.keyring, given));
    const preview =
      'inputSchema' in tool
        ? await this.#previewCustom(tool, given, record)
        : await tool.preview(this.#deps, this.#actor, this.#arguments);
    if ('kind' in preview) return preview;
    const question = questionAbout(call, preview, this.#confirmations.stateFor(call));
    return this.#end('success', { kind: 'question', question }, record);
  }

  /** A refusal or failure in the dry run of the application is recorded as a dry run, as its beginning was. */
  async #previewCustom(tool: CustomTool, given: unknown, record: CallRecord): Promise<ToolAnswer | ToolCallResult> {
    try {
      return await this.#callCustom(tool, given, record);
    } catch (error) {
      return this.#endRefused(error, record);
    }
  }

  /** Records a call that was refused before it could run; whether the row is durable. */
  async recordRejected(outcome: 'deny' | 'error' = 'error'): Promise<boolean> {
    return (await this.#end(outcome, { kind: 'failed' })).kind === 'failed';
  }

  #endRefused(error: unknown, record = this.#record): Promise<ToolCallResult> {
    if (isToolError(error)) return this.#end('error', { kind: 'said', text: error.message }, record);
    const refusal = publicRefusalOf(error);
    if (refusal === null) {
      this.#logDefect(error);
      return this.#end('error', { kind: 'failed' }, record);
    }
    if (denials.has(refusal.code)) return this.#end('deny', this.#deps.surface.deniedBy(this.#actor, refusal), record);
    if (refusal.code === 'UNAVAILABLE') return this.#end('error', { kind: 'unavailable' }, record);
    return this.#end('error', { kind: 'refused', refusal }, record);
  }

  /** Answers once the audit row is durable. After the deadline the client gets 503; the row is still written. */
  async #end(outcome: ToolOutcome, result: ToolCallResult, record = this.#record): Promise<ToolCallResult> {
    if (this.#outcome !== null) return result;
    const recording = record.append(outcome).then(
      (recorded) => this.#recorded(outcome, recorded),
      (error: unknown) => this.#logUnrecorded(error),
    );
    const isOnRecord = (await settlesBeforeDeadline(recording)) && this.#outcome !== null;
    return isOnRecord ? result : { kind: 'unavailable' };
  }

  /**
   * Records the call as the last statement of the tool's transaction, so that both are durable or neither. Of several
   * transactions the first one decides; what follows only continues it.
   */
  #recordingDeps(): ToolDeps {
    const { database } = this.#deps;
    return { ...this.#deps, database: withBeforeCommit(database, (transaction) => this.#recordIn(transaction)) };
  }

  async #recordIn(transaction: Transaction): Promise<void> {
    if (this.#outcome !== null) return;
    const recorded = await this.#record.appendIn(transaction);
    // Waiting for the audit chain may take long; check that the session is still live.
    await requireLiveSession(transaction, this.#actor);
    transaction.afterCommit(() => this.#recorded('success', recorded));
  }

  #recorded(outcome: ToolOutcome, recorded: RecordedFields): void {
    if (this.#outcome !== null) return;
    this.#outcome = outcome;
    annotate({ 'mcp.tool.outcome': outcome });
    this.#deps.metrics.countToolCall(this.#tool?.name ?? 'unknown', outcome, this.#deps.surface.server);
    this.#record.log(outcome, recorded);
  }

  #logDefect(error: unknown): void {
    this.#deps.logger.error(
      { event: 'request.failed', err: error, tool: this.#recordedName, correlationId: this.correlationId },
      'A tool failed unexpectedly',
    );
  }

  #logUnrecorded(error: unknown): void {
    this.#deps.logger.error(
      {
        event: 'mcp.tool_call_unrecorded',
        err: error,
        tool: this.#recordedName,
        correlationId: this.correlationId,
      },
      'A call of a tool could not be recorded, so it was not answered',
    );
  }
}
