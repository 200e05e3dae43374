/** A tool and the GraphQL operation on the same ground, asked by the same super admin. */
import { expect } from 'vitest';
import { Refusal } from '../../src/kernel/errors.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Answer, Variables } from '../support/clients.ts';
import type { Service } from '../support/gatehouse.ts';
import { expectNothingStored } from '../support/refusals.ts';
import { newOwner, runAs, type Tenant } from '../support/tenants.ts';
import { callTool, type ToolCaller, toolNamed } from './tool-caller.ts';

/** What GraphQL answers to the same super admin. */
export const ask = async (service: Service, caller: Tenant, query: string, variables: Variables): Promise<unknown> => {
  const answer = await runAs(service, caller, query, variables);
  if (answer.code !== null) throw new Error(answer.text);
  return Object.values(answer.data ?? {})[0];
};

/** A refusal by a tool and by GraphQL, alike; nothing is stored by either. */
export const expectSameRefusal = async (
  service: Service,
  root: ToolCaller,
  code: string,
  name: string,
  args: Record<string, unknown>,
  graphql: () => Promise<Answer>,
): Promise<void> =>
  expectNothingStored(service, async () => {
    await expect(callTool(service, root, name, args)).rejects.toMatchObject({ code });
    if (!toolNamed(name).isReadOnly)
      await expect(callTool(service, root, name, { ...args, dryRun: true })).rejects.toMatchObject({ code });
    expect((await graphql()).code).toBe(code);
  });

/** A tool refuses one argument, by its name. */
export const expectArgumentRefused = async (
  service: Service,
  root: ToolCaller,
  name: string,
  args: Record<string, unknown>,
  field: string,
): Promise<void> => {
  const outcome = await callTool(service, root, name, args).catch((error: unknown) => error);
  if (!(outcome instanceof Refusal)) throw new Error(`${name} was not refused`);
  expect([outcome.code, Object.keys(outcome.details.fields ?? {})]).toEqual(['BAD_USER_INPUT', [field]]);
};

/** Ids that are of nothing that there is. */
export const strangerIds = async (service: Service): Promise<readonly string[]> => {
  const { userId } = await newOwner(service);
  return [newId(), 'no identifier', '', `${userId}\u0000`, userId.toUpperCase()];
};
