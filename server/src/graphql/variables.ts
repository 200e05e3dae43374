/**
 * Checks variables by the rules of graphql-js, with messages that name the place and the expected type, never a value
 * or an unknown input field: variables carry passwords. graphql-js coerces valid values again on execution (0.5 to 3
 * µs).
 */
import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import { malformed, type ShownError, shownName } from './error-format.ts';

/** A declared variable, with everything that does not depend on the request. */
export interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly hasDefault: boolean;
}

export type VariableValues = Readonly<Record<string, unknown>>;

const maxErrors = 5;

/** The variables that a validated operation declares. */
export const declaredVariables = (schema: GraphQLSchema, operation: OperationDefinitionNode): readonly Variable[] =>
  (operation.variableDefinitions ?? []).flatMap((definition) => {
    const type = typeFromAST(schema, definition.type);
    if (!isInputType(type)) return [];
    return [{ name: definition.variable.name.value, type, hasDefault: definition.defaultValue !== undefined }];
  });

/** The errors in the given values. */
export const checkVariables = (variables: readonly Variable[], given: VariableValues): readonly ShownError[] => {
  const errors: ShownError[] = [];
  for (const variable of variables) {
    if (errors.length >= maxErrors) break;
    checkVariable(variable, given, errors);
  }
  return errors;
};

const checkVariable = (variable: Variable, given: VariableValues, errors: ShownError[]): void => {
  const { name, type, hasDefault } = variable;
  if (!Object.hasOwn(given, name)) {
    if (isNonNullType(type) && !hasDefault) errors.push(notValid(name, name, `expected ${String(type)}`));
    return;
  }
  const collect = (path: readonly (string | number)[], _value: unknown, error: GraphQLError): void => {
    errors.push(describe(variable, path, error));
    if (errors.length >= maxErrors) throw new TooManyErrors();
  };
  try {
    coerceInputValue(given[name], type, collect);
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
  }
};

/** Aborts graphql-js's coercion early: a body can hold tens of thousands of errors. */
class TooManyErrors extends Error {}

const missingField = /^Field "(\w+)" of required type "([\w![\]]+)" was not provided\.$/;

const describe = (variable: Variable, path: readonly (string | number)[], error: GraphQLError): ShownError => {
  const place = [variable.name, ...path];
  const missing = missingField.exec(error.message);
  if (missing?.[1] !== undefined)
    return notValid(variable.name, [...place, missing[1]].join('.'), `expected ${missing[2]}`);
  const type = typeAt(variable.type, path);
  const named = getNullableType(type);
  if (isInputObjectType(named) && error.message.startsWith('Field "')) {
    return notValid(variable.name, place.join('.'), `${named.name} has an unknown field here`);
  }
  return notValid(variable.name, place.join('.'), `expected ${String(type)}`);
};

const notValid = (name: string, place: string, reason: string): ShownError => {
  const shownPlace = place.split('.').map(shownName).join('.');
  return malformed(`Variable "$${shownName(name)}" is not valid at ${shownPlace}: ${reason}.`);
};

/** The declared type at a path inside a variable. A list also accepts a single item, which adds no step to the path. */
const typeAt = (type: GraphQLInputType, path: readonly (string | number)[]): GraphQLInputType => {
  let current = type;
  for (const step of path) {
    current = intoItem(current, typeof step === 'string');
    if (typeof step === 'number') continue;
    if (isInputObjectType(current)) current = current.getFields()[step]?.type ?? current;
  }
  return current;
};

const intoItem = (type: GraphQLInputType, throughLists: boolean): GraphQLInputType => {
  let current: GraphQLInputType = getNullableType(type);
  if (!throughLists) return isListType(current) ? current.ofType : current;
  while (isListType(current)) current = getNullableType(current.ofType);
  return current;
};
