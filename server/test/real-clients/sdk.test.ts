/** The official SDKs, unmodified, from the bare URL of the server: 2.4 in each mode, and 1.32. */
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { UnauthorizedError as OldUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it } from 'vitest';
import { expire } from '../support/actors/credentials.ts';
import { serviceFixture } from '../support/fixture.ts';
import { newPerson } from './approving-user.ts';

const service = serviceFixture();

interface TokensOfClient {
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
}

/** Storage that an application provides for the SDK; the SDK does the rest. */
const newMemory = <Information, Tokens extends TokensOfClient, Discovery>(name: string) => {
  let information: Information | undefined;
  let tokens: Tokens | undefined;
  let verifier = '';
  let asked: URL | null = null;
  let discovered: Discovery | undefined;
  const redirectUrl = 'http://127.0.0.1:43117/callback';
  const provider = {
    redirectUrl,
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl] },
    clientInformation: () => information,
    saveClientInformation: (registered: Information) => {
      information = registered;
    },
    tokens: () => tokens,
    saveTokens: (issued: Tokens) => {
      tokens = issued;
    },
    redirectToAuthorization: (address: URL) => {
      asked = address;
    },
    saveCodeVerifier: (secret: string) => {
      verifier = secret;
    },
    codeVerifier: () => verifier,
    discoveryState: () => discovered,
    saveDiscoveryState: (state: Discovery) => {
      discovered = state;
    },
  };
  return {
    provider,
    asked: (): URL => asked ?? new URL('none:'),
    held: (): TokensOfClient => tokens ?? { access_token: 'none' },
  };
};

const toolsOf = ({ tools }: { readonly tools: readonly { readonly name: string }[] }): string[] =>
  tools.map(({ name }) => name).toSorted();

const everyTool = [
  'client_revoke',
  'clients_list',
  'invitation_cancel',
  'invitation_reset',
  'mcp_whoami',
  'organization_get',
  'organization_revoke',
  'organizations_list',
  'sessions_list',
  'sessions_revoke',
  'sessions_revoke_many',
  'sessions_revoke_user',
  'sign_ins_list',
  'user_get',
  'user_reinstate',
  'user_suspend',
  'users_search',
];

// Specification: Clients of Platform MCP — Serves clients of 2025-11-25 and 2026-07-28 at the one path, from the bare
//   URL
it.each<{ mode: NonNullable<VersionNegotiationOptions['mode']>; version: string; title: string }>([
  { title: 'legacy', mode: 'legacy', version: '2025-11-25' },
  { title: 'auto', mode: 'auto', version: '2026-07-28' },
  { title: 'pinned to 2026-07-28', mode: { pin: '2026-07-28' }, version: '2026-07-28' },
])('SDK 2.4 in mode $title signs in from the bare URL, calls and refreshes', async ({ mode, version }) => {
  const person = await newPerson(service);
  const { provider, asked, held } = newMemory<
    Parameters<NonNullable<OAuthMemory['saveClientInformation']>>[0],
    Parameters<OAuthMemory['saveTokens']>[0],
    Parameters<NonNullable<OAuthMemory['saveDiscoveryState']>>[0]
  >('SDK 2.4');
  const newTransport = () =>
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { authProvider: provider });
  const newClient = () => new Client({ name: 'SDK 2.4', version: '1.0.0' }, { versionNegotiation: { mode } });

  const refused = newTransport();
  await expect(newClient().connect(refused)).rejects.toBeInstanceOf(UnauthorizedError);
  await refused.finishAuth((await person.allow(asked())).searchParams);

  const client = newClient();
  await client.connect(newTransport());
  try {
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(toolsOf(await client.listTools())).toEqual(everyTool);
    const before = await client.callTool({ name: 'mcp_whoami', arguments: {} });
    expect(JSON.stringify(before)).toContain(person.email);

    const { access_token: expired } = held();
    await expire(service, expired);
    const after = await client.callTool({ name: 'mcp_whoami', arguments: {} });
    expect(JSON.stringify(after)).toContain(person.email);
    expect(held().access_token).not.toBe(expired);
  } finally {
    await client.close();
  }
});

type OAuthMemory = NonNullable<
  Extract<
    NonNullable<ConstructorParameters<typeof StreamableHTTPClientTransport>[1]>['authProvider'],
    { readonly clientMetadata: unknown }
  >
>;

type OldMemory = NonNullable<NonNullable<ConstructorParameters<typeof OldTransport>[1]>['authProvider']>;

// Specification: Clients of Platform MCP — Serves clients of the SDK before version 2
it('SDK 1.32 signs in from the bare URL, calls and refreshes', async () => {
  const person = await newPerson(service);
  const { provider, asked, held } = newMemory<
    Parameters<NonNullable<OldMemory['saveClientInformation']>>[0],
    Parameters<OldMemory['saveTokens']>[0],
    Parameters<NonNullable<OldMemory['saveDiscoveryState']>>[0]
  >('SDK 1.32');
  const newTransport = () => new OldTransport(new URL(`${service.url}/mcp`), { authProvider: provider });
  const newClient = () => new OldClient({ name: 'SDK 1.32', version: '1.0.0' });

  const refused = newTransport();
  await expect(newClient().connect(refused)).rejects.toBeInstanceOf(OldUnauthorizedError);
  await refused.finishAuth((await person.allow(asked())).searchParams.get('code') ?? '');

  const client = newClient();
  await client.connect(newTransport());
  try {
    expect(toolsOf(await client.listTools())).toEqual(everyTool);
    expect(JSON.stringify(await client.callTool({ name: 'mcp_whoami' }))).toContain(person.email);

    const { access_token: expired } = held();
    await expire(service, expired);
    expect(JSON.stringify(await client.callTool({ name: 'mcp_whoami' }))).toContain(person.email);
    expect(held().access_token).not.toBe(expired);
  } finally {
    await client.close();
  }
});
