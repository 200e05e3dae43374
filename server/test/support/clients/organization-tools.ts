/**
 * Calls of the tools of the service at POST /mcp/organization, each with its only row and with what it must not change.
 */
import { expect } from 'vitest';
import { z } from 'zod';
import { organizationTools } from '../../../src/domain/organization-tools/catalogue.ts';
import { defaultApplication } from '../../../src/domain/scopes/application-definition.ts';
import { outputSchemaOf } from '../../../src/domain/tools/tool-schemas.ts';
import { seedPerson } from '../actors/seeding.ts';
import { inviteTo } from '../actors/tenants.ts';
import { expectNothingChanged } from '../checks/refusals.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { newAddress } from './clients.ts';
import { callTool, correlationIdOf, type McpClient } from './mcp.ts';
import { callsDuring, resultOf, wordsOf } from './organization-mcp.ts';

type Given = Readonly<Record<string, unknown>>;

const schemas = new Map(organizationTools(defaultApplication).map((tool) => [tool.name, outputSchemaOf(tool)]));

/** @param client whose calls they are, unless a call names another one */
export const toolCalls = (service: Service, client: McpClient) => {
  /** A call that succeeds with an answer of its schema, and its only row. */
  const succeed = async (name: string, given: Given = {}, who: McpClient = client): Promise<Given> => {
    const { result, rows } = await callsDuring(service, who, () => callTool(service, who, name, given));
    const { isError, structuredContent, content } = resultOf(result);
    expect([isError, rows]).toMatchObject([undefined, [{ tool: name, outcome: 'success' }]]);
    expect(rows[0]?.correlation).toBe(correlationIdOf(result));
    z.fromJSONSchema(schemas.get(name) ?? {}).parse(structuredContent);
    expect(content[0]?.text.split('\n').slice(1)).toEqual([JSON.stringify(structuredContent)]);
    return structuredContent ?? {};
  };

  /** A dry run: it answers, and changes nothing. */
  const dryRunOf = (name: string, given: Given): Promise<Given> =>
    expectNothingChanged(service, () => succeed(name, { ...given, dryRun: true }));

  /** A call that is refused with these words, in a dry run as well, and changes nothing. */
  const refuse = async (
    name: string,
    given: Given,
    words: RegExp,
    outcome: 'deny' | 'error' = 'error',
  ): Promise<void> => {
    for (const dryRun of [true, false]) {
      const { result, rows } = await callsDuring(service, client, () =>
        expectNothingChanged(service, () => callTool(service, client, name, { ...given, dryRun })),
      );
      expect([result.status, resultOf(result).isError]).toEqual([200, true]);
      expect(wordsOf(result)).toMatch(words);
      expect(rows).toMatchObject([{ tool: name, outcome, correlation: correlationIdOf(result) }]);
    }
  };

  const invited = async (role = 'MEMBER') => {
    const email = newAddress();
    const memberId = await inviteTo(
      service,
      await seedPerson(service.database, email),
      client.person.organizationId,
      role,
    );
    return { email, memberId };
  };
  return { succeed, dryRunOf, refuse, invited };
};
