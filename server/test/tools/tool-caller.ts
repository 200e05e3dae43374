/** A super admin who calls tools through a connected client, with each answer checked against the tool's schema. */

import { expect } from 'vitest';
import { z } from 'zod';
import type { Actor } from '../../src/domain/access/actor.ts';
import { Authenticator } from '../../src/domain/access/authenticate.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { type PlatformScope, platformScopes } from '../../src/domain/scopes/scopes.ts';
import { SignInHistory } from '../../src/domain/sign-ins/sign-in-history.ts';
import { findTool } from '../../src/domain/tools/catalogue.ts';
import type { Tool, ToolDeps } from '../../src/domain/tools/tool.ts';
import { outputSchemaOf } from '../../src/domain/tools/tool-schemas.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { seedConnection } from '../support/actors/seeding.ts';
import { newSuperAdmin, type Tenant } from '../support/actors/tenants.ts';
import type { Tokens } from '../support/clients/clients.ts';
import type { Service } from '../support/gatehouse/gatehouse.ts';
import { limitsOn } from '../support/gatehouse/rate-limits.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

export interface ToolCaller extends Tenant {
  readonly clientId: string;
  /** Of the connected client; `tokens` are the portal's. */
  readonly mcpTokens: Tokens;
}

export const clientName = 'Test Client';

/** A session of a person with a client, limited to these scopes. */
export const connect = async (
  database: Database,
  userId: string,
  scopes: readonly PlatformScope[] = platformScopes,
): Promise<{ readonly clientId: string; readonly mcpTokens: Tokens }> => {
  const { clientId, tokens } = await seedConnection(database, userId, clientName, scopes);
  return { clientId, mcpTokens: tokens };
};

/** A super admin who holds and granted these scopes, at the portal and with a client. */
export const newToolCaller = async (
  service: Service,
  scopes: readonly PlatformScope[] = platformScopes,
): Promise<ToolCaller> => {
  const person = await newSuperAdmin(service, scopes);
  return { ...person, ...(await connect(service.database, person.userId, scopes)) };
};

/** An actor of a request that begins now. */
export const actorOf = ({ database }: Pick<Service, 'database'>, { mcpTokens }: ToolCaller): Promise<Actor> =>
  new Authenticator(database, defaultApplication, { superAdminsNeedSecondFactor: false }).authenticate(
    mcpTokens.accessToken,
    ['mcp'],
  );

export const toolNamed = (name: string): Tool => {
  const tool = findTool(name);
  if (tool === null) throw new Error(`There is no tool ${name}`);
  return tool;
};

export const depsOf = (service: Service, hasLimits = false): ToolDeps => ({
  application: defaultApplication,
  database: service.database,
  logger: silentLogger,
  mail: service.mail,
  limits: limitsOn(service, service.database, hasLimits),
  settings: service.config,
  signIns: new SignInHistory(service.database, silentLogger, 30),
});

interface Row {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly clientName: string | null;
  readonly isCurrent: boolean;
  readonly subscription: object;
  readonly memberCount: number;
}

/** The fields that tests read in answers: each answer has some of them, by its own schema. */
interface Structured extends Readonly<Record<string, unknown>> {
  readonly nodes: readonly Row[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly credentials: readonly Row[];
  readonly revokedAt: string | null;
  readonly memberships: readonly object[];
  readonly revokedCredentials: number;
  readonly membershipCount: number;
  readonly members: readonly Row[];
  readonly organization: Row;
  readonly member: { readonly invitation: Readonly<Record<string, unknown>> };
  readonly mail: { readonly to: string; readonly subject: string };
}

export interface Answered {
  readonly structured: Structured;
  readonly text: string;
}

/** Calls a tool; its answer must match its schema and be repeated as JSON in its text, in 25 KB. */
export const callTool = async (
  service: Service,
  caller: ToolCaller,
  name: string,
  args?: unknown,
): Promise<Answered> => {
  const tool = toolNamed(name);
  const { structured, text } = await tool.call(depsOf(service), await actorOf(service, caller), args);
  z.fromJSONSchema(outputSchemaOf(tool)).parse(structured);
  // The listed schema requires no member; the tool's own requires each.
  expect(z.encode(tool.output, z.decode(tool.output, structured))).toEqual(structured);
  expect(JSON.parse(JSON.stringify(structured))).toEqual(structured);
  const [sentence = '', json = '', ...more] = text.split('\n');
  expect([JSON.parse(json), more]).toEqual([structured, []]);
  expect(sentence).toMatch(/^[^{}[\]]+\.$/);
  expect(sentence).not.toMatch(/undefined|null/);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(25_000);
  expectNoSecret(`${JSON.stringify(structured)}${text}`);
  return { structured: structured as Structured, text };
};

const expectNoSecret = (text: string): void => {
  expect(text).not.toMatch(/gate_[arps]_|[0-9a-f]{64}|hash|token":/i);
};
