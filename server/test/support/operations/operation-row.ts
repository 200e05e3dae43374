/** One operation as the tests know it; all-operations.ts has the rows of all. */
import { newId } from '../../../src/kernel/ids.ts';
import type { Invited } from '../actors/invitations.ts';
import type { Tenant } from '../actors/tenants.ts';
import type { Tokens, Variables } from '../clients/clients.ts';

/** The callers of the authorization matrix, in the order of the letters of a row. */
export const callers = [
  'anonymous',
  'no membership',
  'MEMBER',
  'ADMIN',
  'OWNER',
  "another tenant's OWNER",
  'OWNER without a subscription',
  'super admin without scopes',
  'super admin with every scope',
] as const;
export type Caller = (typeof callers)[number];

export const outcomes: Readonly<Record<string, string>> = {
  O: 'OK',
  U: 'UNAUTHENTICATED',
  M: 'MEMBERSHIP_REQUIRED',
  F: 'FORBIDDEN',
  I: 'INVALID_CREDENTIALS',
  B: 'BAD_USER_INPUT',
  C: 'CHALLENGE_REFUSED',
  N: 'NOT_FOUND',
  A: 'ACCOUNT_MISMATCH',
  S: 'ALREADY_SIGNED_IN',
  R: 'REFRESH_REFUSED',
  L: 'LINK_NOT_OPEN',
  E: 'EXCHANGE_REFUSED',
  G: 'ORIGIN_REFUSED',
  P: 'UNAVAILABLE',
  D: 'SECOND_FACTOR_REQUIRED',
};

/** What the targets of the authorization matrix are made from. Each call makes another one. */
export interface World {
  readonly tenantA: string;
  readonly personOf: (caller: Caller) => { readonly id: string; readonly email: string };
  /** A member of tenant A, outside the nine. */
  readonly member: () => Promise<Tenant>;
  /** An owner outside the nine. */
  readonly owner: () => Promise<Tenant>;
  /** An open invitation to tenant A for a new address. */
  readonly invitation: () => Promise<Invited>;
  readonly profileFor: (invited: Invited) => Promise<Variables>;
  readonly familyOf: (tokens: Tokens) => Promise<string>;
  /** The id of an MCP client. */
  readonly client: () => Promise<string>;
}

/** The service of the fields, and the other arguments of their mutations. */
export interface Target {
  readonly url: string;
  readonly holder: { readonly email: string; readonly tokens: Tokens };
  /** A super admin who may revoke sessions and manage invitations. */
  readonly superAdmin: Tokens;
  readonly invitationToken: string;
}

interface FieldOptions {
  readonly isOptional?: true;
  /** Absent: texts. */
  readonly takes?: 'boolean';
  /** Turns a text into one of the expected form; a field without it accepts texts unchanged only. */
  readonly frame?: (text: string) => string;
  /** The other variables, so that a valid value stores nothing either. Absent: the input of the row. */
  readonly base?: (target: Target) => Variables;
  /** What is sent for a value. */
  readonly value?: (value: unknown) => unknown;
  /** One that selects none of the sent values, as an answer must not have them; `bare` is made from the schema. */
  readonly document?: string;
}

/** A field of an argument, or an argument that is none of fields. */
export interface FieldRow extends FieldOptions {
  readonly name: string;
  /** The answer to an invalid text: a code, `fields` naming the field, or data. */
  readonly answers: string;
}

export const field = (name: string, answers: string, options: FieldOptions = {}): FieldRow => ({
  name,
  answers,
  ...options,
});

export interface OperationRow {
  /** The outcome of each caller, a letter each. Platform scopes grant nothing in any organization. */
  readonly callers: string;
  /** What the tokens of machines get. Absent: FORBIDDEN. */
  readonly machines?: 'taken' | 'as anyone';
  /** Absent: that of the clients by this name, or one made from the schema, whose variables are named as arguments. */
  readonly document?: string;
  /** The variables, by the number of the call: where it changes something, each call does. Absent: none. */
  readonly input?: (nth: number) => Variables;
  /** For the authorization matrix, variables that pass. Absent: the input. */
  readonly target?: (world: World) => Variables | Promise<Variables>;
  /** As `target`, for those that name the caller's own session. */
  readonly targetOf?: (world: World, tokens: Tokens | null) => Variables | Promise<Variables>;
  /** Whether it ends the caller's session. */
  readonly endsSession?: true;
  /** One for each field of the arguments of a mutation. */
  readonly fields?: readonly FieldRow[];
}

/** An operation for everyone, which looks at no credential. */
export const open = { callers: 'OOOOOOOOO', machines: 'as anyone' } as const;

export type OperationRows = Readonly<Record<string, OperationRow>>;

/** Variables of nothing that exists. */
export const unknown = {
  id: () => ({ id: newId() }),
  link: () => ({ token: 'none' }),
  member: () => ({ memberId: newId() }),
} as const;

export const emptyInput = () => ({ input: {} });

export const inAddress = (text: string): string => `a${text}@example.com`;
export const inName = (text: string): string => `Test ${text} Name`;
export const inPassword = (text: string): string => `Aa1.${text}`;
export const inList = (value: unknown): unknown => [value];
