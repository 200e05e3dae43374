/**
 * Arguments of a tool as they come from outside: parsed strictly, and refused in sentences that name the argument and
 * never quote what was sent.
 */
import type { z } from 'zod';
import { invalidInput, Refusal } from '../../kernel/errors.ts';
import { isRecord } from '../../kernel/records.ts';

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

const mostUnknownFields = 10;

const unknownFields = (names: readonly string[]): readonly (readonly [string, string])[] =>
  names
    .slice(0, mostUnknownFields)
    .map((name) => [isRepeatable(name) ? name : whole, 'This tool knows no such field.']);

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
