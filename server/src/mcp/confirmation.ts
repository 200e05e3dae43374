/**
 * The question that a person answers before a destructive call runs, by the multi round-trip requests of MCP
 * 2026-07-28: the first call is answered with `input_required`, and the client sends it again with what the person
 * answered. The server keeps nothing in between. For clients without elicitation and revisions with a handshake, the
 * dry run, which the model is told to call first, stands in.
 */
import type { Actor } from '../domain/access/actor.ts';
import { dryRunPrefix } from '../domain/tools/outputs.ts';
import type { AnyTool, ToolAnswer } from '../domain/tools/tool.ts';
import { isRecord, type JsonRecord } from '../kernel/records.ts';
import type { Keyring } from '../kernel/secrets.ts';
import { metaKeys } from './client-metadata.ts';
import type { Mode } from './revisions.ts';

/**
 * Whether the client of a request shows forms to its person; an empty `elicitation` means forms (MCP 2026-07-28,
 * "Elicitation").
 * @param params of a request whose `_meta` is valid for its mode
 */
export const canAskPerson = (mode: Mode, params: unknown): boolean => {
  if (mode !== 'request') return false;
  const elicitation = memberOf(memberOf(memberOf(params, '_meta'), metaKeys.capabilities), 'elicitation');
  return isRecord(elicitation) && (isRecord(elicitation['form']) || Object.keys(elicitation).length === 0);
};

const memberOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

/** A call and its caller. */
export interface CallToConfirm {
  readonly actor: Actor;
  readonly tool: AnyTool;
  readonly arguments: unknown;
  /** The result of `argumentDigest` for the arguments. */
  readonly argumentDigest: string;
}

/** The next step: the call runs, the person is asked, or it ends by the answer or the state. */
type NextStep = 'run' | 'ask' | 'declined' | 'wrong_state';

const lifetimeMillis = 10 * 60 * 1000;
/** The key of the question and of its answer. */
const question = 'confirm';
const purpose = 'request state of a tool call';

/**
 * States of questions. A state is sealed under the session, the tool and the arguments that it is for. It names the
 * session, not the token, which a client may refresh while the person thinks.
 *
 * It may be used more than once: it only says that this caller was asked about this call, and the client could state
 * the answer again at any time. Each repetition is a call of its own, with its checks and a row in the record.
 */
export class Confirmations {
  readonly #keyring: Keyring;
  readonly #now: () => number;

  /** @param now milliseconds since 1970 */
  constructor(keyring: Keyring, now: () => number = Date.now) {
    this.#keyring = keyring;
    this.#now = now;
  }

  /**
   * A state that is given must be valid, with any call. An answer without a state, or one that is not for this
   * question, is ignored (MCP 2026-07-28, "Multi Round-Trip Requests").
   */
  nextStep(call: CallToConfirm, params: JsonRecord, canAsk: boolean): NextStep {
    const { requestState, inputResponses } = params;
    if (requestState !== undefined) {
      if (!this.#isValid(call, requestState)) return 'wrong_state';
      const isConfirmed = answerIn(inputResponses);
      if (isConfirmed !== null) return isConfirmed ? 'run' : 'declined';
    }
    return canAsk && isChange(call) ? 'ask' : 'run';
  }

  /** A new state for a question about this call: opaque text. */
  stateFor(call: CallToConfirm): string {
    const expiresAt = this.#now() + lifetimeMillis;
    return this.#keyring.seal(purpose, contextOf(call), String(expiresAt)).toString('base64url');
  }

  #isValid(call: CallToConfirm, state: unknown): boolean {
    if (typeof state !== 'string') return false;
    const expiresAt = this.#keyring.open(purpose, contextOf(call), Buffer.from(state, 'base64url'));
    return expiresAt !== null && this.#now() < Number(expiresAt);
  }
}

/** None of the parts contains a line break. */
const contextOf = ({ actor, tool, argumentDigest }: CallToConfirm): string =>
  [actor.user.id, actor.credential.sessionFamilyId, tool.name, argumentDigest].join('\n');

const isChange = ({ tool, arguments: given }: CallToConfirm): boolean =>
  tool.isDestructive && memberOf(given, 'dryRun') !== true;

/** Whether the person confirmed; null when the question is not answered. */
const answerIn = (responses: unknown): boolean | null => {
  const answer = memberOf(responses, question);
  const action = memberOf(answer, 'action');
  if (action === 'decline' || action === 'cancel') return false;
  const confirmed = memberOf(memberOf(answer, 'content'), question);
  return action === 'accept' && typeof confirmed === 'boolean' ? confirmed : null;
};

// The question, in words.

/** In characters; a person reads no more. */
const longestArguments = 500;

/** Characters that reorder what a person sees: names and arguments are chosen by others. */
const directions = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** The members of a result that asks the person. */
export interface Question {
  readonly inputRequests: JsonRecord;
  readonly requestState: string;
}

/** Asks in the words of the dry run, `preview`, with the arguments as they are sent. */
export const questionAbout = (call: CallToConfirm, preview: ToolAnswer, requestState: string): Question => {
  const [sentence = ''] = preview.text.split('\n');
  const message = [
    `${call.tool.title}: ${changeIn(sentence)} Nothing has been changed yet.`,
    `Arguments: ${shortened(JSON.stringify(call.arguments ?? {}))}`,
  ].join('\n');
  const confirm = { type: 'boolean', title: 'Make this change', description: 'Otherwise nothing is changed.' };
  const requestedSchema = { type: 'object', properties: { [question]: confirm }, required: [question] };
  const params = { mode: 'form', message: message.replaceAll(directions, ''), requestedSchema };
  return { inputRequests: { [question]: { method: 'elicitation/create', params } }, requestState };
};

const changeIn = (sentence: string): string =>
  sentence.startsWith(dryRunPrefix) ? sentence.slice(dryRunPrefix.length) : sentence;

const shortened = (text: string): string =>
  text.length > longestArguments ? `${text.slice(0, longestArguments)}…` : text;

/** The text for the model when the person declined, dismissed the question or left it unconfirmed. */
export const declinedInWords =
  'DECLINED: The person did not confirm this call, so nothing was changed. Do not repeat it unless they ask for it.';
