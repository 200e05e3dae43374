/** The definition of an MCP tool, its arguments, its answer and the dependencies that it receives. */
import { z } from 'zod';
import type { Actor as ShownActor } from '../../gatehouse.d.ts';
import { invalidInput, Refusal } from '../../kernel/errors.ts';
import { isRecord } from '../../kernel/records.ts';
import type { Actor } from '../access/actor.ts';
import { requireSuperAdmin } from '../access/authorize.ts';
import type { Deps, Settings } from '../access/deps.ts';
import type { PlatformScope } from '../scopes/scopes.ts';

// The tools of Platform MCP are in `catalogue.ts`.

/** Dependencies of the operations behind the tools. */
export type ToolDeps = Deps<'application' | 'database' | 'logger' | 'mail' | 'limits' | 'signIns'> &
  Settings<'frontendUrl'>;

/** Never empty: every super admin could call a tool without scopes (contract/platform-mcp.md#required-scopes). */
type RequiredScopes<Scope extends string> = readonly [Scope, ...Scope[]];

interface ToolTraits<Scope extends string> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly requiredScopes: RequiredScopes<Scope>;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
  /** Whether a repeated call changes nothing more. Read-only tools always are idempotent. */
  readonly isIdempotent?: boolean;
}

/** A tool of the service; by default one of Platform MCP. */
export interface Tool<Scope extends string = PlatformScope> extends ToolTraits<Scope> {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /**
   * Runs the tool; changes happen in exactly one transaction.
   * @param rawArguments as received; undefined means none
   * @throws Refusal FORBIDDEN: no authority; BAD_USER_INPUT: names the refused arguments; as the operation
   */
  call(deps: ToolDeps, actor: Actor, rawArguments: unknown): Promise<ToolAnswer>;
  /** Runs the checks of a call with nothing changed. @returns the answer of a dry run @throws as the call would now */
  preview(deps: ToolDeps, actor: Actor, rawArguments: unknown): Promise<ToolAnswer>;
}

export interface CustomToolCall {
  /** An actor as the application sees it. */
  readonly shown: (actor: Actor) => ShownActor;
  /** Called once the arguments are accepted, before a tool runs that may change something. */
  readonly begin: () => Promise<void>;
  /** How long a tool may run. */
  readonly timeoutMillis: number;
  /** Aborted when the endpoint closes. */
  readonly closing: AbortSignal;
}

/** A tool that the adopter defined, with schemas of the adopter's own copy of zod. */
export interface CustomTool extends ToolTraits<string> {
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  /**
   * Runs the tool; no transaction of the service contains what it changes.
   * @throws Refusal BAD_USER_INPUT: names the refused arguments; UNAUTHENTICATED or FORBIDDEN: authority has ended
   * @throws ToolError
   */
  call(deps: ToolDeps, actor: Actor, rawArguments: unknown, call: CustomToolCall): Promise<ToolAnswer>;
}

/** A tool as clients see it. */
export type AnyTool = Tool<string> | CustomTool;

type Run<Shape extends z.core.$ZodLooseShape, Facts> = (
  deps: ToolDeps,
  actor: Actor,
  input: z.output<z.ZodObject<Shape, z.core.$strict>>,
) => Promise<Facts>;

interface ToolDefinition<Scope extends string, Shape extends z.core.$ZodLooseShape, Wire, Facts extends Wire>
  extends ToolTraits<Scope> {
  readonly input: z.ZodObject<Shape, z.core.$strict>;
  /** Only the fields that it names leave the service. */
  readonly output: z.ZodType<Wire, Record<string, unknown>>;
  readonly run: Run<Shape, Facts>;
  /** A dry run that is refused wherever the change would be. Default: `run` with `dryRun`. */
  readonly preview?: Run<Shape, Facts>;
  /** One sentence for the user who watches the conversation. */
  readonly describe: (facts: Facts) => string;
  /** The same result with at most `maxRows` rows in each list. Required for a tool whose lists can exceed an answer. */
  readonly shorten?: (facts: Facts, maxRows: number) => Facts;
}

/** Makes the function that defines tools of a kind: they parse their arguments, and check authority before they run. */
export const definingTools =
  <Scope extends string>(authorize: (actor: Actor, needed: readonly Scope[]) => void) =>
  <Shape extends z.core.$ZodLooseShape, Wire, Facts extends Wire>({
    run,
    preview = (deps, actor, input) => run(deps, actor, { ...input, dryRun: true }),
    describe,
    shorten = (facts) => facts,
    ...tool
  }: ToolDefinition<Scope, Shape, Wire, Facts>): Tool<Scope> => {
    const answering =
      (work: Run<Shape, Facts>): Tool['call'] =>
      async (deps, actor, rawArguments) => {
        authorize(actor, tool.requiredScopes);
        const facts = await work(deps, actor, readArguments(tool.input, rawArguments));
        return answerInSize((maxRows) => {
          const shown = shorten(facts, maxRows);
          return answerOf(describe(shown), z.encode(tool.output, shown));
        });
      };
    return { ...tool, call: answering(run), preview: answering(preview) };
  };

/** Scopes of read-only tools first: clients may request those in the challenge alone (RFC 6750, section 3). */
export const scopesOf = <Scope extends string>(
  tools: readonly { readonly isReadOnly: boolean; readonly requiredScopes: readonly Scope[] }[],
): readonly Scope[] => [
  ...new Set(
    [true, false].flatMap((isReadOnly) =>
      tools.filter((tool) => tool.isReadOnly === isReadOnly).flatMap(({ requiredScopes }) => requiredScopes),
    ),
  ),
];

/** Makes a tool of Platform MCP. */
export const defineTool = definingTools<PlatformScope>(requireSuperAdmin);

export type JsonSchema = Readonly<Record<string, unknown>>;

// An answer is structured and also text (MCP, "Structured Content"; contract/platform-mcp.md#size-of-answers): a
// sentence and the serialized content, so that a client that reads only text has every id, cursor and instant.

export interface ToolAnswer {
  /** Conforms to `outputSchemaOf`; JSON values only. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** `structured`, serialized. */
  readonly json: string;
  /** One sentence, a line break, and `json`. */
  readonly text: string;
}

/** 25 KB of UTF-8: clients truncate longer texts. */
export const maxAnswerBytes = 25_000;

/** @param sentence may contain untrusted names: without line breaks, so that the second line is the JSON alone */
export const answerOf = (sentence: string, structured: ToolAnswer['structured']): ToolAnswer => {
  const json = JSON.stringify(structured);
  return { structured, json, text: `${sentence.replaceAll(/\s+/g, ' ')}\n${json}` };
};

/** @param print with at most so many rows of a list @returns what fits {@link maxAnswerBytes}, or one row of each */
const answerInSize = (print: (maxRows: number) => ToolAnswer): ToolAnswer => {
  let answer = print(Number.POSITIVE_INFINITY);
  for (;;) {
    const bytes = Buffer.byteLength(answer.text);
    const rows = maxListLengthIn(answer);
    if (bytes <= maxAnswerBytes || rows <= 1) return answer;
    // Rows are of similar length; each round removes at least one.
    answer = print(Math.max(1, Math.floor((rows * maxAnswerBytes) / bytes)));
  }
};

const maxListLengthIn = ({ structured }: ToolAnswer): number =>
  Math.max(0, ...Object.values(structured).map((value) => (Array.isArray(value) ? value.length : 0)));

// Arguments of a tool: parsed strictly, and refused with sentences that name the argument and never quote its value.

/** @param raw undefined means none @throws Refusal BAD_USER_INPUT: names each unknown, missing or malformed argument */
const readArguments = <Shape extends z.core.$ZodLooseShape>(
  input: z.ZodObject<Shape, z.core.$strict>,
  raw: unknown,
): z.output<z.ZodObject<Shape, z.core.$strict>> => {
  const parsed = input.safeParse(raw === undefined ? {} : raw);
  if (parsed.success) return parsed.data;
  throw invalidArguments(parsed.error.issues, raw);
};

/** @throws Refusal NOT_FOUND: the work refused so; names the argument @throws as the work */
export const lookUp = async <Result>(argument: string, work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'NOT_FOUND') throw error;
    throw new Refusal(error.code, error.message, { fields: { [argument]: unknownId }, cause: error });
  }
};

const unknownId = 'No object has this id. The list tools return the existing ids.';

/** Denotes the arguments as a whole, and an argument whose name must not be repeated. */
const whole = 'arguments';

/** An issue of any copy of zod. */
export interface ArgumentIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: string;
  readonly keys?: readonly string[];
  readonly values?: readonly unknown[];
}

export const invalidArguments = (issues: readonly ArgumentIssue[], raw: unknown): Refusal =>
  invalidInput(Object.fromEntries(issues.flatMap((issue) => reasonsOf(issue, raw)).reverse()));

const reasonsOf = (issue: ArgumentIssue, raw: unknown): readonly (readonly [string, string])[] => {
  if (issue.code === 'unrecognized_keys') return unknownFields(issue.keys ?? []);
  const [name] = issue.path;
  if (typeof name !== 'string') return [[whole, reasonOf(issue)]];
  const isGiven = isRecord(raw) && raw[name] !== undefined;
  return [[name, isGiven ? reasonOf(issue) : 'This argument is required.']];
};

const maxUnknownFields = 10;

const unknownFields = (names: readonly string[]): readonly (readonly [string, string])[] =>
  names
    .slice(0, maxUnknownFields)
    .map((name) => [isRepeatable(name) ? name : whole, 'This tool has no such argument.']);

/** A name as long as a token, or one that objects define themselves, is not repeated in a refusal. */
const isRepeatable = (name: string): boolean => /^[A-Za-z][A-Za-z0-9_]{0,31}$/.test(name) && !(name in {});

const formOf = new Map([
  ['string', 'This must be a string.'],
  ['number', 'This must be a whole number.'],
  ['int', 'This must be a whole number.'],
  ['boolean', 'This must be true or false.'],
  ['object', 'The arguments must be an object.'],
]);

const reasonOf = (issue: ArgumentIssue): string => {
  if (issue.code === 'invalid_type') return formOf.get(issue.expected ?? '') ?? 'This value is not valid for the tool.';
  if (issue.code === 'invalid_value') return `This must be one of: ${(issue.values ?? []).join(', ')}.`;
  // Messages defined by the tool itself.
  return issue.message;
};
