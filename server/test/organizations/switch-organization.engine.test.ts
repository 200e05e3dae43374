/** switchOrganization: another active organization, and a new pair that replaces the old one. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { credentialsOf, familyOf, liveOf, me, refresh } from '../support/actors/credentials.ts';
import { seedSession } from '../support/actors/seeding.ts';
import {
  activeOrganization,
  addTo,
  inviteTo,
  newOwner,
  runAs,
  setActive,
  type Tenant,
} from '../support/actors/tenants.ts';
import { outcomeOf, range, tally } from '../support/checks/concurrency.ts';
import { inEveryInterleaving, interleavings } from '../support/checks/interleavings.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { expectEnded } from '../support/checks/sessions.ts';
import {
  type Answer,
  Browser,
  bearer,
  goodPassword,
  operations,
  post,
  register,
  type Tokens,
  tokensOf,
} from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

/** The organization that every user of this file joins. */
let other: string;
const service = serviceFixture();
beforeAll(async () => {
  other = (await newOwner(service)).organizationId;
});

const switchTo = (tokens: Tokens, organizationId: string): Promise<Answer> =>
  runAs(service, { tokens }, operations.switchOrganization, { id: organizationId });

/** A person who belongs to two organizations, `organizationId` and `other`; the first is active. */
const withTwoOrganizations = async (): Promise<Tenant & { readonly otherMemberId: string }> => {
  const person = await newOwner(service);
  return { ...person, otherMemberId: await addTo(service, person.userId, other, 'ADMIN') };
};

describe('switchOrganization by Bearer', () => {
  // Contract: credentials#switch-of-organization — active pair → old family revoked, new pair active,
  //   switchOrganization
  it('returns a new pair in the body, in the other organization, and ends the old one', async () => {
    const person = await withTwoOrganizations();
    const answer = await switchTo(person.tokens, other);
    expect(answer.data).toMatchObject({
      switchOrganization: {
        user: { id: person.userId, currentMembership: { role: 'ADMIN', organization: { id: other } } },
      },
    });
    expect(answer.setCookies).toEqual([]);
    const fresh = tokensOf(answer);
    expect(await activeOrganization(service, { tokens: fresh })).toBe(other);
    await expectEnded(service, person.tokens);
    expect((await refresh(service, fresh)).code).toBeNull();
  });

  // Contract: credentials#switch-of-organization — switchOrganization: snapshot at issue time
  it('ends the whole old family and copies audience and method; the snapshot is the new membership', async () => {
    const person = await withTwoOrganizations();
    const rotated = tokensOf(await refresh(service, person.tokens));
    await switchTo(rotated, other);
    const rows = await credentialsOf(service, person.email);
    const live = rows.filter((row) => row.live);
    expect(rows.filter(({ reason }) => reason === 'switched_organization')).toHaveLength(2);
    expect(live.map(({ kind }) => kind).sort()).toEqual(['user_refresh', 'user_session']);
    for (const row of live) {
      expect(row).toMatchObject({
        audience: 'api',
        method: 'password',
        organization: other,
        membership: person.otherMemberId,
      });
      expect(row.family).not.toBe(await familyOf(service, person.tokens.accessToken));
    }
  });

  it('answers in the body with any Origin and cookies, and changes no cookie', async () => {
    const person = await withTwoOrganizations();
    const headers = { ...bearer(person.tokens), origin: service.url, cookie: 'auth_access=gate_a_other' };
    const answer = await post(service.url, operations.switchOrganization, { id: other }, headers);
    expect(tokensOf(answer).accessToken).not.toBe('');
    expect(answer.setCookies).toEqual([]);
  });

  // Contract: credentials#switch-of-organization — switchOrganization never lengthens a session
  it('keeps the expiry of the old session', async () => {
    const person = await withTwoOrganizations();
    const family = await familyOf(service, person.tokens.refreshToken);
    await service.sql(
      `UPDATE credentials SET family_expires_at = now() + interval '10 minutes',
         expires_at = least(expires_at, now() + interval '10 minutes') WHERE session_family_id = $1`,
      [family],
    );
    const old = await service.sql.value<Date>('SELECT family_expires_at AS end FROM credentials WHERE id = $1', [
      family,
    ]);
    const answer = await switchTo(person.tokens, other);
    const end = old?.toISOString();
    expect(answer.data).toMatchObject({
      switchOrganization: { accessTokenExpiresAt: end, refreshTokenExpiresAt: end },
    });
    const again = await refresh(service, tokensOf(answer));
    expect(again.data).toMatchObject({ refreshAccessToken: { refreshTokenExpiresAt: end } });
  });

  // Contract: credentials#switch-of-organization — switchOrganization never widens the scopes of a session
  it('keeps the new session within the scopes of the old one', async () => {
    const person = await withTwoOrganizations();
    await service.sql(`UPDATE credentials SET scopes = '{MEMBERS_VIEW}' WHERE user_id = $1`, [person.userId]);
    const tokens = tokensOf(await switchTo(person.tokens, other));
    expect((await runAs(service, { tokens }, operations.members)).code).toBeNull();
    const memberId = person.otherMemberId;
    await expectRefusal(service, 'FORBIDDEN', () =>
      runAs(service, { tokens }, operations.resetInvitation, { memberId }),
    );
  });

  it('keeps the other devices signed in, in the new organization', async () => {
    const person = await withTwoOrganizations();
    const tokens = await seedSession(service.database, person.userId);
    await switchTo(person.tokens, other);
    expect(await activeOrganization(service, { tokens })).toBe(other);
    expect(await liveOf(service, person.email)).toHaveLength(4);
  });

  it('switches to the active organization again, and from none at all', async () => {
    const person = await withTwoOrganizations();
    const same = tokensOf(await switchTo(person.tokens, person.organizationId));
    expect(await activeOrganization(service, { tokens: same })).toBe(person.organizationId);
    await setActive(service, person.userId, null);
    const back = tokensOf(await switchTo(same, other));
    expect(await activeOrganization(service, { tokens: back })).toBe(other);
  });
});

describe('switchOrganization by cookie', () => {
  /** The browser of a signed-in person who belongs to another organization too. */
  const signedInBrowser = async (): Promise<{ browser: Browser; email: string }> => {
    const email = await register(service);
    const browser = new Browser(service);
    await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    const id = await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email]);
    await addTo(service, id ?? '', other);
    return { browser, email };
  };

  // Contract: credentials#caller-and-delivery — switchOrganization: auth cookies set again; it answers like the
  //   credential came
  it('answers with cookies and no tokens, even where bearer delivery is requested', async () => {
    const { browser } = await signedInBrowser();
    const old = new Map(browser.cookies);
    const answer = await browser.run(operations.switchOrganization, { id: other }, { 'x-auth-delivery': 'bearer' });
    expect(answer.data).toMatchObject({ switchOrganization: { accessToken: null, refreshToken: null } });
    expect(answer.setCookies).toHaveLength(2);
    expect(answer.setCookies.every((line) => line.includes('HttpOnly') && line.includes('SameSite=Lax'))).toBe(true);
    expect((await browser.run(operations.me)).text).toContain(other);
    await expectEnded(service, {
      accessToken: old.get('auth_access') ?? '',
      refreshToken: old.get('auth_refresh') ?? '',
    });
  });

  it('allows the session to be ended by its former id, which clears the current cookies', async () => {
    const { browser, email } = await signedInBrowser();
    const family = await familyOf(service, browser.cookies.get('auth_refresh') ?? '');
    await browser.run(operations.switchOrganization, { id: other });
    const answer = await browser.run(operations.revokeMySession, { family });
    expect(answer.data).toMatchObject({ revokeMySession: { success: true, revokedCredentials: 2 } });
    expect(browser.cookies.size).toBe(0);
    expect(await liveOf(service, email)).toEqual([]);
  });

  it('is refused from a foreign Origin', async () => {
    const { browser } = await signedInBrowser();
    await expectRefusal(service, 'ORIGIN_REFUSED', () =>
      browser.run(operations.switchOrganization, { id: other }, { origin: 'https://evil.example' }),
    );
  });
});

describe('switchOrganization is refused', () => {
  // Contract: credentials#switch-of-organization — switchOrganization: user belongs to target organization
  it('for every organization without a membership, with one answer', async () => {
    const person = await newOwner(service);
    const { organizationId: foreign } = await newOwner(service);
    const { organizationId: invited } = await newOwner(service);
    await inviteTo(service, person.userId, invited);
    const answers: string[] = [];
    for (const id of [
      foreign,
      invited,
      newId(),
      'no identifier',
      `${foreign}\u0000`,
      person.organizationId.toUpperCase(),
    ]) {
      answers.push((await expectRefusal(service, 'NOT_FOUND', () => switchTo(person.tokens, id))).text);
    }
    expect(new Set(answers).size).toBe(1);
    expect(await activeOrganization(service, person)).toBe(person.organizationId);
  });

  it('to a signed-out caller, and with a session that has ended', async () => {
    const person = await withTwoOrganizations();
    await expectRefusal(service, 'UNAUTHENTICATED', () =>
      post(service.url, operations.switchOrganization, { id: other }),
    );
    await switchTo(person.tokens, other);
    await expectRefusal(service, 'UNAUTHENTICATED', () => switchTo(person.tokens, person.organizationId));
  });

  // Contract: requests#mutations-that-stand-alone — switchOrganization is alone in its request
  it('next to another field, and neither runs', async () => {
    const person = await withTwoOrganizations();
    const field = `switchOrganization(organizationId: "${other}") { accessToken }`;
    for (const query of [`mutation { ${field} signOut { success } }`, `mutation { a: ${field} b: ${field} }`]) {
      await expectRefusal(service, 'OPERATION_TOO_COSTLY', () => runAs(service, person, query));
    }
  });
});

describe('A switch whose statement meets another change', () => {
  /** The statement finds that something changed while it waited, as on PostgreSQL. */
  const withoutStatement = async <T>(run: () => Promise<T>): Promise<T> => {
    const { database } = service;
    const maybeOne: typeof database.maybeOne = database.maybeOne.bind(database);
    database.maybeOne = async (statement, params) =>
      statement.name === 'memberships.switch' ? null : maybeOne(statement, params);
    try {
      return await run();
    } finally {
      database.maybeOne = maybeOne;
    }
  };

  // Contract: credentials#switch-of-organization — A switch beside another change of the person is decided by a
  //   transaction
  it('is decided by a transaction: it answers alike, ends the old session, and counts it', async () => {
    const person = await withTwoOrganizations();
    const answer = await withoutStatement(() => switchTo(person.tokens, other));
    expect(answer.data).toMatchObject({
      switchOrganization: { user: { currentMembership: { role: 'ADMIN', organization: { id: other } } } },
    });
    await expectRefusal(service, 'REFRESH_SUPERSEDED', () => refresh(service, person.tokens));
    expect(await activeOrganization(service, { tokens: tokensOf(answer) })).toBe(other);
    await expectEnded(service, person.tokens);
    expect(await liveOf(service, person.email)).toHaveLength(2);
  });

  it('is refused as before where one has not joined, and nothing changes', async () => {
    const person = await newOwner(service);
    const { organizationId: foreign } = await newOwner(service);
    await expectRefusal(service, 'NOT_FOUND', () => withoutStatement(() => switchTo(person.tokens, foreign)));
    expect(await liveOf(service, person.email)).toHaveLength(2);
  });
});

describe('A switch concurrent with the end of the session', () => {
  /** Switches and ends the session at once; returns both answers and the sessions that are still live. */
  const race = (end: (person: Tenant) => Promise<Answer>): Promise<string[]> =>
    inEveryInterleaving(service, async (meeting) => {
      const person = await withTwoOrganizations();
      const [switched, ended] = await meeting(
        () => switchTo(person.tokens, other),
        () => end(person),
      );
      const live = (await liveOf(service, person.email)).length;
      const use =
        switched.code === null ? outcomeOf(await me(service, tokensOf(switched).accessToken)) : 'none returned';
      return `end ${outcomeOf(ended)}, ${live} live, new pair: ${use}`;
    });

  /** The session ended, or its end arrived too late, was refused and changed nothing. */
  const expectOutcomes = (seen: string[]): void => {
    const fine = [
      'end OK, 0 live, new pair: none returned',
      'end OK, 0 live, new pair: UNAUTHENTICATED',
      'end UNAUTHENTICATED, 2 live, new pair: OK',
    ];
    expect(seen).toHaveLength(interleavings.atWrites + interleavings.byChance);
    expect(seen.filter((outcome) => !fine.includes(outcome))).toEqual([]);
  };

  // Contract: credentials#sign-out — Concurrent switch and sign-out
  it('leaves no live pair once a sign-out was acknowledged', async () => {
    expectOutcomes(await race((person) => runAs(service, person, operations.signOut)));
  });

  // Contract: credentials#rotation-and-revocation-at-once — Concurrent switch and sign-out everywhere
  it('leaves no live pair once a sign-out everywhere was acknowledged', async () => {
    expectOutcomes(await race((person) => runAs(service, person, operations.signOutEverywhere)));
  });

  // Contract: credentials#switch-of-organization — Many concurrent switches of one session
  it('has one winner among switches of one session', async () => {
    const person = await withTwoOrganizations();
    const answers = await Promise.all(range(8).map(() => switchTo(person.tokens, other)));
    expect(tally(answers.map(outcomeOf))).toEqual({ OK: 1, UNAUTHENTICATED: 7 });
    expect(await liveOf(service, person.email)).toHaveLength(2);
  });

  // Contract: credentials#own-sessions — revokeMySession of a session that has switched
  it('ends a device that has switched since its owner read the list', async () => {
    const person = await withTwoOrganizations();
    const device = await seedSession(service.database, person.userId);
    const family = await familyOf(service, device.refreshToken);
    const moved = tokensOf(await switchTo(tokensOf(await switchTo(device, other)), person.organizationId));
    const answer = await runAs(service, person, operations.revokeMySession, { family });
    expect(answer.data).toMatchObject({ revokeMySession: { success: true, revokedCredentials: 2 } });
    await expectEnded(service, moved);
    expect((await me(service, person.tokens.accessToken)).code).toBeNull();
  });
});

describe('A switch in the log', () => {
  it('has user, organization and session, and no token', async () => {
    const person = await withTwoOrganizations();
    const fresh = tokensOf(await switchTo(person.tokens, other));
    const line = service.logs.find(
      (text) => text.includes('auth.organization_switched') && text.includes(person.userId),
    );
    expect(line).toContain(other);
    for (const token of [person.tokens, fresh].flatMap(({ accessToken, refreshToken }) => [
      accessToken,
      refreshToken,
    ])) {
      expect(service.logs.join('\n')).not.toContain(token);
    }
  });
});
