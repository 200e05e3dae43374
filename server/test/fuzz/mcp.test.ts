/** Messages to /mcp of every shape, by clients that may and may not: one audit row for each tools/call, and only then. */
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { platformScopes } from '../../src/domain/scopes/scopes.ts';
import { catalogue } from '../../src/domain/tools/catalogue.ts';
import {
  expectBearable,
  expectCleanLog,
  expectOften,
  hostileJson,
  hostileText,
  mutated,
  patience,
  secretSettings,
  sendOnWire,
  tries,
} from '../support/fuzz.ts';
import { type Service, startService } from '../support/gatehouse.ts';
import { jsonHeaders, type McpClient, newMcpClient, requestIn, versions } from '../support/mcp.ts';
import { everythingStored } from '../support/refusals.ts';
import { newOwner } from '../support/tenants.ts';

let service: Service;
let clients: readonly McpClient[];
let ids: readonly string[];

beforeAll(async () => {
  service = await startService(secretSettings);
  clients = [
    await newMcpClient(service),
    await newMcpClient(service, ['mcp:whoami']),
    await newMcpClient(service, platformScopes),
  ];
  const owner = await newOwner(service);
  ids = [owner.userId, owner.organizationId, owner.memberId];
});
afterAll(() => service.close());

const secrets = (): readonly string[] => clients.flatMap(({ tokens }) => [tokens.accessToken, tokens.refreshToken]);

const argumentNames = [
  'email',
  'userId',
  'organizationId',
  'memberId',
  'credentialId',
  'query',
  'first',
  'after',
  'audience',
  'kind',
];

const toolArguments = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.dictionary(
      fc.constantFrom(...argumentNames, 'unknown', '__proto__'),
      fc.oneof(fc.constantFrom(...ids), hostileJson, fc.integer({ min: -1, max: 120 })),
      { maxKeys: 4 },
    ),
    // What changes something is rehearsed only, so that the clients of this file stay.
    fc.constantFrom(...ids).map((id) => ({ userId: id, memberId: id, credentialId: id, dryRun: true })),
    hostileJson,
  );

const isRehearsal = (given: unknown): boolean => typeof given === 'object' && given !== null && 'dryRun' in given;
const changing = new Set(['sessions_revoke', 'sessions_revoke_user', 'invitation_reset', 'invitation_cancel']);

const call = (): fc.Arbitrary<object> =>
  fc
    .tuple(fc.oneof(fc.constantFrom(...catalogue.map(({ name }) => name)), hostileText), toolArguments())
    .filter(([name, given]) => !changing.has(name) || isRehearsal(given))
    .map(([name, given]) => ({ method: 'tools/call', params: { name, arguments: given } }));

const message = (): fc.Arbitrary<object> =>
  fc.oneof(
    call(),
    fc.record(
      {
        method: fc.oneof(
          fc.constantFrom('initialize', 'tools/list', 'ping', 'notifications/initialized', 'tools/call'),
          hostileText,
        ),
        params: hostileJson,
      },
      { requiredKeys: ['method'] },
    ),
  );

const id = fc.oneof({ weight: 6, arbitrary: fc.nat(9) }, { weight: 1, arbitrary: hostileJson });

const body = (): fc.Arbitrary<{ readonly body: string; readonly headers: Readonly<Record<string, string>> }> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom(...versions), message(), id)
        .map(([version, sent, number]) => requestIn(version, { method: '', ...sent, id: number })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(message(), id)
        .chain(([sent, number]) =>
          mutated(JSON.stringify({ jsonrpc: '2.0', ...sent, id: number })).map((text) => ({ body: text, headers: {} })),
        ),
    },
    { weight: 1, arbitrary: hostileJson.map((value) => ({ body: JSON.stringify(value), headers: {} })) },
  );

const auditIds = async (): Promise<ReadonlySet<string>> => {
  const rows = await service.sql<{ id: string }>('SELECT correlation_id AS id FROM mcp_tool_audits');
  return new Set(rows.map((row) => row.id));
};

/** Everything but the record of calls. */
const othersStored = async (): Promise<readonly string[]> =>
  (await everythingStored(service)).filter((line) => !line.startsWith('mcp_tool_audits '));

const namedId = (text: string): string | null => /"gatehouse\/correlationId":"([^"]+)"/.exec(text)?.[1] ?? null;

describe('POST /mcp', () => {
  it(
    'bears any message; what it answers as a call is in the record once, and nothing else is',
    async () => {
      const stored = await othersStored();
      let known = await auditIds();
      let calls = 0;
      await fc.assert(
        fc.asyncProperty(body(), fc.nat(3), async (sent, index) => {
          const token = clients[index]?.tokens.accessToken;
          const headers = Object.entries({ ...jsonHeaders, ...sent.headers }).filter(([, value]) =>
            /^[\t\x20-\x7e]*$/.test(value),
          );
          const answer = await sendOnWire(service.url, {
            method: 'POST',
            path: '/mcp',
            headers: {
              ...Object.fromEntries(headers),
              ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            },
            body: sent.body,
          });
          const now = await auditIds();
          const fresh = [...now].filter((each) => !known.has(each));
          // Also when this try fails: the smaller ones that follow are compared with what it left.
          known = now;
          calls += fresh.length;
          expectBearable(answer, secrets());
          const named = namedId(answer.text);
          expect(fresh).toEqual(named === null ? [] : [named]);
        }),
        tries(400),
      );
      // Otherwise the messages above were all no calls, and this test says nothing.
      expectOften(calls, 20);
      expect(await othersStored()).toEqual(stored);
      expectCleanLog(service.logs, secrets());
    },
    patience(600),
  );
});
