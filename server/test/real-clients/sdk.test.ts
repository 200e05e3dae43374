/** The official SDKs, unmodified, from the bare URL of Platform MCP: 2.4 in each mode, and 1.32. */
import { expect, it } from 'vitest';
import { expire } from '../support/actors/credentials.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { newPerson } from './approving-user.ts';
import { newSdks, oldSdk } from './sdk-clients.ts';

const service = serviceFixture();

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

// Contract: platform-mcp#tested-clients — Serves clients of 2025-11-25 and 2026-07-28 at the one path, from the bare
//   URL
// Contract: platform-mcp#tested-clients — Serves clients of the SDK before version 2
it.each([...newSdks, oldSdk])(
  '$title signs in from the bare URL, calls and refreshes',
  async ({ version, connect }) => {
    const person = await newPerson(service);
    const client = await connect(`${service.url}/mcp`, person);
    try {
      expect(client.version).toBe(version);
      expect((await client.tools()).toSorted()).toEqual(everyTool);
      expect(await client.call('mcp_whoami')).toContain(person.email);

      const expired = client.accessToken();
      await expire(service, expired);
      expect(await client.call('mcp_whoami')).toContain(person.email);
      expect(client.accessToken()).not.toBe(expired);
    } finally {
      await client.close();
    }
  },
);
