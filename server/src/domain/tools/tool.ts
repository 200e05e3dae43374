/**
 * What an MCP tool is: its definition, its arguments, its result and the dependencies that it receives.
 */
import { z } from 'zod';
import { invalidInput, Refusal } from '../../kernel/errors.ts';
import { isRecord } from '../../kernel/records.ts';
import type { Database } from '../../platform/database/database.ts';
import type { MailQueue } from '../../platform/mail/outbox.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import type { RateLimits } from '../../platform/rate-limit/rate-limits.ts';
import type { Actor } from '../access/actor.ts';
import { requireSuperAdmin } from '../access/authorize.ts';
import type { PlatformScope } from '../scopes/scopes.ts';

// What a tool of Platform MCP is: a name, words for a model and for the person who watches it, the scopes it needs, the
// strict shapes of what it takes and answers, and an operation that it calls. `catalogue.ts` lists them all.

/** What the operations behind the tools need. */
export interface ToolDeps {
  readonly database: Database;
  readonly logger: Logger;
  readonly mail: MailQueue;
  readonly limits: RateLimits;
  readonly settings: { readonly frontendUrl: string };
}

/** Never empty: a tool that needs no scope would be everybody's (specification, "MCP tool catalog entry"). */
export type RequiredScopes = readonly [PlatformScope, ...PlatformScope[]];

interface ToolTraits {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly requiredScopes: RequiredScopes;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  /** Whether a repeated call changes nothing more. Every tool that only reads is so. */
  readonly isIdempotent?: boolean;
}

export interface Tool extends ToolTraits {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /**
   * Runs the tool. One that changes something does so in exactly one transaction.
   * @param rawArguments as they came from outside; undefined is none
   * @throws Refusal FORBIDDEN when the actor is no super admin with the required scopes; BAD_USER_INPUT naming the
   *   arguments that are refused; whatever the operation throws
   */
  call(deps: ToolDeps, actor: Actor, rawArguments: unknown): Promise<ToolAnswer>;
}

interface ToolDefinition<Shape extends z.core.$ZodLooseShape, Wire, Facts extends Wire> extends ToolTraits {
  readonly input: z.ZodObject<Shape, z.core.$strict>;
  /** What it names leaves the service, and nothing else of the facts does. */
  readonly output: z.ZodType<Wire, Record<string, unknown>>;
  readonly run: (deps: ToolDeps, actor: Actor, input: z.output<z.ZodObject<Shape, z.core.$strict>>) => Promise<Facts>;
  /** One sentence for the person who watches the conversation. */
  readonly describe: (facts: Facts) => string;
  /** The same facts with at most so many rows in each list. Needed of a tool whose lists can outgrow an answer. */
  readonly shorten?: (facts: Facts, maxRows: number) => Facts;
}

/** Makes a tool whose arguments are parsed and whose authority is checked before anything runs. */
export const defineTool = <Shape extends z.core.$ZodLooseShape, Wire, Facts extends Wire>({
  run,
  describe,
  shorten = (facts) => facts,
  ...tool
}: ToolDefinition<Shape, Wire, Facts>): Tool => ({
  ...tool,
  call: async (deps, actor, rawArguments) => {
    requireSuperAdmin(actor, tool.requiredScopes);
    const facts = await run(deps, actor, readArguments(tool.input, rawArguments));
    return answerInSize((maxRows) => {
      const shown = shorten(facts, maxRows);
      return answerOf(describe(shown), z.encode(tool.output, shown));
    });
  },
});

type JsonSchema = Readonly<Record<string, unknown>>;

/** Computes a schema of each tool once. */
const onceForEach = (print: (tool: Tool) => JsonSchema): ((tool: Tool) => JsonSchema) => {
  const printed = new WeakMap<Tool, JsonSchema>();
  return (tool) => {
    const known = printed.get(tool);
    if (known !== undefined) return known;
    const schema = print(tool);
    printed.set(tool, schema);
    return schema;
  };
};

/** JSON Schema 2020-12 of what travels; objects hold what is named and nothing else. */
const jsonSchemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type === 'object') jsonSchema.additionalProperties = false;
    },
  });

/** JSON Schema of a tool's arguments. */
export const inputSchemaOf = onceForEach((tool) => jsonSchemaOf(tool.input));

/** JSON Schema of a tool's structured answer. */
export const outputSchemaOf = onceForEach((tool) => jsonSchemaOf(tool.output));

// The answer of a tool, once for a program and once as text (MCP, "Structured Content"; contract, "Development"): the
// text is one sentence and, on the next line, the structured content serialized, so that a client that reads only text
// has every id, cursor and instant that its next call needs.

export interface ToolAnswer {
  /** As `outputSchemaOf` says; JSON values only. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** One sentence, a line break, and `structured` as JSON. */
  readonly text: string;
}

/** 25 KB of UTF-8: clients cut off longer texts. */
export const maxBytes = 25_000;

/** @param sentence names in it were chosen by strangers: line breaks are taken out, so that JSON is all of the second line */
export const answerOf = (sentence: string, structured: ToolAnswer['structured']): ToolAnswer => ({
  structured,
  text: `${sentence.replaceAll(/\s+/g, ' ')}\n${JSON.stringify(structured)}`,
});

/**
 * The answer with as many rows as fit into {@link maxBytes}.
 * @param print the answer with at most so many rows in each of its lists
 * @returns an answer without lists, or with one row in each, is answered whatever its length
 */
export const answerInSize = (print: (maxRows: number) => ToolAnswer): ToolAnswer => {
  let answer = print(Number.POSITIVE_INFINITY);
  for (;;) {
    const bytes = Buffer.byteLength(answer.text);
    const rows = maxListLengthIn(answer);
    if (bytes <= maxBytes || rows <= 1) return answer;
    // Rows are about as long as each other; each round takes at least one away.
    answer = print(Math.max(1, Math.floor((rows * maxBytes) / bytes)));
  }
};

const maxListLengthIn = ({ structured }: ToolAnswer): number =>
  Math.max(0, ...Object.values(structured).map((value) => (Array.isArray(value) ? value.length : 0)));

// Arguments of a tool as they come from outside: parsed strictly, and refused in sentences that name the argument and
// never quote what was sent.

/**
 * The arguments that a tool takes, with its defaults.
 * @param raw undefined is no arguments
 * @throws Refusal BAD_USER_INPUT naming each argument that is unknown, missing or of another form
 */
export const readArguments = <Shape extends z.core.$ZodLooseShape>(
  input: z.ZodObject<Shape, z.core.$strict>,
  raw: unknown,
): z.output<z.ZodObject<Shape, z.core.$strict>> => {
  const parsed = input.safeParse(raw === undefined ? {} : raw);
  if (parsed.success) return parsed.data;
  throw refusalOf(parsed.error.issues, raw);
};

/**
 * The answer to a question about what one argument names.
 * @throws whatever the work throws; Refusal NOT_FOUND with the argument's name
 */
export const lookUp = async <Result>(argument: string, work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'NOT_FOUND') throw error;
    throw new Refusal(error.code, error.message, { fields: { [argument]: unknownId } }, { cause: error });
  }
};

const unknownId = 'Nothing has this id. The lists give the ids that there are.';

/** Stands for the arguments as a whole, and for one whose name is better not repeated. */
const whole = 'arguments';

const refusalOf = (issues: readonly z.core.$ZodIssue[], raw: unknown): Refusal =>
  invalidInput(Object.fromEntries(issues.flatMap((issue) => reasonsOf(issue, raw)).reverse()));

const reasonsOf = (issue: z.core.$ZodIssue, raw: unknown): readonly (readonly [string, string])[] => {
  if (issue.code === 'unrecognized_keys') return unknownFields(issue.keys);
  const [name] = issue.path;
  if (typeof name !== 'string') return [[whole, reasonOf(issue)]];
  const isGiven = isRecord(raw) && raw[name] !== undefined;
  return [[name, isGiven ? reasonOf(issue) : 'This argument is required.']];
};

const maxUnknownFields = 10;

const unknownFields = (names: readonly string[]): readonly (readonly [string, string])[] =>
  names.slice(0, maxUnknownFields).map((name) => [isRepeatable(name) ? name : whole, 'This tool knows no such field.']);

/** A name as long as a token is, or one that means something to objects, is not given back. */
const isRepeatable = (name: string): boolean => /^[A-Za-z][A-Za-z0-9_]{0,31}$/.test(name) && !(name in {});

const formOf = new Map([
  ['string', 'This must be a text.'],
  ['number', 'This must be a whole number.'],
  ['int', 'This must be a whole number.'],
  ['boolean', 'This must be true or false.'],
  ['object', 'The arguments must be an object.'],
]);

const reasonOf = (issue: z.core.$ZodIssue): string => {
  if (issue.code === 'invalid_type') return formOf.get(issue.expected) ?? 'This is not what the tool takes.';
  if (issue.code === 'invalid_value') return `This must be one of: ${issue.values.join(', ')}.`;
  // Sentences of our own, from the definition of the tool.
  return issue.message;
};
