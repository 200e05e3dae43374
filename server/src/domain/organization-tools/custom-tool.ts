/** Calls of a tool of the application (contract/organization-mcp.md#tools-of-the-application), within a time limit. */
import { invalidInput } from '../../kernel/errors.ts';
import { isRecord } from '../../kernel/records.ts';
import { isToolError, ToolError } from '../../kernel/tool-error.ts';
import { currentCorrelationId } from '../../platform/observability/context.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { currentMember } from '../access/authorize.ts';
import {
  type ArgumentIssue,
  answerOf,
  type CustomTool,
  type CustomToolCall,
  invalidArguments,
  type JsonSchema,
  maxAnswerBytes,
  type ToolAnswer,
} from '../tools/tool.ts';
import { membershipOf, requireScopes } from './organization-tool.ts';

/** The part of a schema that is used, of the adopter's copy of zod: public methods alone. */
export interface ForeignSchema {
  readonly safeParse: (value: unknown) => {
    readonly success: boolean;
    readonly data?: unknown;
    readonly error?: { readonly issues: readonly ArgumentIssue[] } | undefined;
  };
}

/** A definition that `read-tools.ts` has checked. */
interface ToolDefinition
  extends Pick<
    CustomTool,
    | 'name'
    | 'title'
    | 'description'
    | 'requiredScopes'
    | 'isReadOnly'
    | 'isDestructive'
    | 'inputSchema'
    | 'outputSchema'
  > {
  readonly input: ForeignSchema;
  readonly output: ForeignSchema;
  readonly run: (context: object, input: unknown) => unknown;
  readonly describe: (answer: unknown) => unknown;
}

export const customTool = (definition: ToolDefinition): CustomTool => {
  const { name, title, description, requiredScopes, isReadOnly, isDestructive, inputSchema, outputSchema } = definition;
  return {
    name,
    title,
    description,
    requiredScopes,
    isReadOnly,
    isDestructive,
    inputSchema,
    outputSchema,
    call: async (deps, actor, rawArguments, call) => {
      requireScopes(actor, requiredScopes);
      const { input, dryRun } = readArguments(definition, rawArguments);
      if (!isReadOnly) await call.begin();
      // The record may have been waited for: what the person lost meanwhile does not count any more.
      const now = isReadOnly ? actor : await currentMember(deps.database, actor);
      requireScopes(now, requiredScopes);
      const { organization } = membershipOf(now);
      const context = {
        actor: call.shown(now),
        organization: { id: organization.id, name: organization.name },
        correlationId: currentCorrelationId(),
        dryRun,
      };
      const answer = await runInTime(definition, call, deps.logger, (signal) =>
        definition.run({ ...context, signal }, input),
      );
      return checkedAnswer(definition, answer, deps.logger);
    },
  };
};

/** The schema of the arguments as clients see it, with `dryRun` where the tool may change something. */
export const withDryRun = (schema: JsonSchema): JsonSchema => {
  const { properties } = schema;
  return { ...schema, properties: { ...(isRecord(properties) ? properties : {}), dryRun } };
};

const dryRun = {
  type: 'boolean',
  default: false,
  description: 'true returns what would change, without changing anything.',
};

/** @throws Refusal BAD_USER_INPUT: names each argument that is refused */
const readArguments = ({ input, isReadOnly }: ToolDefinition, raw: unknown) => {
  const given = raw === undefined ? {} : raw;
  const { dryRun: asked = false, ...rest } = isReadOnly || !isRecord(given) ? {} : given;
  if (typeof asked !== 'boolean') throw invalidInput({ dryRun: 'This must be true or false.' });
  const own = isReadOnly || !isRecord(given) ? given : rest;
  const parsed = input.safeParse(own);
  if (!parsed.success) throw invalidArguments(parsed.error?.issues ?? [], own);
  return { input: parsed.data, dryRun: asked };
};

/**
 * Runs work whose signal ends with its time, or with the process.
 * @throws ToolError: the time is over, or the work threw it
 * @throws Error: whose cause is anything else that it threw
 */
const runInTime = async (
  { name, isReadOnly }: ToolDefinition,
  { timeoutMillis, closing }: CustomToolCall,
  logger: Logger,
  work: (signal: AbortSignal) => unknown,
): Promise<unknown> => {
  const controller = new AbortController();
  const ended = Promise.withResolvers<never>();
  const end = (words: string): void => {
    ended.reject(new Ended(`${words} ${isReadOnly ? '' : unknownOutcome}`.trim()));
    controller.abort(new DOMException(words, 'TimeoutError'));
  };
  const timer = setTimeout(() => {
    logger.warn({ event: 'mcp.tool_timed_out', tool: name }, 'A tool of the application did not answer in time');
    end(`The tool did not answer within ${timeoutMillis / 1000} seconds.`);
  }, timeoutMillis);
  const stop = (): void => end('The service is stopping.');
  closing.addEventListener('abort', stop);
  if (closing.aborted) stop();
  try {
    // Async, so that what the work throws at once is a rejection too.
    const run = async () => (controller.signal.aborted ? ended.promise : work(controller.signal));
    return await Promise.race([run(), ended.promise]);
  } catch (error) {
    if (error instanceof Ended || isToolError(error)) throw error;
    throw new Error(`The tool ${name} of the application failed`, { cause: error });
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', stop);
  }
};

/** The end of a call by the service. */
class Ended extends ToolError {}

const unknownOutcome = 'Whether it changed anything is not known.';

/** @throws ToolError: it is too large; Error: it is none of the tool's schema, without a value of it */
const checkedAnswer = (
  { name, output, describe, isReadOnly }: ToolDefinition,
  facts: unknown,
  logger: Logger,
): ToolAnswer => {
  const parsed = output.safeParse(facts);
  if (!parsed.success || !isRecord(parsed.data)) throw new Error(mismatch(name, parsed.error?.issues ?? []));
  const sentence = describe(parsed.data);
  if (typeof sentence !== 'string')
    throw new Error(`The tool ${name} of the application describes its answer by no text`);
  const answer = answerOf(sentence, parsed.data);
  const bytes = Buffer.byteLength(answer.text);
  if (bytes <= maxAnswerBytes) return answer;
  const line = { event: 'mcp.tool_answer_refused', tool: name, bytes } as const;
  logger.warn(line, 'An answer of a tool of the application was too large');
  const done = isReadOnly ? 'Ask it for less.' : 'The tool has run, and what it changed stays.';
  throw new ToolError(`The answer of this tool has more than ${maxAnswerBytes} bytes, so it is not sent. ${done}`);
};

const mismatch = (name: string, issues: readonly ArgumentIssue[]): string => {
  const places = issues.map(({ path, code }) => `${path.map(String).join('.') || 'the answer'} (${code ?? 'invalid'})`);
  return `The answer of the tool ${name} of the application does not match its output schema: ${places.join(', ')}`;
};
