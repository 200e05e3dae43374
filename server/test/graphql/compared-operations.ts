/** Runs an operation compiled and on graphql-js, over the same data, and compares what comes of it. */
import {
  type ExecutionResult,
  execute,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql';
import { expect } from 'vitest';
import { type CompiledOperation, compileOperation } from '../../src/graphql/compilation.ts';
import { createDocuments, type Documents } from '../../src/graphql/documents.ts';
import { showExecutionError } from '../../src/graphql/error-format.ts';
import { countRootFields, fragmentsOf } from '../../src/graphql/limits.ts';
import { makeResolversPlain } from '../../src/graphql/plain-resolvers.ts';
import { coerceVariables, declaredVariables, type VariableValues } from '../../src/graphql/variables.ts';
import { trapSchema } from './trap-schema.ts';

export const reference = trapSchema();
export const plain = trapSchema();
makeResolversPlain(plain);

interface Outcome {
  readonly data: unknown;
  /** Path and code of each error, in the order of their paths. */
  readonly errors: readonly string[];
  readonly ran: readonly string[];
}

export const outcomeOf = async (
  run: (ran: string[]) => Promise<ExecutionResult> | ExecutionResult,
): Promise<Outcome> => {
  const ran: string[] = [];
  const result = await withoutTraces(() => run(ran));
  const errors = (result.errors ?? []).map((error) => {
    const shown = showExecutionError(error, () => 'id');
    return JSON.stringify([shown.path, shown.extensions.code, shown.message, shown.locations]);
  });
  const data: unknown = JSON.parse(JSON.stringify(result.data ?? null));
  return { data, errors: [...new Set(errors)].sort(), ran };
};

/** Thousands of errors are made on purpose, and what Vitest makes of the stack of each takes longer than the rest. */
const withoutTraces = async <T>(run: () => Promise<T> | T): Promise<T> => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

export const onReference = (text: string, variables: VariableValues): Promise<Outcome> =>
  outcomeOf((ran) =>
    execute({ schema: reference, document: parse(text), contextValue: ran, variableValues: variables }),
  );

export const compile = (
  schema: GraphQLSchema,
  text: string,
): { compiled: CompiledOperation | null; node: OperationDefinitionNode } => {
  const document = parse(text);
  const node = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (node === undefined) throw new Error('The document has no operation');
  const roots = countRootFields(node, fragmentsOf(document));
  const count = [...roots.values()].reduce((sum, some) => sum + some, 0);
  return { compiled: compileOperation(schema, document, node, count), node };
};

/** The outcome of the compiled operation; null when it is left to graphql-js. */
export const onCompiled = async (text: string, variables: VariableValues): Promise<Outcome | null> => {
  const { compiled, node } = compile(plain, text);
  if (compiled === null) return null;
  const coerced = coerceVariables(declaredVariables(plain, node), variables);
  if ('errors' in coerced) throw new Error('The variables are not valid');
  return outcomeOf((ran) => compiled(ran, coerced.values));
};

/**
 * graphql-js stops inside a selection that is already null; the compiled executor goes on and may tell more errors
 * from there. Both are what the specification allows. All other differences are failures.
 */
const expectSame = (compiled: Outcome, expected: Outcome, text: string): void => {
  expect(compiled.data, text).toEqual(expected.data);
  expect(compiled.ran, text).toEqual(expected.ran);
  const extra = compiled.errors.filter((error) => !expected.errors.includes(error));
  const missing = expected.errors.filter((error) => !compiled.errors.includes(error));
  for (const error of [...extra, ...missing])
    expect(liesInNull(error, expected.data), `${error} in ${text}`).toBe(true);
  expect(compiled.errors.length === 0, text).toBe(expected.errors.length === 0);
};

/** Whether the path of an error ends inside something that became null above it. */
const liesInNull = (error: string, data: unknown): boolean => {
  const [path] = JSON.parse(error) as [(string | number)[]];
  let current = data;
  for (const step of path) {
    if (current === null) return true;
    current = (current as Record<string | number, unknown>)[step];
  }
  return false;
};

/** What the document cache makes of an operation: on graphql-js the first time, compiled or not from the second on. */
export const expectSameThroughCache = async (
  documents: Documents,
  text: string,
  given: VariableValues,
): Promise<void> => {
  const expected = await onReference(text, given);
  for (let round = 0; round < 3; round += 1) {
    const prepared = documents.prepare(text, null);
    if ('errors' in prepared) throw new Error(`Refused: ${prepared.errors[0]?.message}`);
    const coerced = coerceVariables(prepared.operation.variables, given);
    if ('errors' in coerced) throw new Error('The variables are not valid');
    expectSame(await outcomeOf((ran) => prepared.operation.run(ran, given, coerced.values)), expected, text);
  }
};

export const documentsOfPlain = (): Documents =>
  createDocuments({
    schema: plain,
    introspection: true,
    limits: { tokens: 100_000, lines: 100_000, depth: 1000, aliases: 1000, bodyBytes: 1 },
    loneMutations: new Set(),
  });

export const compare = async (text: string, variables: VariableValues = {}): Promise<'compiled' | 'left'> => {
  expect(validate(reference, parse(text)), text).toEqual([]);
  const [expected, compiled] = [await onReference(text, variables), await onCompiled(text, variables)];
  if (compiled === null) return 'left';
  expectSame(compiled, expected, text);
  return 'compiled';
};

const typeOfQuery = (): GraphQLObjectType => {
  const type = reference.getQueryType();
  if (!type) throw new Error('The schema has no Query');
  return type;
};

export const queryType = typeOfQuery();
