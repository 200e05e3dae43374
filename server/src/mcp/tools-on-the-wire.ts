/** Tools and what comes of calling them, as MCP clients receive them. */
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ToolAnswer } from '../domain/tools/answer.ts';
import { inputSchemaOf, outputSchemaOf, type Tool } from '../domain/tools/tool.ts';
import type { Refusal } from '../kernel/errors.ts';
import { correlationMeta, unavailable } from './rpc.ts';
import type { ToolCallResult } from './tool-calls.ts';

const hintsOf = ({ isReadOnly, isDestructive, isIdempotent = isReadOnly }: Tool) => ({
  readOnlyHint: isReadOnly,
  destructiveHint: isDestructive,
  idempotentHint: isIdempotent,
  // Nothing beyond this service is looked at or changed.
  openWorldHint: false,
});

/** One entry of tools/list. */
export const listedTool = (tool: Tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: { ...inputSchemaOf(tool), type: 'object' as const },
  outputSchema: { ...outputSchemaOf(tool), type: 'object' as const },
  annotations: hintsOf(tool),
});

/**
 * The answer to a call.
 * @throws ProtocolError for what no model can mend by other arguments
 */
export const answerOf = (result: ToolCallResult, correlationId: string) => {
  if (result.kind === 'success') return successful(result.answer, correlationId);
  if (result.kind === 'refused') return failed(inWords(result.refusal), correlationId);
  if (result.kind === 'failed') return failed(defectInWords(correlationId), correlationId);
  throw refusedCall(result.kind, correlationId);
};

const successful = ({ structured, text }: ToolAnswer, correlationId: string) => ({
  content: [{ type: 'text' as const, text }],
  structuredContent: { ...structured },
  _meta: correlationMeta(correlationId),
});

const failed = (text: string, correlationId: string) => ({
  content: [{ type: 'text' as const, text }],
  isError: true,
  _meta: correlationMeta(correlationId),
});

/** Refusals name fields and never quote a value (`kernel/errors.ts`). */
const inWords = ({ code, message, details }: Refusal): string => {
  const fields = Object.entries(details.fields ?? {}).map(([field, reason]) => `- ${field}: ${reason}`);
  const { retryAfterSeconds: seconds } = details;
  const retry = seconds === undefined ? [] : [`Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`];
  return [`${code}: ${message}`, ...fields, ...retry].join('\n');
};

const defectInWords = (correlationId: string): string =>
  `INTERNAL: Something went wrong on our side. Whoever runs the service finds it in the log under ${correlationId}.`;

/** A tool that the actor may not call and one that does not exist look the same. */
const callErrors = {
  denied: {
    code: ProtocolErrorCode.InvalidParams,
    message:
      'There is no such tool for you: it does not exist, or it needs a scope that was not granted or is not held any more. tools/list names those that you may call.',
  },
  unavailable,
} as const;

const refusedCall = (kind: keyof typeof callErrors, correlationId: string): ProtocolError => {
  const { code, message } = callErrors[kind];
  return new ProtocolError(code, message, { _meta: correlationMeta(correlationId) });
};
