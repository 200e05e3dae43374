/**
 * The record of connections of clients with a metadata document: each fetch and each refusal, as super admins see them.
 */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { listedConnections, stepsOf } from '../support/actors/connections.ts';
import { newSuperAdmin } from '../support/actors/tenants.ts';
import { ageDocument, beginByDocument, connectByDocument, documentRowOf } from '../support/clients/document-clients.ts';
import { callTool } from '../support/clients/mcp.ts';
import { refreshAs } from '../support/clients/oauth.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { answering, startDocumentSite } from '../support/servers/document-site.ts';

const site = fixture(startDocumentSite);
const service = serviceFixture(() => ({ MCP_CLIENT_METADATA_ALLOW_LIST: site.allowList }));
const root = fixture(() => newSuperAdmin(service));

describe('The timeline of connections', () => {
  const timelineOf = async (url: string) => {
    await service.flush();
    return (await listedConnections(service, root, { clientId: (await documentRowOf(service, url))?.id })).nodes;
  };

  // Contract: organization-mcp#step-of-the-document — The connection timeline shows the fetch
  it('shows the fetch as the step client_document, and the steps that follow, to the call', async () => {
    const url = site.publish();
    const { tokens } = await connectByDocument(service, url);
    await callTool(service, { tokens }, 'mcp_whoami');
    const steps = (await timelineOf(url)).flatMap(stepsOf);
    expect(steps).toEqual(expect.arrayContaining(['client_document', 'authorization', 'consent', 'token', 'call']));
    expect(steps.some((step) => step.includes(':'))).toBe(false);
  });

  it('shows a failed fetch although the last document is used', async () => {
    const url = site.publish();
    await beginByDocument(service, url);
    site.change(url, answering('{}', {}, 503));
    await ageDocument(service, url, '300 seconds');
    await beginByDocument(service, url);
    const steps = (await timelineOf(url)).flatMap(({ steps: each }) => each);
    expect(steps.find(({ rule }) => rule !== null)).toMatchObject({
      step: 'client_document',
      rule: 'client_document_unreachable',
      detail: `${url}: status 503`,
    });
  });

  it('shows a refused refresh under its client', async () => {
    const url = site.publish();
    const { tokens } = await connectByDocument(service, url);
    await refreshAs(service, { clientId: url, tokens: { ...tokens, refreshToken: `gate_r_${newId()}` } });
    expect((await timelineOf(url)).flatMap(stepsOf)).toContain('refresh: refresh_refused');
  });
});
