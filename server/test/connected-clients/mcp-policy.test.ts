/** The policy of an organization for MCP clients (contract/organization-mcp.md#mcp-of-an-organization). */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { clientOperations, connect, setMcpPolicy } from '../support/actors/connected-clients.ts';
import { ageAuthentication } from '../support/actors/credentials.ts';
import { actorOfGrant } from '../support/actors/grants.ts';
import { dataOf } from '../support/actors/machines/token-operations.ts';
import { newMember, newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

/** Listed by the operator in a form that the URL parser changes; `twice` in two. */
const listed = {
  host: 'https://Odd.example/client.json',
  port: 'https://port.example:443/client.json',
  path: 'https://path.example/{client}.json',
  long: `https://long.example/${'a'.repeat(600)}`,
  twice: 'https://twice.example/client.json',
  twiceAgain: 'https://twice.example:0443/client.json',
} as const;

const service = serviceFixture({ MCP_CLIENT_METADATA_ALLOW_LIST: Object.values(listed).join(',') });
let owner: Tenant;
beforeAll(async () => {
  owner = await newOwner(service);
});

const policyOf = async (person: Tenant) => dataOf(await runAs(service, person, clientOperations.mcpPolicy));

const auditsOf = async ({ organizationId }: Tenant) =>
  (
    await service.sql<{ details: string; actor: string }>(
      `SELECT details, actor_id AS actor FROM organization_audits
       WHERE organization_id = $1 AND event = 'MCP_POLICY_CHANGED' ORDER BY position`,
      [organizationId],
    )
  ).map(({ details, actor }) => ({ ...(JSON.parse(details) as object), actor }));

describe('mcpPolicy', () => {
  // Contract: organization-mcp#policy-for-clients — a policy lets any client in at first
  it('lets any client in at first', async () => {
    expect(await policyOf(owner)).toEqual({ clients: 'ANY', clientIds: [], redirectHosts: [] });
  });

  // Contract: organization-mcp#policy-for-clients — mcpPolicy and setMcpPolicy: MCP_MANAGE, of OWNER and ADMIN
  it('is read and set by OWNER and ADMIN alone', async () => {
    const admin = await newMember(service, owner.organizationId, 'ADMIN');
    expect((await setMcpPolicy(service, admin, { clients: 'ANY' })).code).toBeNull();
    const member = await newMember(service, owner.organizationId);
    for (const act of [
      () => runAs(service, member, clientOperations.mcpPolicy),
      () => setMcpPolicy(service, member, { clients: 'NONE' }),
    ]) {
      const { extensions } = await expectRefusal(service, 'FORBIDDEN', act);
      expect(extensions).toMatchObject({ missingScopes: ['MCP_MANAGE'] });
    }
  });
});

describe('setMcpPolicy', () => {
  // Contract: organization-mcp#policy-for-clients — what is left out of setMcpPolicy stays
  it('leaves as it is what is left out, and records what changed', async () => {
    const person = await newOwner(service);
    const clientIds = [newId(), 'https://editor.example/client.json'];
    await setMcpPolicy(service, person, { clients: 'LISTED', clientIds });
    await setMcpPolicy(service, person, { redirectHosts: ['editor.example', '127.0.0.1'] });
    const [kept = ''] = clientIds;
    const answer = await setMcpPolicy(service, person, {
      clientIds: [kept],
      redirectHosts: ['127.0.0.1', 'localhost'],
    });
    const policy = { clients: 'LISTED', clientIds: [kept], redirectHosts: ['127.0.0.1', 'localhost'] };
    expect(dataOf(answer)).toEqual(policy);
    expect(await policyOf(person)).toEqual(policy);
    const actor = person.userId;
    expect(await auditsOf(person)).toEqual([
      { actor, clients: 'LISTED', formerClients: 'ANY', addedClientIds: clientIds },
      { actor, addedRedirectHosts: ['editor.example', '127.0.0.1'] },
      {
        actor,
        removedClientIds: clientIds.slice(1),
        addedRedirectHosts: ['localhost'],
        removedRedirectHosts: ['editor.example'],
      },
    ]);
  });

  it('records nothing where nothing changes', async () => {
    const person = await newOwner(service);
    const policy = { clients: 'LISTED', clientIds: [newId()], redirectHosts: ['localhost'] };
    await setMcpPolicy(service, person, policy);
    const again = await expectNothingStored(service, () => setMcpPolicy(service, person, policy));
    expect(dataOf(again)).toEqual(policy);
    await expectNothingStored(service, () => setMcpPolicy(service, person, {}));
  });

  // Contract: organization-mcp#policy-for-clients — setMcpPolicy is fresh
  it('needs a recent sign-in', async () => {
    const person = await newOwner(service);
    await ageAuthentication(service, person.tokens.refreshToken, '11 minutes');
    await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => setMcpPolicy(service, person, { clients: 'NONE' }));
  });

  // Contract: organization-mcp#entries-of-the-policy — both lists are exact, with at most 100 entries each
  it.each([
    'https://editor.example/client.json',
    'https://editor.example:8443/a?b=c',
    'http://127.0.0.1:4321/client.json',
    'http://localhost:4321/client.json',
  ])('lists the document %s', async (url) => {
    const id = newId();
    const answer = await setMcpPolicy(service, owner, { clientIds: [url, id.toUpperCase(), id, url] });
    expect(dataOf(answer)).toMatchObject({ clientIds: [url, id] });
  });

  it.each([
    '',
    'editor',
    'https://editor.example/',
    'https://editor.example',
    'http://editor.example/client.json',
    'https://*.example/client.json',
    'https://me@editor.example/client.json',
    'https://editor.example/client.json#',
    'https://editor.example/ client.json',
    `https://editor.example/${'a'.repeat(500)}`,
  ])('refuses the client id %j', async (text) => {
    const act = () => setMcpPolicy(service, owner, { clients: 'NONE', clientIds: [newId(), text] });
    const { extensions } = await expectRefusal(service, 'BAD_USER_INPUT', act);
    expect(Object.keys(extensions?.['fields'] ?? {})).toEqual(['clientIds']);
  });

  it.each([
    ['https://Editor.example/client.json', 'https://editor.example/client.json'],
    ['https://editor.example:443/client.json', 'https://editor.example/client.json'],
    ['https://editor.example:/client.json', 'https://editor.example/client.json'],
    ['https://editor.example/{client}', 'https://editor.example/%7Bclient%7D'],
    ['https://editor.example/a/../client.json', 'https://editor.example/client.json'],
    ['https://0x7f.1/client.json', 'https://127.0.0.1/client.json'],
  ])('refuses the document %j, which no list has, and says how it is written', async (text, plain) => {
    const act = () => setMcpPolicy(service, owner, { clients: 'NONE', clientIds: [newId(), text] });
    const { extensions } = await expectRefusal(service, 'BAD_USER_INPUT', act);
    expect(extensions?.['fields']).toEqual({
      clientIds: `Write the URL of a metadata document in its plain form: ${plain}`,
    });
  });

  it.each([
    ['in the form that the operator listed', listed.host, [listed.host]],
    ['in its plain form', 'https://odd.example/client.json', [listed.host]],
    ['in a third form', 'https://ODD.example:443/client.json', [listed.host]],
    ['without the port that is listed', 'https://port.example/client.json', [listed.port]],
    ['with the escapes that are not listed', 'https://path.example/%7Bclient%7D.json', [listed.path]],
    ['that is as long as the setting allows', listed.long, [listed.long]],
    ['that is listed in two forms, as one of them', listed.twiceAgain, [listed.twiceAgain]],
    ['that is listed in two forms, in a third', 'https://Twice.example/client.json', [listed.twice, listed.twiceAgain]],
    ['twice', 'https://port.example/client.json', [listed.port], 'https://PORT.example/client.json'],
  ])('stores a listed document as clients send it, where it is given %s', async (_how, text, stored, again = text) => {
    const person = await newOwner(service);
    expect(dataOf(await setMcpPolicy(service, person, { clientIds: [text, again] }))).toMatchObject({
      clientIds: stored,
    });
  });

  it('keeps what is stored, in a form that would be refused now', async () => {
    const person = await newOwner(service);
    const old = 'https://Delisted.example/client.json';
    await service.sql('UPDATE organizations SET mcp_client_ids = $2 WHERE id = $1', [person.organizationId, [old]]);
    const id = newId();
    const answer = await setMcpPolicy(service, person, { clientIds: [old, id] });
    expect(dataOf(answer)).toMatchObject({ clientIds: [old, id] });
    const plain = 'https://delisted.example/client.json';
    expect(dataOf(await setMcpPolicy(service, person, { clientIds: [plain] }))).toMatchObject({ clientIds: [plain] });
  });

  it.each([
    'editor.example',
    'editor.example:8443',
    'xn--bcher-kva.example',
    '127.0.0.1',
    'localhost',
    '[::1]',
    '[2001:db8::1]:8443',
    'cursor://anysphere.cursor-retrieval',
    'com.example.app://',
  ])('lists the host %s', async (host) => {
    const answer = await setMcpPolicy(service, owner, { redirectHosts: [host, host] });
    expect(dataOf(answer)).toMatchObject({ redirectHosts: [host] });
  });

  it.each([
    '',
    'Editor.example',
    'bücher.example',
    '*.example',
    'editor.example/callback',
    'editor.example:443',
    'https://editor.example',
    'http://127.0.0.1',
    '127.0.0.1:4321',
    'localhost:4321',
    '127.1',
    'me@editor.example',
    'editor.example?',
    'Cursor://editor',
    'cursor://editor/callback',
    'cursor://*',
    'editor example',
    'a'.repeat(501),
  ])('refuses the host %j', async (text) => {
    const act = () => setMcpPolicy(service, owner, { clients: 'NONE', redirectHosts: ['localhost', text] });
    const { extensions } = await expectRefusal(service, 'BAD_USER_INPUT', act);
    expect(Object.keys(extensions?.['fields'] ?? {})).toEqual(['redirectHosts']);
  });

  it('takes 100 entries of each list, and no more', async () => {
    const person = await newOwner(service);
    const hosts = range(101).map((turn) => `editor-${turn}.example`);
    const ids = range(101).map(() => newId());
    const most = { redirectHosts: hosts.slice(1), clientIds: ids.slice(1) };
    expect(dataOf(await setMcpPolicy(service, person, most))).toMatchObject(most);
    const act = () => setMcpPolicy(service, person, { redirectHosts: hosts, clientIds: ids });
    const { extensions } = await expectRefusal(service, 'BAD_USER_INPUT', act);
    expect(Object.keys(extensions?.['fields'] ?? {}).sort()).toEqual(['clientIds', 'redirectHosts']);
  });
});

describe('a policy', () => {
  it('lets in the client of a document in whatever form the document was listed and given', async () => {
    const person = await newOwner(service);
    const connected = await connect(service, person);
    await service.sql('UPDATE oauth_clients SET metadata_url = $2 WHERE id = $1', [connected.clientId, listed.host]);
    const isRefused = async () => (await actorOfGrant(service, connected)).credential.isClientRefused;
    await setMcpPolicy(service, person, { clients: 'LISTED', clientIds: [listed.port, connected.clientId] });
    expect(await isRefused()).toBe(true);
    for (const url of [listed.host, 'https://odd.example/client.json', 'https://ODD.example:443/client.json']) {
      await setMcpPolicy(service, person, { clientIds: [] });
      expect(await isRefused()).toBe(true);
      await setMcpPolicy(service, person, { clientIds: [url] });
      expect(await isRefused()).toBe(false);
    }
  });

  // Contract: organization-mcp#refused-client — a policy counts on the next call, and revokes nothing
  it('withholds the scopes of a refused client from its next call on, and gives them back', async () => {
    const person = await newOwner(service);
    const connected = await connect(service, person, { redirectHost: 'editor.example' });
    const isLetIn = async () => {
      const { membership, credential } = await actorOfGrant(service, connected);
      expect(credential.isClientRefused).toBe(membership?.scopes.length === 0);
      return !credential.isClientRefused;
    };
    expect(await isLetIn()).toBe(true);
    const steps = [
      [{ clients: 'NONE', clientIds: [connected.clientId], redirectHosts: ['editor.example'] }, false],
      [{ clients: 'LISTED' }, true],
      [{ clientIds: [] }, true],
      [{ redirectHosts: ['other.example'] }, false],
      [{ clientIds: [connected.clientId] }, true],
      [{ clientIds: [newId()] }, false],
      [{ clients: 'ANY' }, true],
    ] as const;
    for (const [input, expected] of steps) {
      expect((await setMcpPolicy(service, person, input)).code).toBeNull();
      expect({ input, isLetIn: await isLetIn() }).toEqual({ input, isLetIn: expected });
    }
    expect(
      await service.sql('SELECT 1 FROM credentials WHERE client_id = $1 AND revoked_at IS NOT NULL', [
        connected.clientId,
      ]),
    ).toEqual([]);
  });
});
