/** activeSessions and sessionFamilies with the filters of an incident, against the same conditions in plain SQL. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { seedConnection, seedPerson, seedSession } from '../support/actors/seeding.ts';
import { newOwner, newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, operations } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

type Filter = Readonly<Record<string, string | null>>;

interface Page {
  readonly nodes: readonly {
    readonly id?: string;
    readonly sessionFamilyId: string;
    readonly [field: string]: unknown;
  }[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const ask = async (operation: 'activeSessions' | 'sessionFamilies', variables: object): Promise<Page> => {
  const answer = await runAs(service, root, operations[operation], { ...variables });
  if (answer.code !== null) throw new Error(answer.text);
  return (
    (JSON.parse(answer.text) as { data: Record<string, Page> }).data[operation] ?? {
      nodes: [],
      totalCount: 0,
      pageInfo: { hasNextPage: false, endCursor: null },
    }
  );
};

/** All rows of a list, read in pages, each of which has the same total. */
const everyPage = async (
  operation: 'activeSessions' | 'sessionFamilies',
  variables: object,
): Promise<Page['nodes']> => {
  const seen: Page['nodes'][number][] = [];
  let after: string | null = null;
  do {
    const page: Page = await ask(operation, { ...variables, first: 7, after });
    seen.push(...page.nodes);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    if (after === null) expect([variables, page.totalCount]).toEqual([variables, seen.length]);
  } while (after !== null);
  return seen;
};

const people: string[] = [];
let clientId = '';
let organizationId = '';

beforeAll(async () => {
  for (const email of ['sought-one@places.example', 'sought-two@places.example', 'other@elsewhere.example']) {
    people.push(await seedPerson(service.database, email));
  }
  for (const userId of people) for (let index = 0; index < 6; index += 1) await seedSession(service.database, userId);
  ({ clientId } = await seedConnection(service.database, people[0] ?? '', 'Sought', ['mcp:whoami']));
  organizationId =
    (await service.sql.value<string>('SELECT organization_id AS id FROM organization_members WHERE user_id = $1', [
      people[1] ?? '',
    ])) ?? '';
  // Different addresses, user agents, methods and instants for each session, and another last use for some.
  await service.sql(
    `WITH numbered AS (
       SELECT c.id, row_number() OVER (ORDER BY c.session_family_id) / 2 AS n FROM credentials c WHERE c.user_id = ANY ($1))
     UPDATE credentials c SET
       issue_ip = (ARRAY['192.0.2.17', '192.0.2.200', '198.51.100.9', '2001:db8::17', '2001:db8:1::9', 'no address', NULL])[1 + n % 7],
       issue_user_agent = (ARRAY['Mozilla/5.0 Firefox/140', 'curl/8.1', '100%_sure\\', NULL])[1 + n % 4],
       auth_method = CASE WHEN c.client_id IS NULL THEN (ARRAY['password', 'google', 'passkey'])[1 + n % 3] ELSE 'mcp_oauth' END,
       issued_at = timestamptz '2026-01-01Z' + n * interval '1 hour',
       expires_at = now() + interval '1 day', family_expires_at = now() + interval '2 days',
       last_seen_ip = CASE WHEN n % 3 = 0 THEN '203.0.113.5' WHEN n % 5 = 0 THEN 'unknown' ELSE issue_ip END,
       last_seen_at = CASE WHEN n % 4 = 0 THEN NULL ELSE timestamptz '2026-02-01Z' + n * interval '1 hour' END
     FROM numbered WHERE numbered.id = c.id`,
    [people],
  );
});

/** A filter, and its condition over a credential `c` and its user `u`. */
const filters = (): readonly (readonly [Filter, string])[] => {
  const inNetwork = (network: string): string =>
    `EXISTS (SELECT FROM unnest(ARRAY[c.issue_ip, c.last_seen_ip]) AS a (ip)
       WHERE CASE WHEN a.ip ~ '^[0-9a-f.:]*[.:][0-9a-f.:]*$' THEN a.ip::inet <<= inet '${network}' END)`;
  return [
    [{}, 'true'],
    [{ network: '192.0.2.17' }, inNetwork('192.0.2.17')],
    [{ network: ' 192.0.2.0/24 ' }, inNetwork('192.0.2.0/24')],
    [{ network: '192.0.2.77/24' }, inNetwork('192.0.2.0/24')],
    [{ network: '192.0.2.128/25' }, inNetwork('192.0.2.128/25')],
    [{ network: '203.0.113.5' }, inNetwork('203.0.113.5')],
    [{ network: '::ffff:203.0.113.0/120' }, inNetwork('203.0.113.0/24')],
    [{ network: '2001:db8::/32' }, inNetwork('2001:db8::/32')],
    [{ network: '2001:DB8:1::9' }, inNetwork('2001:db8:1::9')],
    [{ network: '0.0.0.0/0' }, inNetwork('0.0.0.0/0')],
    [{ network: '10.0.0.0/8' }, 'false'],
    [{ userAgent: 'FIREFOX' }, `c.issue_user_agent LIKE '%Firefox%'`],
    [{ userAgent: '%_sure\\' }, `strpos(c.issue_user_agent, '%_sure') > 0`],
    [
      { userAgent: 'curl', network: '192.0.2.0/24' },
      `c.issue_user_agent LIKE 'curl%' AND ${inNetwork('192.0.2.0/24')}`,
    ],
    [{ authMethod: 'passkey' }, `c.auth_method = 'passkey'`],
    [{ authMethod: 'google', userAgent: 'curl' }, `c.auth_method = 'google' AND c.issue_user_agent LIKE 'curl%'`],
    [{ clientId }, `c.client_id = '${clientId}'`],
    [
      { clientId: clientId.toUpperCase(), kind: 'user_session' },
      `c.client_id = '${clientId}' AND c.kind = 'user_session'`,
    ],
    [{ issuedAfter: '2026-01-01T05:00:00Z' }, `c.issued_at >= '2026-01-01T05:00:00Z'`],
    [{ issuedBefore: '2026-01-01T05:00:00.000+00:00' }, `c.issued_at < '2026-01-01T05:00:00Z'`],
    [
      {
        issuedAfter: '2026-01-01T03:00:00Z',
        issuedBefore: '2026-01-01T09:00:00Z',
        audience: 'api',
        kind: 'user_refresh',
      },
      `c.issued_at >= '2026-01-01T03:00:00Z' AND c.issued_at < '2026-01-01T09:00:00Z' AND c.audience = 'api' AND c.kind = 'user_refresh'`,
    ],
    [
      { seenAfter: '2026-02-01T06:00:00Z', seenBefore: '2026-02-02T00:00:00Z' },
      `c.last_seen_at >= '2026-02-01T06:00:00Z' AND c.last_seen_at < '2026-02-02Z'`,
    ],
    [{ seenBefore: '2026-02-01T06:00:00Z' }, `c.last_seen_at < '2026-02-01T06:00:00Z'`],
    [
      { email: 'PLACES.example', network: '192.0.2.0/24' },
      `u.email LIKE '%places.example%' AND ${inNetwork('192.0.2.0/24')}`,
    ],
    [{ email: 'sought-two', authMethod: 'password' }, `u.email LIKE '%sought-two%' AND c.auth_method = 'password'`],
    [{ userId: people[0] ?? '', authMethod: 'password' }, `c.user_id = '${people[0]}' AND c.auth_method = 'password'`],
    [
      { organizationId, userAgent: 'firefox' },
      `c.organization_id = '${organizationId}' AND c.issue_user_agent LIKE '%Firefox%'`,
    ],
    [
      { organizationId, issuedAfter: '2026-01-01T05:00:00Z' },
      `c.organization_id = '${organizationId}' AND c.issued_at >= '2026-01-01T05:00:00Z'`,
    ],
  ];
};

const live = `credentials c JOIN users u ON u.id = c.user_id AND u.credentials_revision = c.credentials_revision
  WHERE c.revoked_at IS NULL AND c.expires_at > now()`;

describe('The filters of an incident', () => {
  // Contract: incidents#filters-of-sessions — activeSessions: network, userAgent, clientId, authMethod, issued…, seen…;
  //   fields hold together
  it('list the credentials that match all of their fields, newest first, in pages', async () => {
    for (const [filter, condition] of filters()) {
      const expected = await service.sql.column<string>(
        `SELECT c.id FROM ${live} AND ${condition} ORDER BY c.issued_at DESC, c.id DESC`,
      );
      const seen = await everyPage('activeSessions', { filter });
      expect([filter, seen.map(({ id }) => id)]).toEqual([filter, expected]);
    }
  });

  // Contract: incidents#one-row-a-session — sessionFamilies: one row a session, for the same filters
  it('list the sessions of those credentials, once each, the newest pair first', async () => {
    for (const [filter, condition] of filters()) {
      const expected = await service.sql.column<string>(
        `SELECT r.session_family_id AS id FROM credentials r WHERE r.kind = 'user_refresh' AND r.revoked_at IS NULL
           AND r.session_family_id IN (SELECT c.session_family_id FROM ${live} AND ${condition})
         ORDER BY r.issued_at DESC, r.id DESC`,
      );
      const seen = await everyPage('sessionFamilies', { filter });
      expect([filter, seen.map(({ sessionFamilyId }) => sessionFamilyId)]).toEqual([filter, expected]);
      const { data } = await runAs(service, root, operations.revokeSessions, { filter, dryRun: true });
      if (Object.keys(filter).length > 0)
        expect([filter, data]).toMatchObject([filter, { revokeSessions: { sessions: expected.length } }]);
    }
  });

  it('sort sessions by each column in both directions', async () => {
    const keys: Readonly<Record<string, string>> = {
      NEWEST: 'r.issued_at',
      FIRST_ISSUED: 'r.issued_at',
      LAST_SEEN: `coalesce((SELECT max(l.last_seen_at) FROM credentials l WHERE l.session_family_id = r.session_family_id
        AND l.revoked_at IS NULL AND l.expires_at > now()), 'epoch')`,
      ISSUE_IP: `coalesce(CASE WHEN r.issue_ip ~ '[0-9]' THEN r.issue_ip::inet END, '0.0.0.0')`,
      ORGANIZATION: `lower(o.name)`,
      USER: 'u.email',
      EXPIRES: 'r.expires_at',
    };
    const emails = { filter: { email: '@places.example' } };
    for (const [orderBy, key] of Object.entries(keys)) {
      for (const direction of ['ASC', 'DESC']) {
        const expected = await service.sql.column<string>(
          `SELECT r.session_family_id AS id FROM credentials r JOIN users u ON u.id = r.user_id
           LEFT JOIN organizations o ON o.id = r.organization_id
           WHERE r.kind = 'user_refresh' AND r.revoked_at IS NULL AND u.email LIKE '%@places.example'
           ORDER BY ${key} ${direction}, r.id ${direction}`,
        );
        const seen = await everyPage('sessionFamilies', { ...emails, orderBy, direction });
        expect([orderBy, direction, seen.map(({ sessionFamilyId }) => sessionFamilyId)]).toEqual([
          orderBy,
          direction,
          expected,
        ]);
      }
    }
    const byAddress = await everyPage('sessionFamilies', { ...emails, orderBy: 'LAST_SEEN_IP', direction: 'ASC' });
    expect(byAddress).toHaveLength(13);
  });

  // Contract: incidents#one-row-a-session — sessionFamilies: what is active of a session
  it('describe a session by what is active of it', async () => {
    const person = await newOwner(service);
    const [row, ...more] = (await ask('sessionFamilies', { filter: { userId: person.userId } })).nodes;
    expect(more).toEqual([]);
    const sessions = (await ask('activeSessions', { filter: { userId: person.userId } })).nodes;
    const [newest] = sessions;
    expect(row).toMatchObject({
      sessionFamilyId: newest?.sessionFamilyId,
      userId: person.userId,
      userEmail: person.email,
      organizationId: person.organizationId,
      audience: 'api',
      authMethod: 'password',
      credentials: 2,
      firstIssuedAt: newest?.['issuedAt'],
      issueIp: newest?.['issueIp'],
      isCurrent: false,
      clientName: null,
    });
    const own = (await ask('sessionFamilies', { filter: { userId: root.userId } })).nodes;
    expect(own.filter(({ isCurrent }) => isCurrent === true)).toHaveLength(1);
  });

  const refused = async (operation: 'activeSessions' | 'sessionFamilies' | 'revokeSessions', variables: object) => {
    const act = (): Promise<Answer> => runAs(service, root, operations[operation], { ...variables });
    return Object.keys((await expectRefusal(service, 'BAD_USER_INPUT', act)).extensions['fields'] ?? {});
  };

  const wrong: readonly (readonly [string, string])[] = [
    ...['', 'x', '300.1.1.1', '192.0.2.0/33', '192.0.2.0/-1', '192.0.2.0/8/8', '2001:db8::/129', 'fe80::1%eth0']
      .concat(['192.0.2.1:80', '[::1]', '<b>10.0.0.1</b>', '1'.repeat(10_000), '10.0.0.0/08a', "'; DROP TABLE users"])
      .map((text) => ['network', text] as const),
    ...['userId', 'organizationId', 'clientId'].flatMap((field) =>
      ['', 'no id', '<b>x</b>', 'x'.repeat(10_000), newId()].map((text) => [field, text] as const),
    ),
    ...['audience', 'authMethod'].flatMap((field) => ['', 'passwords', 'Portal'].map((text) => [field, text] as const)),
    ...['email', 'userAgent'].flatMap((field) =>
      ['x'.repeat(10_000), 'a\u0000b'].map((text) => [field, text] as const),
    ),
  ];

  // Contract: incidents#empty-answer — A malformed field, one outside its enumeration and the id of nothing are
  //   BAD_USER_INPUT naming the argument
  it('are refused by name when they are malformed, outside their enumeration or the id of nothing', async () => {
    for (const [field, text] of wrong) {
      const filter = { [field]: text };
      expect([field, text, await refused('activeSessions', { filter })]).toEqual([field, text, [field]]);
      expect([field, text, await refused('sessionFamilies', { filter })]).toEqual([field, text, [field]]);
      expect([field, text, await refused('revokeSessions', { filter, expectedCount: 0 })]).toEqual([
        field,
        text,
        [field],
      ]);
      expect([field, text, await refused('revokeSessions', { filter, dryRun: true })]).toEqual([field, text, [field]]);
    }
  });

  it('refuse an instant and a kind that are none, a page and a cursor that are none', async () => {
    for (const filter of [{ issuedAfter: 'yesterday' }, { seenBefore: '2026-02-30T00:00:00' }, { kind: 'access' }]) {
      await expectRefusal(service, 'BAD_USER_INPUT', () =>
        runAs(service, root, operations.sessionFamilies, { filter }),
      );
    }
    expect(await refused('sessionFamilies', { first: 101 })).toEqual(['first']);
    for (const orderBy of ['NEWEST', 'ISSUE_IP', 'EXPIRES'])
      for (const after of [
        '',
        'x',
        Buffer.from('["a"]').toString('base64url'),
        Buffer.from(`["x%y","${newId()}x"]`).toString('base64url'),
      ])
        expect(await refused('sessionFamilies', { orderBy, after })).toEqual(['after']);
  });
});
