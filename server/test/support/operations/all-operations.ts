/**
 * All operations by their rows, with the document of each. operation-rows.pure.test.ts fails while one is missing. The
 * order matters: the authorization matrix checks passwords before a row changes them.
 */
import { completeSchema } from '../../../src/graphql/schema.ts';
import { clientOperations } from '../actors/connected-clients.ts';
import { tokenOperations } from '../actors/machines/token-operations.ts';
import { passkeySettings } from '../actors/passkeys.ts';
import { operations, type Variables } from '../clients/clients.ts';
import { rootOperations } from '../random/any-operation.ts';
import { accountRows } from './accounts.ts';
import { machineRows } from './machines.ts';
import type { OperationRow, OperationRows } from './operation-row.ts';
import { organizationRows } from './organizations.ts';
import { platformRows } from './platform.ts';

/** The settings of a service with every operation. Port 1 never answers: no request may reach the payment provider. */
export const everyOperation = {
  STRIPE_SECRET_KEY: 'sk_test_of_the_tests',
  STRIPE_API_BASE: 'http://127.0.0.1:1',
  ...passkeySettings,
} as const;

export const operationRows: OperationRows = { ...accountRows, ...machineRows, ...platformRows, ...organizationRows };

/** @throws Error: no operation has this name */
export const rowOf = (name: string): OperationRow => {
  const row = operationRows[name];
  if (row === undefined) throw new Error(`No row for ${name}`);
  return row;
};

export const mutationNames: readonly string[] = Object.keys(
  completeSchema().getMutationType()?.getFields() ?? {},
).sort();

const written: Readonly<Record<string, string>> = { ...operations, ...tokenOperations, ...clientOperations };

const documentsOf = (depth: number): ReadonlyMap<string, string> =>
  new Map(rootOperations(depth).map(({ name, query }) => [name, query]));

const made = documentsOf(1);
const bare = documentsOf(0);

export const documentOf = (name: string): string => rowOf(name).document ?? written[name] ?? made.get(name) ?? '';

/** The document that selects nothing, whose variables are named as the arguments. */
export const bareDocumentOf = (name: string): string => bare.get(name) ?? '';

export const inputOf = (name: string, nth: number): Variables => rowOf(name).input?.(nth) ?? {};
