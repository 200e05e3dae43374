/**
 * Compiles an operation with graphql-jit where that is safe and means the same as graphql-js, and only there.
 *
 * graphql-jit 0.8.9 writes string literals of a document into the source that it evaluates, in a way that a client can
 * break out of (docs/decisions/0002-own-graphql-handler.md): so no literal but a whole number or a boolean of a built-in
 * scalar, or null, ever reaches it, and no default of a variable does. Directives, abstract types, mutations with more
 * than one field, introspection and response names with `_` differ from graphql-js or may, and are left to graphql-js.
 */
import {
  type ArgumentNode,
  type DefinitionNode,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLNamedType,
  GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { VariableValues } from './variables.ts';

/** Runs a compiled operation with variables that are already coerced. */
export type CompiledOperation = (
  context: unknown,
  variables: VariableValues,
) => Promise<ExecutionResult> | ExecutionResult;

/** The compiled operation, or null when graphql-js has to run it. The document is valid and within the limits. */
export const compileOperation = (
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  rootFieldCount: number,
): CompiledOperation | null => {
  if (operation.operation === 'mutation' && rootFieldCount !== 1) return null;
  if (!isCompilable(schema, document) || !hasDistinctNames(schema)) return null;
  const own = withoutCoercion(document, operation);
  const compiled = compileQuery(acceptingCoerced(schema), own, '', { useExperimentalPathBasedSkipInclude: true });
  if (!isCompiledQuery(compiled)) return null;
  return (context, variables) => compiled.query(undefined, context, variables);
};

/** The operation alone with the fragments, and its variables declared as already coerced. */
const withoutCoercion = (document: DocumentNode, operation: OperationDefinitionNode): DocumentNode => ({
  kind: Kind.DOCUMENT,
  definitions: document.definitions.flatMap((definition): readonly DefinitionNode[] => {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) return [definition];
    if (definition !== operation) return [];
    const variableDefinitions = operation.variableDefinitions?.map(({ kind, variable, loc }) => ({
      kind,
      variable,
      type: coercedType,
      ...(loc === undefined ? {} : { loc }),
    }));
    return [{ ...operation, ...(variableDefinitions === undefined ? {} : { variableDefinitions }) }];
  }),
});

/** Takes any value as it is: graphql-js coerced it before. */
const Coerced = new GraphQLScalarType({ name: 'AlreadyCoerced' });

const coercedType = {
  kind: Kind.NAMED_TYPE,
  name: { kind: Kind.NAME, value: Coerced.name },
} as const;

const acceptingCoerced = (schema: GraphQLSchema): GraphQLSchema => {
  const getType = (name: string): GraphQLNamedType | undefined =>
    name === Coerced.name ? Coerced : schema.getType(name);
  return Object.create(schema, { getType: { value: getType } }) as GraphQLSchema;
};

const isCompilable = (schema: GraphQLSchema, document: DocumentNode): boolean => {
  let compilable = true;
  const refuseUnless = (condition: boolean): void => {
    compilable &&= condition;
  };
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    Directive: () => refuseUnless(false),
    VariableDefinition: (node) => refuseUnless(!node.variable.name.value.startsWith('__')),
    FragmentDefinition: () => refuseUnless(isPlainObject(types.getType())),
    InlineFragment: () => refuseUnless(isPlainObject(types.getType())),
    Field: (node) =>
      refuseUnless(
        isPlainObject(types.getParentType()) &&
          !isAbstractType(getNamedType(types.getType())) &&
          isPlainOrLeaf(getNamedType(types.getType())) &&
          hasPlainResponseName(node) &&
          (types.getFieldDef()?.args ?? []).every((argument) => isPlainArgument(argument, node.arguments ?? [])),
      ),
  });
  visit(document, visitor);
  return compilable;
};

/** graphql-jit does not wait for an `isTypeOf` and hands it the value alone. */
const isPlainObject = (type: unknown): boolean => isObjectType(type) && !type.isTypeOf;

const isPlainOrLeaf = (type: unknown): boolean => !isObjectType(type) || isPlainObject(type);

/** graphql-jit joins response names with `_` to find `info`; `a_b` and `b` inside `a` would share one. */
const hasPlainResponseName = (node: FieldNode): boolean => {
  const responseName = (node.alias ?? node.name).value;
  return responseName === '__typename' ? node.name.value === '__typename' : !responseName.includes('_');
};

const isPlainArgument = (argument: GraphQLArgument, given: readonly ArgumentNode[]): boolean => {
  if (!isPlainDefault(argument.defaultValue)) return false;
  const value = given.find((node) => node.name.value === argument.name)?.value;
  if (value === undefined || value.kind === Kind.VARIABLE || value.kind === Kind.NULL) return true;
  const isWholeOrBoolean = value.kind === Kind.INT || value.kind === Kind.BOOLEAN;
  return isWholeOrBoolean && isSpecifiedScalarType(getNamedType(argument.type));
};

/** Defaults go through JSON on their way into the compiled source. */
const isPlainDefault = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  typeof value === 'boolean' ||
  typeof value === 'string' ||
  Number.isSafeInteger(value);

const distinctNames = new WeakMap<GraphQLSchema, boolean>();

/** graphql-jit finds a resolver by type name and field name run together: `A.bC` and `Ab.C` would share one. */
const hasDistinctNames = (schema: GraphQLSchema): boolean => {
  const known = distinctNames.get(schema);
  if (known !== undefined) return known;
  const names = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.keys(type.getFields()).map((field) => type.name + field));
  const distinct = new Set(names).size === names.length;
  distinctNames.set(schema, distinct);
  return distinct;
};
