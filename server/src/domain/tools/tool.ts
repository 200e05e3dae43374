/**
 * What a tool of Platform MCP is: a name, words for a model and for the person who watches it, the scopes it needs, the
 * strict shapes of what it takes and answers, and an operation that it calls. `catalogue.ts` lists them all.
 */
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { MailQueue } from '../../platform/mail/outbox.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import type { Actor } from '../access/actor.ts';
import { requireSuperAdmin } from '../access/authorize.ts';
import type { PlatformScope } from '../scopes/scopes.ts';
import { answerInSize, answerOf, type ToolAnswer } from './answer.ts';
import { readArguments } from './arguments.ts';

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
  readonly shorten?: (facts: Facts, mostRows: number) => Facts;
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
    return answerInSize((mostRows) => {
      const shown = shorten(facts, mostRows);
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
