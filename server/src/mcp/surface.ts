/**
 * What differs between the endpoints of the Model Context Protocol: for whom each is, which tools it has, how it
 * answers a call without authority, and where its calls are recorded.
 */
import manifest from '../../package.json' with { type: 'json' };
import type { Actor } from '../domain/access/actor.ts';
import type { ToolOutcome } from '../domain/audit/tool-audits-store.ts';
import type { AnyTool, ToolAnswer } from '../domain/tools/tool.ts';
import type { Refusal } from '../kernel/errors.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Metrics } from '../platform/observability/metrics.ts';
import type { Question } from './confirmation.ts';
import type { RpcRefusal } from './json-rpc.ts';

/** How the server describes itself (MCP, Implementation): the name is technical, the title is for people. */
export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** @param title the surface's, after the name of the application */
export const serverInfoOf = (applicationName: string, title: string): ServerInfo => ({
  name: 'gatehouse',
  title: `${applicationName} ${title}`,
  version: manifest.version,
});

/**
 * `unavailable`: a dependency does not answer, and the client learns nothing else. `refused`, `said`, `declined` and
 * `failed` are addressed to the model, `question` to the person. `challenged`: the client may ask the person for these
 * scopes.
 */
export type ToolCallResult =
  | { readonly kind: 'success'; readonly answer: ToolAnswer }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'challenged'; readonly scopes: readonly string[] }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'declined' | 'wrong_state' | 'denied' | 'failed' | 'unavailable' };

/** The columns of one call, as it is recorded. */
export interface CallDetails {
  readonly actor: Actor;
  readonly clientId: string;
  /** As `recordedToolName` returns it. */
  readonly tool: string;
  readonly correlationId: string;
  readonly argumentDigest: string;
  /** Whether the arguments say that nothing is to be changed. */
  readonly isDryRun: boolean;
}

/** Columns of a durable row for the log, beside those of the call. */
export type RecordedFields = Readonly<Record<string, string | number>>;

/** The record of one call. */
export interface CallRecord {
  /** Records the outcome in a row of its own; resolves once it is durable. */
  readonly append: (outcome: ToolOutcome) => Promise<RecordedFields>;
  /** Records a success as the last statement of the transaction that makes the change. */
  readonly appendIn: (transaction: Transaction) => Promise<RecordedFields>;
  /** Records that a call begins whose change no transaction contains; resolves once that is durable. */
  readonly begin: () => Promise<void>;
  readonly log: (outcome: ToolOutcome, recorded: RecordedFields) => void;
}

export interface Surface {
  /** Value of the label `server` of the counter of calls. */
  readonly server: Parameters<Metrics['countToolCall']>[2];
  /** The URL of the endpoint, without a slash at its end. */
  readonly path: string;
  /** The only audience accepted; it is accepted nowhere else (contract/platform-mcp.md#bearer-token-of-a-call). */
  readonly audience: string;
  /** As it begins a sentence. */
  readonly name: string;
  readonly info: ServerInfo;
  readonly instructions: string;
  /** Every scope that a tool requires, least privileged first. */
  readonly scopes: readonly string[];
  /** The words about a tool that the client cannot call, whether it exists or not. */
  readonly unknownTool: string;
  readonly findTool: (name: string) => AnyTool | null;
  readonly listTools: (actor: Actor) => readonly AnyTool[];
  /** Why no request of the actor is answered at all; null: it is. */
  readonly refusalOf: (actor: Actor) => RpcRefusal | null;
  /** The answer to a call that the actor may not make now; null: they may. A tool that is null does not exist. */
  readonly denialOf: (actor: Actor, tool: AnyTool | null) => ToolCallResult | null;
  /** The answer where an operation refuses the call for lack of authority. */
  readonly deniedBy: (actor: Actor, refusal: Refusal) => ToolCallResult;
  readonly record: (call: CallDetails) => CallRecord;
  /** Resolves when no call waits to be recorded. */
  readonly settled: () => Promise<void>;
}
