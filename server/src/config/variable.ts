/** Owns what is said of one environment variable: schema, meaning, default, and what of it is secret. */
import type { z } from 'zod';

/** The part of a secret variable that `print-config` hides: all of it, or the password or the path of its URL. */
export type Secrecy = 'all' | 'password' | 'path';

/** One variable: its schema, default and documentation. */
export interface Variable<T> {
  readonly schema: z.ZodType<T, string>;
  readonly meaning: string;
  /** Shown as the default in the documentation. */
  readonly shownDefault: string;
  readonly secret?: Secrecy | undefined;
}

export const variable = <T>(
  schema: z.ZodType<T, string>,
  shownDefault: string,
  meaning: string,
  secret?: Secrecy,
): Variable<T> => ({ schema, shownDefault, meaning, secret });

/** A variable for each name that the operator chooses. */
export interface VariableFamily<T> extends Variable<T> {
  /** Describes the part after the prefix. */
  readonly names: RegExp;
  readonly namesAdvice: string;
  /** In place of a name in the documentation. */
  readonly placeholder: string;
}
