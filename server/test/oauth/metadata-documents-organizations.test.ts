/** Clients with a metadata document that a person connects to an organization: the URL names them everywhere. */
import { describe, expect, it } from 'vitest';
import { clientOperations } from '../support/actors/connected-clients.ts';
import {
  answerIn,
  authorizationQuery,
  csrfTokenIn,
  PageBrowser,
  redirectUri,
} from '../support/clients/authorization.ts';
import { Browser, goodPassword, operations, register } from '../support/clients/clients.ts';
import { sendLines } from '../support/clients/entry-points.ts';
import { callTool } from '../support/clients/mcp.ts';
import {
  type ClientTokens,
  challengeOf,
  clientTokensOf,
  newVerifier,
  postForm,
  redemptionOf,
} from '../support/clients/oauth.ts';
import { organizationPath, resultOf } from '../support/clients/organization-mcp.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { startDocumentSite } from '../support/servers/document-site.ts';

const secret = 'a secret of the notes: 32 bytes or more and as it stands';
const notesUrl = 'https://notes.example/mcp';

const site = fixture(startDocumentSite);
const service = serviceFixture(
  () => ({ MCP_CLIENT_METADATA_ALLOW_LIST: site.allowList, RESOURCE_SECRET_NOTES: secret }),
  'none',
  {
    application: {
      scopes: { 'notes:read': 'Read notes' },
      roles: { ADMIN: { scopes: ['notes:read'] }, MEMBER: { scopes: ['notes:read'] } },
      resources: { notes: { url: notesUrl, scopes: ['notes:read'] } },
    },
  },
);

/** A new owner lets the client into their organization. */
const connect = async (url: string, resource: string) => {
  const email = await register(service);
  const browser = new PageBrowser(service);
  await browser.signIn(service, email);
  const verifier = newVerifier();
  const query = authorizationQuery(url, { code_challenge: challengeOf(verifier), resource });
  const { location } = await browser.get(`/auth/mcp/authorize?${query}`);
  const page = await browser.get(new URL(location ?? 'none:').pathname);
  const organization = /name="organization_id" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const form = { decision: 'approve', csrf_token: csrfTokenIn(page), organization_id: organization };
  const answer = await browser.post(new URL(location ?? 'none:').pathname, form);
  const { code = '' } = answerIn(answer.location);
  const redemption = { ...redemptionOf({ code, clientId: url, redirectUri, verifier }), resource };
  return { email, page, tokens: clientTokensOf(await postForm(service, 'token', redemption)) };
};

const whoami = (tokens: ClientTokens) => callTool(service, { tokens, path: organizationPath }, 'whoami');

const resource = () => `${service.url}${organizationPath}`;

describe('A client with a metadata document, in an organization', () => {
  // Contract: organization-mcp#document-at-consent — The document's host and the URL, also in an organization
  it('is shown by its host at consent, and by its URL to itself and to the person', async () => {
    const url = site.publish();
    const { page, tokens, email } = await connect(url, resource());
    expect(page.text).toContain(`A document at <bdi>${new URL(url).host}</bdi> describes this client`);
    expect(page.text).toContain('<p class="caution">');
    expect(resultOf(await whoami(tokens)).structuredContent).toMatchObject({
      client: { id: url, name: 'Documented Client' },
    });
    const portal = new Browser(service);
    await portal.run(operations.signIn, { input: { email, password: goodPassword } });
    const { data } = await portal.run(clientOperations.connectedClients, {});
    expect(data).toMatchObject({ connectedClients: { nodes: [{ clientId: url, metadataUrl: url }] } });
  });

  it('is let in by the URL on the list of an organization, and refused without', async () => {
    const url = site.publish();
    const { tokens } = await connect(url, resource());
    await service.sql(
      `UPDATE organizations o SET mcp_clients = 'LISTED', mcp_client_ids = $2 FROM credentials c
       JOIN oauth_clients k ON k.id = c.client_id WHERE k.metadata_url = $1 AND o.id = c.organization_id`,
      [url, [url]],
    );
    expect((await whoami(tokens)).status).toBe(200);
    await service.sql(
      "UPDATE organizations SET mcp_client_ids = '{https://other.example/client.json}' WHERE mcp_clients = 'LISTED'",
    );
    expect((await whoami(tokens)).status).toBe(403);
  });

  // Contract: organization-mcp#document-at-consent — Introspection gives the URL as client_id
  it('has the URL as its client_id at introspection', async () => {
    const url = site.publish();
    const { tokens } = await connect(url, notesUrl);
    const { body } = await sendLines(
      `${service.url}/auth/introspect`,
      'POST',
      [
        ['authorization', `Basic ${Buffer.from(`notes:${secret}`).toString('base64')}`],
        ['content-type', 'application/x-www-form-urlencoded'],
      ],
      `token=${tokens.accessToken}`,
    );
    expect(JSON.parse(body)).toMatchObject({ active: true, client_id: url, aud: notesUrl });
  });
});
