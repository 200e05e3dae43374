/**
 * The clocks of two processes are twenty minutes apart, ten to each side of the database's: whatever has a time lives
 * and ends by the database's clock, whichever of the two is asked.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/kernel/secrets.ts';
import { bearer, goodPassword, newAddress, operations, post, type Tokens, tokensOf } from '../support/clients.ts';
import { attempt, outcomeOf, until } from '../support/concurrency.ts';
import { auditRows, callTool, newMcpClient } from '../support/mcp.ts';
import { postForm, refreshOf } from '../support/oauth.ts';
import { seedPerson, seedSession } from '../support/seeding.ts';
import { inviteTo, newOwner } from '../support/tenants.ts';
import { labelOf } from './support/history.ts';
import { keepResult } from './support/results.ts';
import { clockAhead } from './support/shifted-clock.ts';
import { Site } from './support/site.ts';

const minutes = 10;
/** Between the database's clock and an instant in an answer, the time of the request included. */
const toleranceMillis = 30_000;
const accessMillis = 900_000;

describe(`Two processes whose clocks are ${minutes} minutes ahead and behind`, () => {
  let site: Site;

  beforeAll(async () => {
    site = await Site.start({
      processes: 2,
      environment: (index) => ({ ...clockAhead(index === 0 ? minutes : -minutes), LOG_LEVEL: 'info' }),
    });
  });
  afterAll(async () => {
    const violations = await site.judge({ mostMails: 1 });
    const { operations: asked } = site.history;
    await keepResult({
      fault: 'clocks 10 minutes apart',
      runs: 1,
      violations,
      operations: asked,
      defects: site.defects,
    });
    const { defects } = site;
    await site.close();
    expect(violations).toEqual([]);
    expect(defects).toEqual([]);
  });

  const databaseNow = async (): Promise<number> => {
    const [row] = await site.sql<{ now: Date }>('SELECT clock_timestamp() AS now');
    return row?.now.getTime() ?? 0;
  };

  const session = async (): Promise<Tokens> => seedSession(site.database, await seedPerson(site.database));

  /** Moves an instant of the pair to so many seconds from now, by the database's clock. */
  const move = async (tokens: Tokens, column: 'expires_at' | 'revoked_at', seconds: number): Promise<void> => {
    await site.sql(
      `UPDATE credentials SET ${column} = now() + $2 * interval '1 second' WHERE pair_id =
         (SELECT pair_id FROM credentials WHERE token_hash = $1)`,
      [sha256(tokens.accessToken), seconds],
    );
  };

  const onBoth = <T>(ask: (url: string) => Promise<T>): Promise<T[]> =>
    Promise.all(site.servers.map(({ url }) => ask(url)));

  const use = (tokens: Tokens): Promise<string[]> =>
    onBoth(async (url) => outcomeOf(await post(url, operations.me, {}, bearer(tokens))));

  it('has them: their own clocks are wrong', async () => {
    const now = await databaseNow();
    const apart = site.servers.map(({ output }) => {
      const started = output.split('\n').find((line) => line.includes('"service.started"')) ?? '{}';
      const { time = '' } = JSON.parse(started) as { time?: string };
      return Math.round((new Date(time).getTime() - now) / 60_000);
    });
    expect(apart).toEqual([minutes, -minutes]);
  });

  it('issues and refreshes pairs that live from the database clock on', async () => {
    for (const { url } of site.servers) {
      const tokens = await session();
      const question = { name: 'refresh', does: 'rotate', pair: labelOf(tokens) } as const;
      const answer = await site.history.ask(question, () => attempt(url, operations.refresh, { ...tokens }));
      const [, endsAt = ''] = /"accessTokenExpiresAt":"([^"]+)"/.exec(answer?.text ?? '') ?? [];
      const life = new Date(endsAt).getTime() - (await databaseNow());
      expect(Math.abs(life - accessMillis)).toBeLessThan(toleranceMillis);
    }
  });

  it('tells MCP clients how long their tokens live by the same clock', async () => {
    for (const { url } of site.servers) {
      const { clientId, tokens } = await newMcpClient(site);
      const { body } = await postForm({ url }, 'token', refreshOf(clientId, tokens.refreshToken));
      expect(body['expires_in']).toBe(accessMillis / 1_000);
    }
  });

  it('accepts a token until its end and no longer, also one that it knows', async () => {
    const tokens = await session();
    await move(tokens, 'expires_at', 60);
    expect(await use(tokens)).toEqual(['OK', 'OK']);
    await move(tokens, 'expires_at', -1);
    expect(await use(tokens)).toEqual(['ACCESS_EXPIRED', 'ACCESS_EXPIRED']);
  });

  it('tells a refresh that came second from a stolen one by when the first one was', async () => {
    for (const [secondsAgo, code] of [
      [5, 'REFRESH_SUPERSEDED'],
      [15, 'REFRESH_REFUSED'],
    ] as const) {
      for (const { url } of site.servers) {
        const tokens = await session();
        tokensOf(await post(site.first.url, operations.refresh, { ...tokens }));
        await move(tokens, 'revoked_at', -secondsAgo);
        expect(outcomeOf(await post(url, operations.refresh, { ...tokens }))).toBe(code);
      }
    }
  });

  it('takes an invitation until its end and no longer', async () => {
    for (const { url } of site.servers) {
      const [guest, host] = [await newOwner(site), await newOwner(site)];
      const token = await inviteTo(site, guest.userId, host.organizationId);
      const ends = (seconds: number): Promise<unknown> =>
        site.sql(
          `UPDATE organization_members SET invitation_expires_at = now() + $2 * interval '1 second' WHERE id = $1`,
          [token, seconds],
        );
      const accept = async (): Promise<string> =>
        outcomeOf(await post(url, operations.acceptInvitation, { token }, bearer(guest.tokens)));
      await ends(-1);
      expect(await accept()).toBe('INVITATION_NOT_OPEN');
      await ends(60);
      expect(await accept()).toBe('OK');
    }
  });

  it('takes the link of a verification mail until its end, and sends what is due', async () => {
    for (const { url } of site.servers) {
      const email = newAddress();
      const input = { email, name: 'Test Person', password: goodPassword };
      const question = { name: 'sign-up', does: 'write', key: email } as const;
      await site.history.ask(question, () => attempt(url, operations.signUp, { input }));
      await until('the mail is here', 20, async () => site.smtp.mails.some(({ to }) => to.includes(email)));
      const mail = site.smtp.mails.find(({ to }) => to.includes(email));
      const token = /\/verify\/([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1];
      const ends = (seconds: number): Promise<unknown> =>
        site.sql(`UPDATE users SET email_validation_expires_at = now() + $2 * interval '1 second' WHERE email = $1`, [
          email,
          seconds,
        ]);
      await ends(-1);
      expect((await post(url, operations.validate, { token })).data).toEqual({ validateEmail: { status: 'EXPIRED' } });
      await ends(60);
    }
  });

  it('records tool calls at the instants of the database', async () => {
    const client = await newMcpClient(site);
    await onBoth((url) => callTool({ url }, client, 'mcp_whoami'));
    expect(await auditRows(site)).toHaveLength(2);
    const [row] = await site.sql<{ apart: number }>(
      'SELECT max(abs(extract(epoch FROM clock_timestamp() - created_at)))::float8 AS apart FROM mcp_tool_audits',
    );
    expect(row?.apart).toBeLessThan(toleranceMillis / 1_000);
    await site.sql('ALTER TABLE mcp_tool_audits DISABLE TRIGGER mcp_tool_audits_append_only');
    await site.sql('DELETE FROM mcp_tool_audits');
  });
});
