/** Query platformSearch: an id, an address or a name, found among all that the super admin may read. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { recordCall } from '../support/actors/mcp-records.ts';
import { inviteTo, newOwner, runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { newAddress, operations } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { ask } from './tool-and-graphql.ts';
import { newToolCaller } from './tool-caller.ts';

const service = serviceFixture();
const root = fixture(() => newToolCaller(service));

const search = (text: string): Promise<unknown> => ask(service, root, operations.platformSearch, { search: text });
const nothing = { hits: [], missingScopes: [] };

describe('platformSearch', () => {
  it('finds the person, the organization and the session that have an id, in any case and with spaces around it', async () => {
    const person = await newOwner(service, newAddress());
    const { organizationId } = person;
    await service.sql(`UPDATE organizations SET name = 'Found by id' WHERE id = $1`, [organizationId]);
    expect(await search(` ${person.userId.toUpperCase()} `)).toMatchObject({
      hits: [{ kind: 'PERSON', id: person.userId, title: person.email }],
    });
    expect(await search(organizationId)).toMatchObject({
      hits: [{ kind: 'ORGANIZATION', id: organizationId, title: 'Found by id', detail: null }],
    });
    const [credential] = await service.sql<{ id: string; family: string }>(
      'SELECT id, session_family_id AS family FROM credentials WHERE user_id = $1 LIMIT 1',
      [person.userId],
    );
    if (credential === undefined) throw new Error('The person has no credential');
    for (const id of [credential.id, credential.family]) {
      expect(await search(id)).toMatchObject({
        hits: [{ kind: 'SESSION', id: credential.family, title: person.email, userId: person.userId }],
      });
    }
  });

  it('finds both sides of a membership by its id', async () => {
    const [invited, owner] = [await newOwner(service), await newOwner(service)];
    const memberId = await inviteTo(service, invited.userId, owner.organizationId);
    expect(await search(memberId)).toMatchObject({
      hits: [
        { kind: 'PERSON', id: invited.userId },
        { kind: 'ORGANIZATION', id: owner.organizationId },
      ],
    });
  });

  // Contract: incidents#search-of-the-console — The search finds a client by its id, and a tool call by its correlation
  //   id
  it('finds a client by its id, and a call of a tool by the correlation id of its answer', async () => {
    const { clientId, email } = root;
    expect(await search(clientId)).toMatchObject({ hits: [{ kind: 'CLIENT', id: clientId }] });
    const correlationId = await recordCall(service, email, clientId, { tool: 'users_search' });
    expect(await search(correlationId)).toMatchObject({
      hits: [{ kind: 'MCP_CALL', id: correlationId, title: 'users_search', detail: email, userId: root.userId }],
    });
  });

  // Contract: incidents#search-of-the-console — The search finds people, organizations and clients by a part of a name
  //   or an address, five of each
  it('finds people, organizations and clients by part of a name or address, at most five of each', async () => {
    const mark = newId().slice(-12);
    const people = await Promise.all(Array.from({ length: 6 }, (_, at) => newOwner(service, `${at}.${mark}@a.test`)));
    await service.sql('UPDATE organizations SET name = name || $2 WHERE id = ANY ($1)', [
      people.map(({ organizationId }) => organizationId),
      ` ${mark}`,
    ]);
    await service.sql(
      `INSERT INTO oauth_clients (id, name, redirect_uris) VALUES ($1, $2, ARRAY['http://127.0.0.1/callback'])`,
      [newId(), `Client ${mark}`],
    );
    const found = await search(mark.toUpperCase());
    const kinds = Object.groupBy(
      (found as { readonly hits: readonly { readonly kind: string }[] }).hits,
      ({ kind }) => kind,
    );
    expect(Object.entries(kinds).map(([kind, hits]) => [kind, hits?.length])).toEqual([
      ['PERSON', 5],
      ['ORGANIZATION', 5],
      ['CLIENT', 1],
    ]);
  });

  it.each([
    ['an id that nothing has', newId],
    ['a text that nothing contains', () => 'no such text anywhere'],
    ['wildcards, which match themselves', () => '%_%'],
    ['markup', () => '<script>alert(1)</script>'],
  ])('finds nothing by %s', async (_what, text) => {
    expect(await search(text())).toEqual(nothing);
  });

  it.each([
    ['empty', ' '],
    ['too long', 'x'.repeat(10_000)],
    ['with NUL', 'a\u0000b'],
  ])('refuses a text that is %s', async (_what, text) => {
    const { extensions } = await expectRefusal(service, 'BAD_USER_INPUT', () =>
      runAs(service, root, operations.platformSearch, { search: text }),
    );
    expect(Object.keys(extensions['fields'] ?? {})).toEqual(['search']);
  });

  // Contract: incidents#search-of-the-console — What the caller's scopes do not allow to read is left out, and the
  //   scope is named
  it('leaves out what the caller may not read, and names the scope', async () => {
    const person = await newOwner(service);
    const reader = await newToolCaller(service, ['users:view']);
    const answer = await runAs(service, reader, operations.platformSearch, { search: person.organizationId });
    expect(answer.data).toEqual({
      platformSearch: {
        hits: [],
        missingScopes: ['organizations:view', 'sessions:view', 'mcp:access:view', 'mcp:audit:view'],
      },
    });
  });

  it('refuses a person who is no super admin', async () => {
    const owner = await newOwner(service);
    await expectRefusal(service, 'FORBIDDEN', () =>
      runAs(service, owner, operations.platformSearch, { search: owner.userId }),
    );
  });
});
