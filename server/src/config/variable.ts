/**
 * Owns what is said of one environment variable: schema, default, and what of it is secret; and the families of
 * variables, whose names the operator completes. `variable-meanings.json` has the meanings.
 */
import type { z } from 'zod';
import { list } from './value-shapes.ts';

/** The part of a secret variable that `print-config` hides: all of it, or the password or the path of its URL. */
export type Secrecy = 'all' | 'password' | 'path';

/** One variable: its schema and default. */
export interface Variable<T> {
  readonly schema: z.ZodType<T, string>;
  /** Shown as the default in the documentation. */
  readonly shownDefault: string;
  readonly secret?: Secrecy | undefined;
}

export const variable = <T>(schema: z.ZodType<T, string>, shownDefault: string, secret?: Secrecy): Variable<T> => ({
  schema,
  shownDefault,
  secret,
});

/** A variable for each name that the operator chooses. */
export interface VariableFamily<T> extends Variable<T> {
  /** Describes the part after the prefix. */
  readonly names: RegExp;
  readonly namesAdvice: string;
  /** In place of a name in the documentation. */
  readonly placeholder: string;
}

/** Shared secrets; more than one during a rotation. */
export const secrets = list.refine(
  (each) => each.length > 0 && each.every((secret) => Buffer.byteLength(secret) >= 32),
  { error: 'must be one or more secrets of at least 32 bytes each, separated by commas' },
);

/** Families of variables, by their prefix. */
export const variableFamilies = {
  RESOURCE_SECRET_: {
    ...variable(secrets, '', 'all'),
    names: /^[A-Z][A-Z0-9_]{0,31}$/,
    namesAdvice: 'must end in the name of a resource in capital letters, as RESOURCE_SECRET_NOTES does',
    placeholder: 'NAME',
  },
} as const satisfies Readonly<Record<string, VariableFamily<unknown>>>;
