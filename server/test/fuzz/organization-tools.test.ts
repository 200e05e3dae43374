/** Calls of the changing tools of an organization, with real targets: a refusal and a dry run change nothing. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { addTo, inviteTo, newMember, newOwner } from '../support/actors/tenants.ts';
import { jsonHeaders, type McpClient, requestIn, versions } from '../support/clients/mcp.ts';
import { connectToOrganization } from '../support/clients/organization-mcp.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { fixture } from '../support/fixture.ts';
import {
  expectCleanLog,
  expectOften,
  expectValidAnswer,
  hostileJson,
  hostileText,
  sendOnWire,
  tries,
  type WireAnswer,
} from '../support/random/fuzz.ts';
import { startFuzzWorld } from '../support/random/fuzz-world.ts';

const world = fixture(startFuzzWorld);
const service = fixture(() => world.service);

const named = ['member', 'invitation', 'owner', 'bystander', 'email', 'own email', 'unknown'] as const;
type Named = (typeof named)[number];

/** An expendable organization, and a membership of its owner in another one. */
const newVictim = async () => {
  const [owner, invited, guest] = [await newOwner(service), await newOwner(service), await newOwner(service)];
  const member = await newMember(service, owner.organizationId);
  const ids: Readonly<Record<Named, string>> = {
    member: member.memberId,
    invitation: await inviteTo(service, invited.userId, owner.organizationId),
    owner: owner.memberId,
    bystander: await addTo(service, owner.userId, world.owner.organizationId),
    email: guest.email,
    'own email': owner.email,
    unknown: newId(),
  };
  const people = [owner, invited, guest, member];
  return {
    client: await connectToOrganization(service, owner),
    narrow: await connectToOrganization(service, owner, { scopes: ['MEMBERS_VIEW'] }),
    ids,
    organizationId: owner.organizationId,
    userIds: people.map(({ userId }) => userId),
    organizationIds: people.map(({ organizationId }) => organizationId),
  };
};

const role = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('ADMIN', 'MEMBER') },
  { weight: 1, arbitrary: fc.constant('OWNER') },
  { weight: 1, arbitrary: hostileJson },
);

const targets = (...fitting: readonly Named[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...fitting).map((name) => ({ name })) },
    { weight: 2, arbitrary: fc.constantFrom(...named).map((name) => ({ name })) },
    { weight: 1, arbitrary: hostileJson },
  );

const dryRun = fc.constantFrom<Readonly<Record<string, unknown>>>(
  {},
  {},
  {},
  {},
  { dryRun: false },
  { dryRun: true },
  { dryRun: 'no' },
);

/** Beside the right arguments, which are strict. */
const others = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.dictionary(hostileText, hostileJson, { maxKeys: 2 }) },
);

const argumentsOf = {
  member_invite: fc.record({ email: targets('email'), role }),
  invitation_reset: fc.record({ memberId: targets('invitation') }),
  invitation_cancel: fc.record({ memberId: targets('invitation') }),
  member_change_role: fc.record({ memberId: targets('member', 'invitation'), role }),
  member_remove: fc.record({ memberId: targets('member', 'invitation') }),
} as const;
const tools = [
  'member_invite',
  'invitation_reset',
  'invitation_cancel',
  'member_change_role',
  'member_remove',
] as const;

const drawn = fc
  .constantFrom(...tools)
  .chain((tool) =>
    fc
      .tuple(others, argumentsOf[tool], dryRun)
      .map(([more, right, how]) => ({ tool, given: { ...more, ...right, ...how } as Record<string, unknown> })),
  );

const isNaming = (value: unknown): value is { readonly name: Named } =>
  typeof value === 'object' && value !== null && 'name' in value && named.some((name) => name === value.name);

const send = (client: McpClient, sent: ReturnType<typeof requestIn>): Promise<WireAnswer> =>
  sendOnWire(service.url, {
    method: 'POST',
    path: '/mcp/organization',
    headers: { ...jsonHeaders, ...sent.headers, authorization: `Bearer ${client.tokens.accessToken}` },
    body: sent.body,
  });

const isRefused = ({ text, status }: WireAnswer): boolean => status >= 400 || /"isError":true|"error":\{/.test(text);

/** Every table except the record of calls. */
const othersStored = async (): Promise<readonly string[]> =>
  (await everythingStored(service)).filter(
    (line) => !/^organization_audit_ends |^organization_audits .*"MCP_TOOL_CALLED"/.test(line),
  );

// Contract: requests#changing-tools — Random calls of changing tools of an organization
it('A changing tool of an organization changes nothing on refusal or in a dry run, and otherwise only that organization', async () => {
  let done = 0;
  await fc.assert(
    fc.asyncProperty(drawn, fc.constantFrom(...versions), fc.nat(5), async ({ tool, given }, version, number) => {
      const victim = await newVictim();
      const values = Object.entries(given).map(
        ([name, value]) => [name, isNaming(value) ? victim.ids[value.name] : value] as const,
      );
      const params = { name: tool, arguments: Object.fromEntries<unknown>(values) };
      // One of six was not granted this.
      const client = number === 0 ? victim.narrow : victim.client;
      const stored = await othersStored();
      const answer = await send(client, requestIn(version, { method: 'tools/call', params, id: number }));
      expectValidAnswer(answer, [...world.credentials, client.tokens.accessToken, client.tokens.refreshToken]);
      const after = await othersStored();
      if (number === 0 || isRefused(answer) || given['dryRun'] === true) {
        expect(after).toEqual(stored);
      } else {
        const touched = [
          ...stored.filter((line) => !after.includes(line)),
          ...after.filter((line) => !stored.includes(line)),
        ].filter((line) => /^[a-z_]+ \{/.test(line));
        // A member who is removed continues in another organization: their account and sessions change.
        const isOfPeople = (line: string): boolean =>
          /^(users|credentials) /.test(line) && victim.userIds.some((id) => line.includes(id));
        expect(touched.filter((line) => !line.includes(victim.organizationId) && !isOfPeople(line))).toEqual([]);
        done += touched.length > 0 ? 1 : 0;
      }
      await service.sql('DELETE FROM users WHERE id = ANY ($1)', [victim.userIds]);
      await service.sql('DELETE FROM organizations WHERE id = ANY ($1)', [victim.organizationIds]);
    }),
    tries(100),
  );
  // Otherwise no call changed anything.
  expectOften(done, 20);
  expectCleanLog(service.logs, world.credentials);
});
