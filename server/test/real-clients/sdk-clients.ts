/** The official SDKs as an application uses them, unmodified: 2.4 in each mode, and 1.32. */
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { UnauthorizedError as OldUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'vitest';
import type { Person } from './approving-user.ts';

export interface ConnectedSdk {
  /** Of the protocol; undefined where the SDK does not say. */
  readonly version: string | undefined;
  /** Names of the tools, in their order. */
  tools(): Promise<string[]>;
  /** The result of a call, as JSON. */
  call(name: string, given?: Record<string, unknown>): Promise<string>;
  /** Asks the person for more, as the SDK does by itself when a call is refused with insufficient_scope. */
  completeStepUp(person: Pick<Person, 'allow'>): Promise<URL>;
  accessToken(): string;
  scopes(): string[];
  close(): Promise<void>;
}

export interface Sdk {
  readonly title: string;
  /** The revision that it agrees on with the service. */
  readonly version: string | undefined;
  readonly unauthorized: typeof UnauthorizedError | typeof OldUnauthorizedError;
  /**
   * From the bare URL: refused, registered, allowed by a person, and connected.
   * @param scope that the application asks for at first, in place of all that the server names
   */
  readonly connect: (url: string, person: Pick<Person, 'allow'>, scope?: string) => Promise<ConnectedSdk>;
}

interface TokensOfClient {
  readonly access_token: string;
  readonly refresh_token?: string | undefined;
  readonly scope?: string | undefined;
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
    accessToken: () => tokens?.access_token ?? 'none',
    scopes: () => tokens?.scope?.split(' ').toSorted() ?? [],
  };
};

type OAuthMemory = NonNullable<
  Extract<
    NonNullable<ConstructorParameters<typeof StreamableHTTPClientTransport>[1]>['authProvider'],
    { readonly clientMetadata: unknown }
  >
>;

const namesOf = ({ tools }: { readonly tools: readonly { readonly name: string }[] }): string[] =>
  tools.map(({ name }) => name);

const connectNew =
  (mode: NonNullable<VersionNegotiationOptions['mode']>): Sdk['connect'] =>
  async (url, person, scope) => {
    const { provider, asked, accessToken, scopes } = newMemory<
      Parameters<NonNullable<OAuthMemory['saveClientInformation']>>[0],
      Parameters<OAuthMemory['saveTokens']>[0],
      Parameters<NonNullable<OAuthMemory['saveDiscoveryState']>>[0]
    >('SDK 2.4');
    const newTransport = () => new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
    const newClient = () => new Client({ name: 'SDK 2.4', version: '1.0.0' }, { versionNegotiation: { mode } });
    const refused = newTransport();
    await expect(newClient().connect(refused)).rejects.toBeInstanceOf(UnauthorizedError);
    const first = asked();
    if (scope !== undefined) first.searchParams.set('scope', scope);
    await refused.finishAuth((await person.allow(first)).searchParams);
    const [client, transport] = [newClient(), newTransport()];
    await client.connect(transport);
    return {
      version: client.getNegotiatedProtocolVersion(),
      tools: async () => namesOf(await client.listTools()),
      call: async (name, given = {}) => JSON.stringify(await client.callTool({ name, arguments: given })),
      completeStepUp: async (who) => {
        const address = asked();
        await transport.finishAuth((await who.allow(address)).searchParams);
        return address;
      },
      accessToken,
      scopes,
      close: () => client.close(),
    };
  };

type OldMemory = NonNullable<NonNullable<ConstructorParameters<typeof OldTransport>[1]>['authProvider']>;

const connectOld: Sdk['connect'] = async (url, person) => {
  const { provider, asked, accessToken, scopes } = newMemory<
    Parameters<NonNullable<OldMemory['saveClientInformation']>>[0],
    Parameters<OldMemory['saveTokens']>[0],
    Parameters<NonNullable<OldMemory['saveDiscoveryState']>>[0]
  >('SDK 1.32');
  const newTransport = () => new OldTransport(new URL(url), { authProvider: provider });
  const newClient = () => new OldClient({ name: 'SDK 1.32', version: '1.0.0' });
  const codeIn = ({ searchParams }: URL): string => searchParams.get('code') ?? '';
  const refused = newTransport();
  await expect(newClient().connect(refused)).rejects.toBeInstanceOf(OldUnauthorizedError);
  await refused.finishAuth(codeIn(await person.allow(asked())));
  const [client, transport] = [newClient(), newTransport()];
  await client.connect(transport);
  return {
    version: undefined,
    tools: async () => namesOf(await client.listTools()),
    call: async (name, given = {}) => JSON.stringify(await client.callTool({ name, arguments: given })),
    completeStepUp: async (who) => {
      const address = asked();
      await transport.finishAuth(codeIn(await who.allow(address)));
      return address;
    },
    accessToken,
    scopes,
    close: () => client.close(),
  };
};

const newSdk = (title: string, mode: NonNullable<VersionNegotiationOptions['mode']>, version: string): Sdk => ({
  title: `SDK 2.4 in mode ${title}`,
  version,
  unauthorized: UnauthorizedError,
  connect: connectNew(mode),
});

export const newSdks: readonly [Sdk, ...Sdk[]] = [
  newSdk('auto', 'auto', '2026-07-28'),
  newSdk('legacy', 'legacy', '2025-11-25'),
  newSdk('pinned to 2026-07-28', { pin: '2026-07-28' }, '2026-07-28'),
];

export const oldSdk: Sdk = {
  title: 'SDK 1.32',
  version: undefined,
  unauthorized: OldUnauthorizedError,
  connect: connectOld,
};
