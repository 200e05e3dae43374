/**
 * What a client of an organization can connect to: the MCP of an organization with the tools of examples/mcp-tools, and
 * examples/mcp-server in a process of its own.
 */
import application from '../../../examples/mcp-tools/application.ts';
import { tools } from '../../../examples/mcp-tools/tools.ts';
import { mcpExample, startExample } from '../../../packages/node/test/examples/start-example.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { fixture } from '../support/fixture.ts';
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';
import { freePort } from '../support/servers/listen.ts';

const resourceSecret = 'a secret of the notes: 32 bytes or more and as it stands';

interface Target {
  readonly title: string;
  readonly url: () => string;
  /** Those that a member with notes:read sees. */
  readonly tools: readonly string[];
  readonly read: string;
  readonly write: string;
}

export interface OrganizationSite {
  readonly service: Service;
  readonly acme: { readonly organizationId: string };
  readonly targets: readonly Target[];
}

/** Fixtures of a file. */
export const organizationSite = (): OrganizationSite => {
  const place = fixture(async () => ({ port: String(await freePort()) }));
  const resource = () => `http://localhost:${place.port}/mcp`;
  const service = fixture(() => {
    const resources = { notes: { url: resource(), scopes: ['notes:read', 'notes:write'] } };
    const settings = { RESOURCE_SECRET_NOTES: resourceSecret };
    return startService(settings, 'none', { application: { ...application, resources }, tools });
  });
  fixture(() =>
    startExample(mcpExample, {
      GATEHOUSE_URL: service.url,
      RESOURCE_SECRET_NOTES: resourceSecret,
      PORT: place.port,
    }),
  );
  const acme = fixture(() => newOwner(service));
  const targets = [
    {
      title: 'the MCP of an organization with the tools of examples/mcp-tools',
      url: () => `${service.url}/mcp/organization`,
      tools: ['whoami', 'organization_get', 'members_list', 'notes_list'],
      read: 'notes_list',
      write: 'notes_add',
    },
    {
      title: 'examples/mcp-server',
      url: resource,
      tools: ['list_notes', 'add_note'],
      read: 'list_notes',
      write: 'add_note',
    },
  ];
  return { service, acme, targets };
};
