/**
 * Messages of every shape to /mcp and /mcp/organization: one audit row for each tools/call, and changes only to its
 * targets.
 */
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { organizationTools } from '../../src/domain/organization-tools/catalogue.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { catalogue } from '../../src/domain/tools/catalogue.ts';
import { newId } from '../../src/kernel/ids.ts';
import { inviteTo, newMember, newOwner, newSuperAdmin } from '../support/actors/tenants.ts';
import { jsonHeaders, type McpClient, newMcpClient, requestIn, versions } from '../support/clients/mcp.ts';
import { connectToOrganization } from '../support/clients/organization-mcp.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { fixture } from '../support/fixture.ts';
import {
  expectCleanLog,
  expectOften,
  expectValidAnswer,
  hostileJson,
  hostileText,
  mutated,
  sendOnWire,
  tries,
  type WireAnswer,
} from '../support/random/fuzz.ts';
import { startFuzzWorld } from '../support/random/fuzz-world.ts';

/** Of Platform MCP, and of the MCP of an organization. */
let clients: readonly McpClient[];
let members: readonly McpClient[];
let ids: readonly string[];

const world = fixture(startFuzzWorld);
const service = fixture(() => world.service);
beforeAll(async () => {
  const { userId, organizationId, memberId } = world.owner;
  clients = [world.client, await newMcpClient(service, ['mcp:whoami']), await newMcpClient(service)];
  members = [
    world.organizationClient,
    await connectToOrganization(service, world.owner, { scopes: ['MEMBERS_VIEW'] }),
    await connectToOrganization(service, await newMember(service, organizationId)),
  ];
  const memberships = 'SELECT id FROM organization_members WHERE organization_id = $1';
  ids = [userId, organizationId, memberId, ...(await service.sql.column<string>(memberships, [organizationId]))];
});

const secrets = (): readonly string[] => [
  ...world.credentials,
  ...[...clients, ...members].flatMap(({ tokens }) => [tokens.accessToken, tokens.refreshToken]),
];

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
  'search',
  'role',
];

const toolArguments = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.dictionary(
      fc.constantFrom(...argumentNames, 'unknown', '__proto__'),
      fc.oneof(fc.constantFrom(...ids), hostileJson, fc.integer({ min: -1, max: 120 })),
      { maxKeys: 4 },
    ),
    // Only dry runs change here; the real changes below use expendable users.
    fc.constantFrom(...ids).map((id) => ({ userId: id, memberId: id, credentialId: id, dryRun: true })),
    fc.constantFrom(...ids).map((memberId) => ({ memberId, dryRun: true })),
    fc.constantFrom('ADMIN', 'MEMBER', 'OWNER').map((role) => ({ email: 'new@example.com', role, dryRun: true })),
    hostileJson,
  );

const isDryRun = (given: unknown): boolean => typeof given === 'object' && given !== null && 'dryRun' in given;
const changing = new Set([
  'sessions_revoke',
  'sessions_revoke_user',
  'sessions_revoke_many',
  'organization_revoke',
  'client_revoke',
  'invitation_reset',
  'invitation_cancel',
]);
const changingMembers = new Set([
  'member_invite',
  'invitation_reset',
  'invitation_cancel',
  'member_change_role',
  'member_remove',
]);
const toolNames = [...catalogue, ...organizationTools(defaultApplication)].map(({ name }) => name);

const call = (): fc.Arbitrary<object> =>
  fc
    .tuple(fc.oneof(fc.constantFrom(...toolNames), hostileText), toolArguments())
    .filter(([name, given]) => !(changing.has(name) || changingMembers.has(name)) || isDryRun(given))
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

/** The calls on record, of both endpoints. */
const auditIds = async (): Promise<ReadonlySet<string>> =>
  new Set(
    await service.sql.column<string>(
      `SELECT correlation_id FROM mcp_tool_audits
       UNION SELECT correlation_id FROM organization_audits WHERE event = 'MCP_TOOL_CALLED'`,
    ),
  );

/** Every table except the records of calls. */
const othersStored = async (): Promise<readonly string[]> =>
  (await everythingStored(service)).filter(
    (line) => !/^(mcp_tool_audits|organization_audit_ends) |^organization_audits .*"MCP_TOOL_CALLED"/.test(line),
  );

const namedId = (text: string): string | null => /"gatehouse\/correlationId":"([^"]+)"/.exec(text)?.[1] ?? null;

const sendAs = (
  client: McpClient | undefined,
  sent: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  path = '/mcp',
): Promise<WireAnswer> => {
  const headers = Object.entries({ ...jsonHeaders, ...sent.headers }).filter(([, value]) =>
    /^[\t\x20-\x7e]*$/.test(value),
  );
  return sendOnWire(service.url, {
    method: 'POST',
    path,
    headers: {
      ...Object.fromEntries(headers),
      ...(client === undefined ? {} : { authorization: `Bearer ${client.tokens.accessToken}` }),
    },
    body: sent.body,
  });
};

// Contract: requests#changing-tools — Random messages to /mcp: one audit row for each call, and only then
it('POST /mcp and POST /mcp/organization answer any message; each answered call is in the record once, and nothing else is', async () => {
  const stored = await othersStored();
  let known = await auditIds();
  const endpoints = [
    { path: '/mcp', by: clients, calls: 0 },
    { path: '/mcp/organization', by: members, calls: 0 },
  ];
  await fc.assert(
    fc.asyncProperty(body(), fc.nat(3), async (sent, index) => {
      for (const endpoint of endpoints) {
        const answer = await sendAs(endpoint.by[index], sent, endpoint.path);
        const now = await auditIds();
        const fresh = [...now].filter((each) => !known.has(each));
        // Also when this attempt fails: later, smaller ones are compared with its rows.
        known = now;
        endpoint.calls += fresh.length;
        expectValidAnswer(answer, secrets());
        const named = namedId(answer.text);
        expect(fresh).toEqual(named === null ? [] : [named]);
      }
    }),
    tries(400),
  );
  // Otherwise none of the messages was a call, and this test proves nothing.
  for (const { calls } of endpoints) expectOften(calls, 20);
  expect(await othersStored()).toEqual(stored);
  expectCleanLog(service.logs, secrets());
});

/** An expendable user: with a session, an organization, an open invitation in it, and a client. */
const newVictim = async () => {
  const [owner, invited] = [await newOwner(service), await newOwner(service)];
  const invitation = await inviteTo(service, invited.userId, owner.organizationId);
  const admin = await newSuperAdmin(service);
  const client = await newMcpClient(service, ['sessions:revoke', 'invitations:manage'], admin);
  const rows = await service.sql<{ id: string; userId: string }>(
    `SELECT id, user_id AS "userId" FROM credentials WHERE user_id = ANY ($1) ORDER BY kind`,
    [[owner.userId, admin.userId]],
  );
  const credentialOf = (userId: string): string => rows.find((row) => row.userId === userId)?.id ?? '';
  return {
    client,
    ids: {
      owner: owner.userId,
      organization: owner.organizationId,
      member: owner.memberId,
      invited: invited.userId,
      invitation,
      credential: credentialOf(owner.userId),
      admin: admin.userId,
      'own credential': credentialOf(admin.userId),
      unknown: newId(),
    } satisfies Record<string, string>,
    userIds: [owner.userId, invited.userId, admin.userId],
  };
};

type Named = keyof Awaited<ReturnType<typeof newVictim>>['ids'];
const named: readonly Named[] = [
  'owner',
  'organization',
  'member',
  'invited',
  'invitation',
  'credential',
  'admin',
  'own credential',
  'unknown',
];
const fittingNames: Readonly<Record<string, readonly Named[]>> = {
  userId: ['owner', 'invited', 'admin'],
  memberId: ['invitation', 'member'],
  credentialId: ['credential', 'own credential'],
};

/** Arguments by the name of the target, or anything else. */
const realArguments = (argument: string): fc.Arbitrary<Readonly<Record<string, unknown>>> => {
  const who = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...(fittingNames[argument] ?? named)).map((name) => ({ name })) },
    { weight: 1, arbitrary: fc.constantFrom(...named).map((name) => ({ name })) },
    { weight: 1, arbitrary: hostileJson },
  );
  const others = fc.oneof(
    { weight: 5, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.dictionary(hostileText, hostileJson, { maxKeys: 2 }) },
  );
  const dryRun = fc.constantFrom<Readonly<Record<string, unknown>>>(
    {},
    {},
    {},
    {},
    {},
    {},
    { dryRun: false },
    { dryRun: true },
    { dryRun: 'no' },
  );
  return fc
    .tuple(who, others, dryRun)
    .map(([value, more, dryRunBanner]) => ({ ...more, ...dryRunBanner, [argument]: value }));
};

const argumentOf: Readonly<Record<string, string>> = {
  sessions_revoke: 'credentialId',
  sessions_revoke_user: 'userId',
  sessions_revoke_many: 'userId',
  organization_revoke: 'organizationId',
  client_revoke: 'clientId',
  invitation_reset: 'memberId',
  invitation_cancel: 'memberId',
};

const isNaming = (value: unknown): value is { readonly name: Named } =>
  typeof value === 'object' && value !== null && 'name' in value && named.some((name) => name === value.name);

describe('A changing tool call', () => {
  const drawn = fc
    .constantFrom(...changing)
    .chain((tool) => realArguments(argumentOf[tool] ?? '').map((given) => ({ tool, given })));

  const isRefused = ({ text, status }: WireAnswer): boolean => status >= 400 || /"isError":true|"error":\{/.test(text);

  // Contract: requests#changing-tools — Random calls of changing tools
  it('changes nothing on refusal or in a dry run, and otherwise only its target', async () => {
    let done = 0;
    await fc.assert(
      fc.asyncProperty(drawn, fc.constantFrom(...versions), fc.nat(5), async ({ tool, given }, version, number) => {
        const victim = await newVictim();
        const values = Object.entries(given).map(
          ([name, value]) => [name, isNaming(value) ? victim.ids[value.name] : value] as const,
        );
        const params = { name: tool, arguments: Object.fromEntries<unknown>(values) };
        // One of five was not granted this.
        const client = number === 0 ? clients[1] : victim.client;
        const stored = await othersStored();
        const known = await auditIds();
        const answer = await sendAs(client, requestIn(version, { method: 'tools/call', params, id: number }));
        const { accessToken, refreshToken } = victim.client.tokens;
        expectValidAnswer(answer, [...secrets(), accessToken, refreshToken]);
        const fresh = [...(await auditIds())].filter((id) => !known.has(id));
        expect(fresh).toEqual([namedId(answer.text)]);
        const after = await othersStored();
        if (isRefused(answer) || given['dryRun'] === true) {
          expect(after).toEqual(stored);
        } else {
          const touched = [
            ...stored.filter((line) => !after.includes(line)),
            ...after.filter((line) => !stored.includes(line)),
          ];
          const rows = touched.filter((line) => /^[a-z_]+ \{/.test(line));
          const all = Object.values(victim.ids);
          expect(rows.filter((line) => !all.some((id) => line.includes(id)))).toEqual([]);
          done += rows.length > 0 ? 1 : 0;
        }
        await service.sql('DELETE FROM users WHERE id = ANY ($1)', [victim.userIds]);
        await service.sql('DELETE FROM organizations WHERE id = $1', [victim.ids.organization]);
      }),
      tries(120),
    );
    // Otherwise no call changed anything.
    expectOften(done, 20);
    expectCleanLog(service.logs, secrets());
  });
});
