/** Revocation against tool calls, with warm caches and under load: no later call is accepted by any process. */
import { describe, expect, it } from 'vitest';
import { platformScopes } from '../../../src/domain/scopes/scopes.ts';
import { credentialIdOf } from '../../support/actors/credentials.ts';
import { expectSoundChain } from '../../support/actors/tool-calls.ts';
import { inParallel, pauseUpTo, range, tally } from '../../support/checks/concurrency.ts';
import {
  auditRows,
  callTool,
  correlationIdOf,
  errorCodeOf,
  type McpClient,
  newMcpClient,
} from '../../support/clients/mcp.ts';
import { fixture } from '../../support/fixture.ts';
import { setting, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';

const clientCount = 40;
const loadLoops = 12;

interface Watched {
  readonly client: McpClient;
  state: 'live' | 'begun' | 'acknowledged';
  uses: number;
}

describe(`Revocation against tool calls, ${setting}`, () => {
  const answered: string[] = [];

  const cluster = fixture(startCluster);

  const call = async (url: string, client: McpClient, name: string, given = {}) => {
    const answer = await callTool({ url }, client, name, given);
    const id = correlationIdOf(answer);
    if (id !== null) answered.push(id);
    return answer;
  };

  /** One call, judged by the events known at its start; null when it is valid. */
  const use = async (watched: Watched, url: string): Promise<string | null> => {
    const { state } = watched;
    const { status } = await call(url, watched.client, 'mcp_whoami');
    watched.uses += 1;
    if (status === 200) return state === 'acknowledged' ? 'accepted after the acknowledgement' : null;
    if (status !== 401) return `status ${status}`;
    return watched.state === 'live' ? 'refused before any revocation' : null;
  };

  // Contract: platform-mcp#authority-of-a-call — I1 An acknowledged revocation binds the next call, over two processes
  it('accepts no call that began after the acknowledgement', async () => {
    const governor = await newMcpClient(cluster);
    const all = await inParallel(
      range(clientCount),
      4,
      async (): Promise<Watched> => ({ client: await newMcpClient(cluster, ['mcp:whoami']), state: 'live', uses: 0 }),
    );
    const wrong: string[] = [];
    const load = { goesOn: true };
    const loops = range(loadLoops).map(async (index) => {
      while (load.goesOn) {
        const watched = all[Math.floor(Math.random() * all.length)];
        const verdict = watched === undefined ? null : await use(watched, urlOf(cluster, index));
        if (verdict !== null) wrong.push(verdict);
      }
    });
    for (const url of cluster.urls) await inParallel(all, 8, (watched) => use(watched, url));
    const receipts = await inParallel(all, 3, async (watched, index) => {
      await pauseUpTo(60);
      const { client } = watched;
      const { person, tokens } = client;
      const credentialId = await credentialIdOf(cluster, tokens.accessToken);
      const url = urlOf(cluster, index);
      watched.state = 'begun';
      const { status } =
        index % 2 === 0
          ? await call(url, governor, 'sessions_revoke', { credentialId })
          : await call(url, governor, 'sessions_revoke_user', { userId: person.userId });
      watched.state = 'acknowledged';
      const verdicts = await Promise.all(cluster.urls.map((url) => use(watched, url)));
      wrong.push(...verdicts.filter((verdict) => verdict !== null));
      return String(status);
    });
    load.goesOn = false;
    await Promise.all(loops);
    expect(tally(receipts)).toEqual({ 200: clientCount });
    expect(tally(wrong)).toEqual({});
    expect(all.every(({ uses }) => uses >= cluster.urls.length * 2)).toBe(true);
    expect(cluster.defects()).toEqual([]);
  });

  it('denies the next call after a scope or the flag was withdrawn', async () => {
    const seen = await inParallel(range(20), 4, async (index) => {
      const client = await newMcpClient(cluster, platformScopes);
      const warm = await Promise.all(cluster.urls.map((url) => call(url, client, 'users_search')));
      const change = index % 2 === 0 ? 'is_super_admin = false' : `platform_scopes = '{mcp:whoami}'`;
      await cluster.sql(`UPDATE users SET ${change} WHERE id = $1`, [client.person.userId]);
      const cold = await Promise.all(cluster.urls.map((url) => call(url, client, 'users_search')));
      return [...warm, ...cold].map((answer) => String(errorCodeOf(answer)));
    });
    const expected = [...cluster.urls.map(() => 'undefined'), ...cluster.urls.map(() => '-32602')];
    expect(tally(seen.map((codes) => codes.join(' ')))).toEqual({ [expected.join(' ')]: 20 });
    expect(cluster.defects()).toEqual([]);
  });

  it('has every answered call in the record, once, and no other', async () => {
    const rows = await auditRows(cluster);
    expect(rows.map(({ correlation }) => correlation).toSorted()).toEqual(answered.toSorted());
    await expectSoundChain(cluster.database, answered.length);
  });
});
