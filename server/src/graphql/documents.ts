/**
 * Prepares documents: from text to an executable operation, once for each text and operation name. Only a document that
 * passes parsing, limits, validation and the choice of the operation runs. Accepted operations are cached (LRU),
 * bounded in number and in weight.
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
  type SelectionSetNode,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { malformed, placeOf, type ShownError, syntaxMessage } from './error-format.ts';
import {
  checkDocumentCost,
  checkLines,
  checkLoneMutations,
  countRootFields,
  type FragmentsByName,
  fragmentsOf,
  type Limits,
  tooCostly,
} from './limits.ts';
import { checkListCost } from './list-cost.ts';
import { createValidation } from './validation.ts';
import { declaredVariables, type Variable, type VariableValues } from './variables.ts';

/** The properties of an operation before it runs. */
export interface OperationInfo {
  readonly kind: 'query' | 'mutation';
  readonly name: string | null;
  /** Names (not aliases) of the fields at the root, each once, whatever directives say; `__typename` is left out. */
  readonly rootFields: readonly string[];
  /** Names (not aliases) of all fields in the document, at any depth, whatever directives say. */
  readonly fields: ReadonlySet<string>;
}

/** An operation that passed every check. */
export interface Operation {
  readonly info: OperationInfo;
  /** Maps each root response key to its field, without `__typename`. */
  readonly rootKeys: ReadonlyMap<string, string>;
  readonly variables: readonly Variable[];
  /** `given` are the client's variables, accepted by checkVariables. Errors of resolvers do not throw. */
  run(context: unknown, given: VariableValues): Promise<ExecutionResult> | ExecutionResult;
}

/** The operation, or the errors of a rejected document. Documents that are too costly throw a Refusal instead. */
type Prepared = { readonly operation: Operation } | { readonly errors: readonly ShownError[] };

interface DocumentOptions {
  readonly schema: GraphQLSchema;
  readonly introspection: boolean;
  readonly limits: Limits;
  readonly loneMutations: ReadonlySet<string>;
  /** Maximum number of cached operations. Default 500. */
  readonly maxKept?: number;
}

/** Runs the preparation of a document that is not kept, or throws a Refusal instead. */
type Spend = (prepare: () => Prepared) => Prepared;

export interface Documents {
  /** `operationName` selects one of several operations; null when the request gives none. */
  prepare(text: string, operationName: string | null, spend?: Spend): Prepared;
  readonly size: number;
}

/** Bytes that the cached documents may retain, estimated from measurements of parsed documents. */
const maxWeight = 16 * 1024 * 1024;
const weightOfDocument = 4 * 1024;
const weightOfToken = 350;

interface Kept {
  readonly operationName: string | null;
  readonly operation: Operation;
  readonly weight: number;
}

/** Creates the document cache for a schema. */
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
    const fragments = fragmentsOf(document);
    const rootFields = countRootFields(chosen, fragments);
    checkLoneMutations(chosen, fragments, options.loneMutations);
    checkListCost(schema, chosen, fragments);
    const tokens = document.tokenCount ?? text.length;
    const weight = weightOfDocument + text.length + weightOfToken * tokens;
    return { operation: createOperation(schema, document, chosen, rootFields.keys()), weight };
  };

  return {
    prepare: (text, operationName, spend = (prepare) => prepare()) => {
      const key = operationName === null ? text : `${text}\u0000${operationName}`;
      const found = kept.get(key);
      if (found !== undefined && found.operationName === operationName) return found;
      return spend(() => {
        const prepared = accept(text, operationName);
        if ('operation' in prepared) {
          kept.set(key, { operationName, operation: prepared.operation, weight: prepared.weight ?? maxWeight });
        }
        return prepared;
      });
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

/** The operation, or an error message. */
const chooseOperation = (document: DocumentNode, name: string | null): OperationDefinitionNode | string => {
  const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (name === null && operations.length > 1)
    return 'The document has several operations: operationName must choose one.';
  const chosen = name === null ? operations[0] : operations.find((operation) => operation.name?.value === name);
  if (chosen === undefined)
    return name === null ? 'The document has no operation.' : 'The document has no operation of that name.';
  return chosen.operation === 'subscription' ? 'Subscriptions are not supported.' : chosen;
};

const createOperation = (
  schema: GraphQLSchema,
  document: DocumentNode,
  node: OperationDefinitionNode,
  rootFields: Iterable<string>,
): Operation => {
  const name = node.name?.value ?? null;
  return {
    info: {
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

/**
 * Field names by response key (alias, or else field name); `__typename` is left out.
 * @param operation from a validated document: its fragments exist, form no cycle, and are limited in number
 */
const rootKeysOf = (operation: OperationDefinitionNode, fragments: FragmentsByName): ReadonlyMap<string, string> => {
  const keys = new Map<string, string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) keys.set((selection.alias ?? selection.name).value, selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else collectFragment(selection.name.value);
    }
  };
  const spread = new Set<string>();
  const collectFragment = (name: string): void => {
    const fragment = fragments.get(name);
    if (fragment === undefined || spread.has(name)) return;
    spread.add(name);
    collect(fragment.selectionSet);
  };
  collect(operation.selectionSet);
  for (const [key, field] of keys) if (field === '__typename') keys.delete(key);
  return keys;
};
