/** A tool and the equivalent GraphQL operation, called by the same super admin. */
import { expect } from 'vitest';
import { Refusal } from '../../src/kernel/errors.ts';
import { newId } from '../../src/kernel/ids.ts';
import { newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import type { Answer, Variables } from '../support/clients/clients.ts';
import type { Service } from '../support/gatehouse/gatehouse.ts';
import { callTool, type ToolCaller, toolNamed } from './tool-caller.ts';

/** The answer of GraphQL to the same super admin. */
export const ask = async (service: Service, caller: Tenant, query: string, variables: Variables): Promise<unknown> => {
  const answer = await runAs(service, caller, query, variables);
  if (answer.code !== null) throw new Error(answer.text);
  return Object.values(answer.data ?? {})[0];
};

/** Expects the same refusal by a tool and by GraphQL, with nothing stored by either. */
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

/** Expects that a tool refuses an unknown and an invalid id by its name, where GraphQL answers NOT_FOUND. */
export const expectIdsRefused = async (
  service: Service,
  root: ToolCaller,
  name: string,
  argument: string,
  graphql: (id: string) => Promise<Answer>,
): Promise<void> => {
  const unknown = newId();
  await expectSameRefusal(service, root, 'NOT_FOUND', name, { [argument]: unknown }, () => graphql(unknown));
  await expect(callTool(service, root, name, { [argument]: unknown })).rejects.toMatchObject({
    details: { fields: { [argument]: expect.stringContaining('has this id') as unknown } },
  });
  const { userId } = await newOwner(service);
  await expectNothingStored(service, async () => {
    for (const id of ['no identifier', '', `${userId}\u0000`]) {
      await expectArgumentRefused(service, root, name, { [argument]: id }, argument);
      expect((await graphql(id)).code).toBe('NOT_FOUND');
    }
  });
};
