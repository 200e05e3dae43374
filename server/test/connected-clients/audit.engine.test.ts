/** The rows of an organization's audit for a client that a member connects, and for one that the policy refuses. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyOrganizationAudits } from '../../src/domain/audit/verify-organization-audits.ts';
import { notes, resourceUrl } from '../back-ends/notes.ts';
import { credentialIdOf, familyOf } from '../support/actors/credentials.ts';
import { dataOf } from '../support/actors/machines/token-operations.ts';
import { addTo, newMember, newOwner, newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import {
  answerIn,
  beginAuthorization,
  csrfTokenIn,
  organizationIn,
  PageBrowser,
  registerClient,
} from '../support/clients/authorization.ts';
import { operations } from '../support/clients/clients.ts';
import { callTool } from '../support/clients/mcp.ts';
import {
  type CodeInHand,
  clientTokensOf,
  newClient,
  newCode,
  type OAuthAnswer,
  redeem,
  refreshAs,
} from '../support/clients/oauth.ts';
import { connectToOrganization, organizationCalls } from '../support/clients/organization-mcp.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture({}, 'none', { application: notes });
const organizationUrl = (): string => `${service.config.baseUrl}/mcp/organization`;

interface Row {
  readonly event: string;
  readonly outcome: string;
  readonly actorKind: string;
  readonly actor: string;
  readonly credential: string;
  readonly client: string;
  readonly subject: string;
  readonly owner: string;
  readonly details: string;
}

/** Rows on connected and refused clients, the oldest first. */
const rowsOf = ({ organizationId }: Pick<Tenant, 'organizationId'>): Promise<Row[]> =>
  service.sql<Row>(
    `SELECT event, outcome, actor_kind AS "actorKind", actor_id AS actor, credential_id AS credential,
       client_id AS client, subject_id AS subject, subject_user_id AS owner, details
     FROM organization_audits WHERE organization_id = $1 AND event IN ('MCP_CLIENT_CONNECTED', 'MCP_CLIENT_REFUSED')
     ORDER BY position`,
    [organizationId],
  );

const expectSoundChain = async ({ organizationId }: Pick<Tenant, 'organizationId'>): Promise<void> => {
  const chains = await verifyOrganizationAudits(service.database);
  expect(chains.find((chain) => chain.organizationId === organizationId)).toMatchObject({ isSound: true });
};

/** The rows in a person's export, as event and details. */
const exportedOf = async (person: Tenant): Promise<readonly (readonly [string, boolean, unknown])[]> => {
  const { json } = dataOf<{ readonly json: string }>(await runAs(service, person, operations.exportMyData));
  const { organizationAudits } = JSON.parse(json) as {
    readonly organizationAudits: readonly { event: string; byThisPerson: boolean; details: unknown }[];
  };
  return organizationAudits.map(({ event, byThisPerson, details }) => [event, byThisPerson, details]);
};

const codeOf = async (
  { userId, organizationId, memberId: membershipId }: Tenant,
  audience = 'mcp_organization',
  scopes: readonly string[] = ['MEMBERS_VIEW'],
): Promise<CodeInHand> =>
  newCode(service, { clientId: await newClient(service), userId, scopes, audience, organizationId, membershipId });

describe('MCP_CLIENT_CONNECTED', () => {
  // Contract: organization-mcp#connected-clients — a connected client is a row of the organization's audit
  it('is written with the pair, by the person, with what they granted and where the code went', async () => {
    const owner = await newOwner(service);
    const member = await newMember(service, owner.organizationId);
    const code = await codeOf(member);
    const { accessToken } = clientTokensOf(await redeem(service, code));
    const sessionFamilyId = await familyOf(service, accessToken);
    const name = await service.sql.value<string>('SELECT name FROM oauth_clients WHERE id = $1', [code.clientId]);
    const details = `{"name":"${name}","redirectHost":"127.0.0.1","resource":"${organizationUrl()}","scopes":["MEMBERS_VIEW"],"sessionFamilyId":"${sessionFamilyId}"}`;
    expect(await rowsOf(owner)).toEqual([
      {
        event: 'MCP_CLIENT_CONNECTED',
        outcome: 'success',
        actorKind: 'PERSON',
        actor: member.userId,
        credential: await credentialIdOf(service, accessToken),
        client: code.clientId,
        subject: code.clientId,
        owner: member.userId,
        details,
      },
    ]);
    await expectSoundChain(owner);
    expect(await exportedOf(member)).toEqual([['MCP_CLIENT_CONNECTED', true, details]]);
  });

  it('names the URL of a resource of the application', async () => {
    const owner = await newOwner(service);
    clientTokensOf(await redeem(service, await codeOf(owner, resourceUrl, ['notes:read', 'notes:write'])));
    const [row] = await rowsOf(owner);
    expect(JSON.parse(row?.details ?? '')).toMatchObject({
      resource: resourceUrl,
      scopes: ['notes:read', 'notes:write'],
    });
  });

  it('is written once: not at a refresh, nor at a second redemption of the code', async () => {
    const owner = await newOwner(service);
    const code = await codeOf(owner);
    const tokens = clientTokensOf(await redeem(service, code));
    clientTokensOf(await refreshAs(service, { clientId: code.clientId, tokens }));
    expect((await redeem(service, code)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await rowsOf(owner)).map(({ event }) => event)).toEqual(['MCP_CLIENT_CONNECTED']);
  });

  it('is not written for Platform MCP, which belongs to no organization', async () => {
    const admin = await newSuperAdmin(service);
    const code = await newCode(service, { clientId: await newClient(service), userId: admin.userId });
    clientTokensOf(await redeem(service, code));
    expect(await service.sql('SELECT 1 FROM organization_audits WHERE client_id = $1', [code.clientId])).toEqual([]);
  });

  it('is not written where the redemption is rolled back, and no pair is issued where it cannot be written', async () => {
    const owner = await newOwner(service);
    const code = await codeOf(owner);
    await service.sql(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'on purpose'; END $$`,
    );
    for (const table of ['oauth_clients', 'organization_audits']) {
      await service.sql(`CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION fail()`);
      try {
        expect((await expectNothingStored(service, () => redeem(service, code))).status).toBe(500);
      } finally {
        await service.sql(`DROP TRIGGER fail ON ${table}`);
      }
    }
    clientTokensOf(await redeem(service, code));
    expect(await rowsOf(owner)).toHaveLength(1);
  });

  it('is not written for a code that is refused', async () => {
    const owner = await newOwner(service);
    const code = await codeOf(owner);
    await service.sql("UPDATE subscriptions SET status = 'CANCELED' WHERE organization_id = $1", [
      owner.organizationId,
    ]);
    const refused: OAuthAnswer = await expectNothingStored(service, () => redeem(service, code));
    expect(refused.body).toMatchObject({ error: 'invalid_grant' });
    expect(await rowsOf(owner)).toEqual([]);
  });
});

describe('MCP_CLIENT_REFUSED', () => {
  let clientId: string;
  beforeAll(async () => {
    clientId = await registerClient(service);
  });

  const ask = async (person: Tenant, scope = 'MEMBERS_VIEW notes:read') => {
    const browser = new PageBrowser(service);
    browser.keep({ name: 'auth_access', value: person.tokens.accessToken, path: '/' });
    browser.keep({ name: 'auth_refresh', value: person.tokens.refreshToken, path: '/' });
    const path = await beginAuthorization(browser, clientId, { resource: organizationUrl(), scope });
    const page = await browser.get(path);
    const decide = (decision: string, of = page) =>
      browser.post(path, { decision, csrf_token: csrfTokenIn(of), organization_id: organizationIn(of) ?? '' });
    const choose = ({ organizationId }: Tenant) => browser.get(`${path}?organization_id=${organizationId}`);
    return { page, decide, choose };
  };

  const acceptNone = ({ organizationId }: Tenant): Promise<unknown> =>
    service.sql("UPDATE organizations SET mcp_clients = 'NONE' WHERE id = $1", [organizationId]);

  const rowFor = async (person: Tenant) => ({
    event: 'MCP_CLIENT_REFUSED',
    outcome: 'success',
    actorKind: 'PERSON',
    actor: person.userId,
    credential: await credentialIdOf(service, person.tokens.accessToken),
    client: clientId,
    subject: clientId,
    owner: person.userId,
    details: `{"name":"Test Client","redirectHost":"127.0.0.1","resource":"${organizationUrl()}","scopes":["MEMBERS_VIEW","notes:read"]}`,
  });

  // Contract: organization-mcp#refused-client — a client that the policy refuses at consent is a row of the
  //   organization's audit
  it('is written where the policy refuses a client at its consent', async () => {
    const owner = await newOwner(service);
    await acceptNone(owner);
    const { page } = await ask(owner);
    expect(answerIn(page.location)['error']).toBe('access_denied');
    const row = await rowFor(owner);
    expect(await rowsOf(owner)).toEqual([row]);
    await expectSoundChain(owner);
    expect(await exportedOf(owner)).toEqual([['MCP_CLIENT_REFUSED', true, row.details]]);
  });

  it('is written in the organization that was chosen, where the policy changed before the answer', async () => {
    const owner = await newOwner(service);
    const other = await newOwner(service);
    await addTo(service, owner.userId, other.organizationId);
    const { decide } = await ask(owner);
    await acceptNone(owner);
    expect(answerIn((await decide('approve')).location)['error']).toBe('access_denied');
    expect(await rowsOf(owner)).toEqual([await rowFor(owner)]);
    expect(await rowsOf(other)).toEqual([]);
  });

  it('is written once for a request, however often it is answered', async () => {
    const owner = await newOwner(service);
    const { decide } = await ask(owner);
    await acceptNone(owner);
    await Promise.all([decide('approve'), decide('approve'), decide('approve')]);
    expect(await rowsOf(owner)).toHaveLength(1);
  });

  describe('of a person with several organizations, whose active one refuses the client', () => {
    let owner: Tenant;
    let other: Tenant;
    beforeEach(async () => {
      [owner, other] = await Promise.all([newOwner(service), newOwner(service)]);
      await addTo(service, owner.userId, other.organizationId);
      await acceptNone(owner);
    });

    it('is written there by the only answer that its page offers, and not by the page', async () => {
      const { page, decide } = await ask(owner);
      expect(page.text).not.toContain('value="approve"');
      expect(await rowsOf(owner)).toEqual([]);
      const answer = answerIn((await decide('deny')).location);
      expect(answer).toMatchObject({
        error: 'access_denied',
        error_description: 'The organization does not accept this client.',
      });
      expect(await rowsOf(owner)).toEqual([await rowFor(owner)]);
      expect(await rowsOf(other)).toEqual([]);
      await expectSoundChain(owner);
    });

    it('is not written where another one is chosen, whether the person allows it there or refuses', async () => {
      for (const decision of ['approve', 'deny']) {
        const { decide, choose } = await ask(owner);
        const { location } = await decide(decision, await choose(other));
        expect(answerIn(location)['error']).toBe(decision === 'deny' ? 'access_denied' : undefined);
      }
      expect(await rowsOf(owner)).toEqual([]);
      expect(await rowsOf(other)).toEqual([]);
    });

    it('is written where a refusing one was chosen in the place of an accepting one', async () => {
      await acceptNone(other);
      await service.sql("UPDATE organizations SET mcp_clients = 'ANY' WHERE id = $1", [owner.organizationId]);
      const { decide, choose } = await ask(owner);
      await decide('deny', await choose(other));
      expect(await rowsOf(owner)).toEqual([]);
      expect(await rowsOf(other)).toEqual([await rowFor(owner)]);
    });

    it('is not written where the policy has let the client in before the person refuses', async () => {
      const { decide } = await ask(owner);
      await service.sql("UPDATE organizations SET mcp_clients = 'ANY' WHERE id = $1", [owner.organizationId]);
      expect(answerIn((await decide('deny')).location)['error_description']).toBe('The person refused the request.');
      expect(await rowsOf(owner)).toEqual([]);
    });
  });

  it('is not written where the person refuses, or holds none of the scopes', async () => {
    const owner = await newOwner(service);
    const { decide } = await ask(owner);
    expect(answerIn((await decide('deny')).location)['error']).toBe('access_denied');
    await service.sql("UPDATE subscriptions SET status = 'CANCELED' WHERE organization_id = $1", [
      owner.organizationId,
    ]);
    const { page } = await ask(owner, 'notes:write');
    expect(answerIn(page.location)['error']).toBe('invalid_scope');
    expect(await rowsOf(owner)).toEqual([]);
  });

  it('is not written for a connected client, whose refused calls are rows of their own', async () => {
    const owner = await newOwner(service);
    const client = await connectToOrganization(service, owner);
    await acceptNone(owner);
    expect((await callTool(service, client, 'whoami')).status).toBe(403);
    expect(await rowsOf(owner)).toEqual([]);
    expect(await organizationCalls(service, owner.organizationId)).toMatchObject([
      { client: client.clientId, tool: 'whoami', outcome: 'deny' },
    ]);
  });
});
