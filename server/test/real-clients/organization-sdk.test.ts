/** The official SDKs, unmodified, as clients of one organization: from the bare URL to more scopes. */
import { describe, expect, it } from 'vitest';
import { expire } from '../support/actors/credentials.ts';
import { newMemberOf } from './approving-user.ts';
import { organizationSite } from './organization-site.ts';
import { type ConnectedSdk, newSdks, oldSdk, type Sdk } from './sdk-clients.ts';

const { service, acme, targets } = organizationSite();

const refreshes = async (client: ConnectedSdk, tool: string): Promise<void> => {
  const expired = client.accessToken();
  const scopes = client.scopes();
  await expire(service, expired);
  await client.call(tool);
  expect(client.accessToken()).not.toBe(expired);
  expect(client.scopes()).toEqual(scopes);
};

describe.each(targets)('$title', ({ url, tools, read, write }) => {
  const connectReader = async ({ connect, version }: Sdk) => {
    const member = await newMemberOf(service, acme.organizationId);
    const client = await connect(url(), member);
    expect(client.version).toBe(version);
    expect(await client.tools()).toEqual(tools);
    expect(client.scopes()).toContain('notes:read');
    expect(client.scopes()).not.toContain('notes:write');
    return { member, client };
  };

  // Contract: organization-mcp#same-transport — Unmodified clients go from the bare URL to a call, and ask for more
  //   scopes
  it.each(newSdks)('$title connects, calls, asks for more scopes by itself and refreshes', async (sdk) => {
    const { member, client } = await connectReader(sdk);
    const text = `By ${sdk.title}`;
    try {
      expect(await client.call(read)).not.toContain(text);
      await member.becomes('EDITOR');
      await expect(client.call(write, { text })).rejects.toBeInstanceOf(sdk.unauthorized);
      const { searchParams } = await client.completeStepUp(member);
      expect(searchParams.get('scope')?.split(' ')).toEqual(expect.arrayContaining(['notes:read', 'notes:write']));
      expect(await client.call(read)).not.toContain(text);
      await client.call(write, { text });
      expect(client.scopes()).toContain('notes:write');
      expect(await client.call(read)).toContain(text);
      await refreshes(client, read);
    } finally {
      await client.close();
    }
  });

  it('SDK 2.4 asks for what a call needs, where the application asked for less at first', async () => {
    const editor = await newMemberOf(service, acme.organizationId, 'EDITOR');
    const [sdk] = newSdks;
    const client = await sdk.connect(url(), editor, 'notes:read');
    const text = 'By a client that asked for less';
    try {
      expect(client.scopes()).toEqual(['notes:read']);
      await expect(client.call(write, { text })).rejects.toBeInstanceOf(sdk.unauthorized);
      expect(await client.call(read)).not.toContain(text);
      const { searchParams } = await client.completeStepUp(editor);
      expect(searchParams.get('scope')?.split(' ').toSorted()).toEqual(['notes:read', 'notes:write']);
      await client.call(write, { text });
      expect(await client.call(read)).toContain(text);
      expect(client.scopes()).toEqual(['notes:read', 'notes:write']);
    } finally {
      await client.close();
    }
  });

  // Its answer to a refused call is a refresh, which gives no more scopes: the person connects the client again.
  it('SDK 1.32 connects, calls and refreshes, and has more scopes once it is connected again', async () => {
    const { member, client } = await connectReader(oldSdk);
    const text = 'By SDK 1.32';
    try {
      await client.call(read);
      await refreshes(client, read);
      await member.becomes('EDITOR');
      await expect(client.call(write, { text })).rejects.toThrow('Server returned 403 after trying upscoping');
      expect(await client.call(read)).not.toContain(text);
    } finally {
      await client.close();
    }
    const again = await oldSdk.connect(url(), member);
    try {
      await again.call(write, { text });
      expect(await again.call(read)).toContain(text);
    } finally {
      await again.close();
    }
  });
});
