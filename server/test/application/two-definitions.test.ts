/**
 * Two processes over one database while a new definition is deployed: each decides by its own, and no member gains a
 * scope.
 */
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readDefinition } from '../../src/domain/scopes/application-definition.ts';
import { newMember, newOwner } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { bearer, post } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { freePort } from '../support/servers/listen.ts';

const scopes = { 'notes:read': 'Read notes', 'notes:write': 'Write notes' };
const before = {
  scopes,
  roles: { EDITOR: { title: 'Editor', scopes: ['MEMBERS_VIEW', 'MEMBERS_INVITE', 'notes:read', 'notes:write'] } },
};
/** EDITOR is gone, and AUTHOR is new. */
const after = { scopes, roles: { AUTHOR: { title: 'Author', scopes: ['MEMBERS_VIEW', 'notes:read'] } } };

const service = serviceFixture({}, 'none', { application: before });

/** The next process, over the same database. */
const next = fixture(async () => {
  const application = readDefinition(after, { isHardened: false, taken: [], readLogo: () => null });
  const port = await freePort();
  const config = { ...service.config, port };
  const database = { ...shared(), close: async () => undefined };
  const app = await createApp({
    application,
    config,
    database,
    logger: silentLogger,
    portalDirectory: null,
    isCleanupLeft: true,
  });
  await app.http.listen({ port, host: '127.0.0.1' });
  return { url: `http://127.0.0.1:${port}`, close: () => app.close() };
});

/** The database of the first process, which closes it. */
const shared = () => {
  const { database } = service;
  return {
    engine: database.engine,
    get lookups() {
      return database.lookups;
    },
    many: database.many.bind(database),
    maybeOne: database.maybeOne.bind(database),
    one: database.one.bind(database),
    execute: database.execute.bind(database),
    transaction: database.transaction.bind(database),
    ping: database.ping.bind(database),
    stats: database.stats.bind(database),
    count: database.count.bind(database),
  };
};

const query = '{ me { currentMembership { role scopes } } }';
const invite = 'mutation ($input: InviteMemberInput!) { inviteMember(input: $input) { id } }';

describe('Processes with two definitions', () => {
  // Contract: application#definitions-of-two-processes — Two processes with different definitions: each decides by its
  //   own
  it('show a role that one of them lacks as MEMBER without scopes there, and grant it nothing', async () => {
    const owner = await newOwner(service);
    const editor = await newMember(service, owner.organizationId, 'EDITOR');
    const author = await newMember(service, owner.organizationId, 'AUTHOR');
    const seen = async (url: string, { tokens }: typeof editor) => (await post(url, query, {}, bearer(tokens))).data;
    expect(await seen(service.url, editor)).toMatchObject({ me: { currentMembership: { role: 'EDITOR' } } });
    expect(await seen(next.url, editor)).toEqual({ me: { currentMembership: { role: 'MEMBER', scopes: [] } } });
    expect(await seen(service.url, author)).toEqual({ me: { currentMembership: { role: 'MEMBER', scopes: [] } } });
    expect(await seen(next.url, author)).toMatchObject({ me: { currentMembership: { role: 'AUTHOR' } } });
    const input = { email: 'guest@example.com', role: 'AUTHOR' };
    await expectRefusal({ ...service, url: next.url }, 'FORBIDDEN', () =>
      post(next.url, invite, { input }, bearer(editor.tokens)),
    );
    await expectRefusal(service, 'BAD_USER_INPUT', () => post(service.url, invite, { input }, bearer(owner.tokens)));
  });
});
