/**
 * signIns filtered by a network of more than one site: what is read of many attempts is bounded, and a page is
 * complete.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, operations } from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service, ['sessions:view']));

interface Page {
  readonly nodes: readonly { readonly ip: string; readonly outcome: string }[];
  readonly totalCount: number;
  readonly totalCountIsCapped?: boolean;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const ask = (filter: object, page: object = {}): Promise<Answer> =>
  runAs(service, root, operations.signIns, { filter, ...page });

const read = async (filter: object, page: object = {}): Promise<Page> => {
  const answer = await ask(filter, page);
  if (answer.code !== null) throw new Error(answer.text);
  return (answer.data as { readonly signIns: Page }).signIns;
};

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/** Attempts one second apart, the n-th from the n-th address of a network. */
const insert = (count: number, days: number, network: string, outcome = 'success') =>
  service.sql(
    `INSERT INTO sign_ins (id, at, method, outcome, ip, expires_at)
     SELECT gen_random_uuid(), now() - $2::integer * interval '1 day' + n * interval '1 second', 'password', $4,
       $3::inet + n, now() + interval '9 days'
     FROM generate_series(1, $1::integer) AS n`,
    [count, days, network, outcome],
  );

describe('Attempts to sign in from a wide network', () => {
  beforeAll(async () => {
    await insert(50_001, 20, '11.0.0.0');
    await insert(600, 18, '13.0.0.0');
    await insert(5, 18, '13.1.0.0', 'INVALID_CREDENTIALS');
    await insert(600, 18, '2001:db8:1::');
    await insert(50_000, 10, '100.0.0.0');
    await insert(9, 3, '14.0.0.0');
    await service.sql('ANALYZE sign_ins');
  });

  it.each([
    ['13.0.0.0/8', 605],
    ['13.0.0.0/16', 600],
    // One bit more than a site, on either side of its end.
    ['13.0.0.0/23', 511],
    ['13.0.2.0/23', 89],
    ['2001:db8::/32', 600],
    ['2001:db8:0:ffff::/47', 600],
    ['2001:db8:2::/47', 0],
    ['14.0.0.0/8', 9],
    ['12.0.0.0/6', 614],
    ['15.0.0.0/8', 0],
  ] as const)('%s are all found, newest first, in pages', async (network, count) => {
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { nodes, totalCount, pageInfo }: Page = await read({ network }, { first: 100, after });
      expect(totalCount).toBe(count);
      seen.push(...nodes.map(({ ip }) => ip));
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    const stored = await service.sql.column<string>(
      'SELECT host(ip) AS ip FROM sign_ins WHERE ip <<= $1::inet ORDER BY at DESC, id DESC',
      [network],
    );
    expect(seen).toEqual(stored);
    expect(seen).toHaveLength(count);
  });

  it('are found by an IPv4 network that is written as one of IPv6', async () => {
    expect(await read({ network: '::ffff:13.1.0.0/112' })).toMatchObject({ totalCount: 5 });
    expect(await read({ network: '::ffff:13.9.9.9/104' })).toMatchObject({ totalCount: 605 });
  });

  it('are found by other fields as well', async () => {
    const refused = { network: '13.0.0.0/8', outcome: 'INVALID_CREDENTIALS' };
    expect(await read(refused)).toMatchObject({ totalCount: 5 });
    expect(await read({ ...refused, outcome: 'success' })).toMatchObject({ totalCount: 600 });
    expect(await read({ ...refused, from: daysAgo(17) })).toMatchObject({ nodes: [], totalCount: 0 });
    expect(await read({ ...refused, method: 'google' })).toMatchObject({ nodes: [], totalCount: 0 });
  });

  it('are listed where the newest of many fill the page, with a capped total', async () => {
    const { nodes, totalCount, pageInfo } = await read({ network: '100.0.0.0/8' }, { first: 50 });
    expect([nodes.length, totalCount, pageInfo.hasNextPage]).toEqual([50, 10_000, true]);
  });

  it('are counted to no less than a page has, where neither the network nor the list can be read to its end', async () => {
    // Of the network, 50,001 attempts are older than the instant; of the list, 50,000 newer ones are of another
    // network.
    const { nodes, ...page } = await read({ network: '0.0.0.0/2', from: daysAgo(19) }, { first: 5 });
    expect([nodes.length, page.totalCountIsCapped, page.pageInfo.hasNextPage]).toEqual([5, true, true]);
    expect(page.totalCount).toBeGreaterThanOrEqual(9);
    expect(page.totalCount).toBeLessThanOrEqual(614);
  });

  it('are refused where too many would be read, unless their instants are closer together', async () => {
    const { extensions } = await expectRefusal(service, 'BAD_USER_INPUT', () => ask({ network: '11.0.0.0/8' }));
    expect(Object.keys(extensions['fields'] ?? {})).toEqual(['filter']);
    expect((await read({ network: '11.0.0.0/8', to: daysAgo(15) }, { first: 50 })).nodes).toHaveLength(50);
  });
});
