/**
 * From the text of a document to an operation that can run, once for each text and operation name.
 *
 * Parse, then limits, then validation, then choice of the operation: nothing runs that has not passed them all. What
 * passed is kept, least recently used first out, bounded in number and in weight. What was refused is not kept.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { malformed, placeOf, type ShownError, syntaxMessage } from './error-format.ts';
import {
  checkDocumentCost,
  checkLines,
  checkLoneMutations,
  countRootFields,
  fragmentsOf,
  type Limits,
  tooCostly,
} from './limits.ts';
import { rootKeysOf } from './root-keys.ts';
import { createValidation } from './validation.ts';
import { declaredVariables, type Variable, type VariableValues } from './variables.ts';

/** What is known of an operation before it runs. */
export interface OperationFacts {
  readonly kind: 'query' | 'mutation';
  readonly name: string | null;
  /** Names (not aliases) of the fields at the root, each once, whatever directives say; `__typename` is left out. */
  readonly rootFields: readonly string[];
  /** Names (not aliases) of all fields that the document mentions, at any depth, whatever directives say. */
  readonly fields: ReadonlySet<string>;
}

/** An operation that passed every check. */
export interface Operation {
  readonly facts: OperationFacts;
  /** The field behind each key at the root of the answer, without `__typename`. */
  readonly rootKeys: ReadonlyMap<string, string>;
  readonly variables: readonly Variable[];
  /** `given` are the client's variables, which checkVariables accepted. Never throws for what a resolver does. */
  run(context: unknown, given: VariableValues): Promise<ExecutionResult> | ExecutionResult;
}

/** The operation, or why the document is not accepted. Costly documents throw a Refusal. */
export type Prepared = { readonly operation: Operation } | { readonly errors: readonly ShownError[] };

export interface DocumentOptions {
  readonly schema: GraphQLSchema;
  readonly introspection: boolean;
  readonly limits: Limits;
  readonly loneMutations: ReadonlySet<string>;
  /** Operations kept. Default 500. */
  readonly maxKept?: number;
}

export interface Documents {
  /** `operationName` chooses among several operations; null where there is one. */
  prepare(text: string, operationName: string | null): Prepared;
  /** Operations kept at the moment. */
  readonly size: number;
}

/** Bytes that the kept documents may hold alive, estimated by what was measured for parsed documents. */
const maxWeight = 16 * 1024 * 1024;
const weightOfDocument = 4 * 1024;
const weightOfToken = 350;

interface Kept {
  readonly operationName: string | null;
  readonly operation: Operation;
  readonly weight: number;
}

/** The documents of a schema. */
export const createDocuments = (options: DocumentOptions): Documents => {
  const { schema } = options;
  const validation = createValidation(schema, options.introspection);
  const kept = new LRUCache<string, Kept>({
    max: options.maxKept ?? 500,
    maxSize: maxWeight,
    sizeCalculation: (entry) => entry.weight,
  });

  const accept = (text: string, operationName: string | null): Prepared & { readonly weight?: number } => {
    checkLines(text, options.limits);
    const document = parseWithin(text, options.limits.tokens);
    if (document instanceof GraphQLError) return { errors: [malformed(syntaxMessage(document), placeOf(document))] };
    checkDocumentCost(document, options.limits);
    const errors = validation(document);
    if (errors.length > 0) return { errors };
    const chosen = chooseOperation(document, operationName);
    if (typeof chosen === 'string') return { errors: [malformed(chosen)] };
    const rootFields = countRootFields(chosen, fragmentsOf(document));
    checkLoneMutations(chosen, fragmentsOf(document), options.loneMutations);
    const tokens = document.tokenCount ?? text.length;
    const weight = weightOfDocument + text.length + weightOfToken * tokens;
    return { operation: createOperation(schema, document, chosen, rootFields.keys()), weight };
  };

  return {
    prepare: (text, operationName) => {
      const key = operationName === null ? text : `${text}\u0000${operationName}`;
      const found = kept.get(key);
      if (found !== undefined && found.operationName === operationName) return found;
      const prepared = accept(text, operationName);
      if ('operation' in prepared) {
        kept.set(key, { operationName, operation: prepared.operation, weight: prepared.weight ?? maxWeight });
      }
      return prepared;
    },
    get size() {
      return kept.size;
    },
  };
};

const parseWithin = (text: string, tokens: number): DocumentNode | GraphQLError => {
  try {
    return parse(text, { maxLexicalTokens: tokens });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (!/^Syntax Error: Document contains more tha[nt] \d+ tokens\./.test(error.message)) return error;
    throw tooCostly(`The document has more than ${tokens} tokens.`);
  }
};

/** The operation, or the sentence that says why there is none. */
const chooseOperation = (document: DocumentNode, name: string | null): OperationDefinitionNode | string => {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (name === null && operations.length > 1)
    return 'The document has several operations: operationName must choose one.';
  const chosen = name === null ? operations[0] : operations.find((operation) => operation.name?.value === name);
  if (chosen === undefined)
    return name === null ? 'The document has no operation.' : 'The document has no operation of that name.';
  return chosen.operation === 'subscription' ? 'Subscriptions are not served.' : chosen;
};

const createOperation = (
  schema: GraphQLSchema,
  document: DocumentNode,
  node: OperationDefinitionNode,
  rootFields: Iterable<string>,
): Operation => {
  const name = node.name?.value ?? null;
  return {
    facts: {
      kind: node.operation === 'mutation' ? 'mutation' : 'query',
      name,
      rootFields: [...rootFields].filter((field) => field !== '__typename'),
      fields: fieldsOf(document),
    },
    rootKeys: rootKeysOf(node, fragmentsOf(document)),
    variables: declaredVariables(schema, node),
    run: (contextValue, variableValues) =>
      execute({ schema, document, contextValue, variableValues, operationName: name }),
  };
};

const fieldsOf = (document: DocumentNode): ReadonlySet<string> => {
  const names = new Set<string>();
  visit(document, { Field: ({ name }) => void names.add(name.value) });
  return names;
};
