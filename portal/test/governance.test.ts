/** The governance page: filters in the URL, the person's own session, and merged pages. */
import { describe, expect, it } from 'vitest';
import {
  invalidFilters,
  isFiltered,
  mergePages,
  readGovernanceFilter,
  rejectedFilters,
  type SessionsPage,
  toSessionFilter,
} from '../src/pages/governance/active-sessions.ts';
import { endsOwnSession, type SessionAction } from '../src/pages/governance/session-actions.tsx';
import { Refusal } from '../src/session/refusal.ts';

const someId = '0190f0a0-0000-7000-8000-000000000001';

type Credential = SessionsPage['activeSessions']['nodes'][number];

const credential = (id: string, more: Partial<Credential> = {}): Credential => ({
  id,
  sessionFamilyId: `family of ${id}`,
  kind: 'user_session',
  audience: 'portal',
  authMethod: 'password',
  userId: `user of ${id}`,
  userEmail: 'ada@example.com',
  organizationId: null,
  organizationName: null,
  clientName: null,
  issuedAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T00:15:00.000Z',
  issueIp: null,
  issueUserAgent: null,
  lastSeenAt: null,
  lastSeenIp: null,
  isCurrent: false,
  ...more,
});

describe('the URL of the page', () => {
  it('sets the filters that it names', () => {
    const filter = readGovernanceFilter({
      email: 'ada@',
      audience: 'api',
      user: someId,
      organization: someId,
    });
    expect(isFiltered(filter)).toBe(true);
    expect(toSessionFilter(filter)).toEqual({
      email: 'ada@',
      kind: null,
      audience: 'api',
      userId: someId,
      organizationId: someId,
    });
  });

  it('sets no filter for a blank search', () => {
    const filter = readGovernanceFilter({ email: ' ' });
    expect(isFiltered(filter)).toBe(false);
    expect(invalidFilters(filter)).toEqual([]);
    expect(toSessionFilter(filter)).toEqual({
      email: null,
      kind: null,
      audience: null,
      userId: null,
      organizationId: null,
    });
  });

  it('accepts ids in upper and lower case', () => {
    const filter = readGovernanceFilter({ user: someId.toUpperCase(), organization: someId.toUpperCase() });
    expect(invalidFilters(filter)).toEqual([]);
    expect(toSessionFilter(filter)).toMatchObject({ userId: someId, organizationId: someId });
  });

  it.each([
    ['user', 'x'],
    ['user', ''],
    ['organization', `${someId}0`],
    ['audience', 'bogus'],
    ['audience', ''],
  ] as const)('keeps an invalid filter and reports it: %s=%s', (name, value) => {
    const filter = readGovernanceFilter({ [name]: value });
    expect(isFiltered(filter)).toBe(true);
    expect(invalidFilters(filter)).toEqual([{ name, reason: undefined }]);
  });

  it('is distinguished from any other refusal', () => {
    const refusal = (fields: Record<string, string>, code = 'BAD_USER_INPUT') => new Refusal(code, 'No.', { fields });
    expect(rejectedFilters(refusal({ userId: 'No person has this id.', email: 'Too long.' }))).toEqual([
      { name: 'email', reason: 'Too long.' },
      { name: 'user', reason: 'No person has this id.' },
    ]);
    expect(rejectedFilters(refusal({ after: 'This is no cursor.' }))).toEqual([]);
    expect(rejectedFilters(refusal({ userId: 'No.' }, 'INTERNAL'))).toEqual([]);
    expect(rejectedFilters(null)).toEqual([]);
  });

  it('never sends a longer e-mail address than the server accepts', () => {
    expect(readGovernanceFilter({ email: 'a'.repeat(300) }).email).toHaveLength(254);
  });
});

describe('a revocation', () => {
  const self = { userId: 'me', family: 'mine' };
  const action = (kind: SessionAction['kind'], userId: string, sessionFamilyId: string): SessionAction => ({
    kind,
    target: { ...credential('c1', { userId, sessionFamilyId }), credentials: 2 },
  });

  it('of one session ends the person’s own when it is the one in use, by either token', () => {
    expect(endsOwnSession(action('session', 'me', 'mine'), self)).toBe(true);
    expect(endsOwnSession(action('session', 'me', 'another'), self)).toBe(false);
    expect(endsOwnSession(action('session', 'ada', 'hers'), self)).toBe(false);
  });

  it('everywhere ends the person’s own session, from any of their rows', () => {
    expect(endsOwnSession(action('everywhere', 'me', 'another'), self)).toBe(true);
    expect(endsOwnSession(action('everywhere', 'ada', 'hers'), self)).toBe(false);
  });
});

describe('the pages of the list', () => {
  const part = (nodes: Credential[], hasNextPage: boolean, granted = true): SessionsPage => ({
    activeSessions: { pageInfo: { hasNextPage, endCursor: hasNextPage ? 'cursor' : null }, nodes },
    mySessions: [
      { sessionFamilyId: 'another', isCurrent: false },
      { sessionFamilyId: 'mine', isCurrent: true },
    ],
    explainScope: { granted, reasons: [] },
  });

  const lastSeen = { lastSeenAt: '2026-01-01T00:05:00.000Z', lastSeenIp: '192.0.2.7' };
  const access = (family: string) =>
    credential(`access of ${family}`, { sessionFamilyId: family, isCurrent: family === 'mine', ...lastSeen });
  const refresh = (family: string) =>
    credential(`refresh of ${family}`, {
      sessionFamilyId: family,
      kind: 'user_refresh',
      expiresAt: '2026-01-31T00:00:00.000Z',
    });
  const familiesOf = (...parts: readonly SessionsPage[]) =>
    mergePages(parts)?.sessions.map(({ sessionFamilyId }) => sessionFamilyId);

  it('are undefined before the first', () => {
    expect(mergePages([])).toBeUndefined();
  });

  it('merge a session into one row from both of its credentials, in any order', () => {
    const both = [access('mine'), refresh('mine')];
    for (const nodes of [both, both.toReversed()]) {
      expect(mergePages([part(nodes, false)])?.sessions).toEqual([
        expect.objectContaining({
          sessionFamilyId: 'mine',
          credentials: 2,
          expiresAt: '2026-01-31T00:00:00.000Z',
          isCurrent: true,
          ...lastSeen,
        }),
      ]);
    }
  });

  // Specification: Many processes and starts — Governance of sessions: one row a session, though its credentials are on
  //   two pages of the list
  it('merge a session whose credentials are on two pages into one row, once both are fetched', () => {
    const first = part([access('a'), refresh('a'), refresh('b')], true);
    const second = part([access('b'), refresh('c'), access('c')], false);
    expect(familiesOf(first)).toEqual(['a']);
    expect(familiesOf(first, second)).toEqual(['a', 'b', 'c']);
    expect(mergePages([first, second])?.sessions.map(({ credentials }) => credentials)).toEqual([2, 2, 2]);
  });

  it('show a session with one credential at the end of the list, and when it is the only one', () => {
    expect(familiesOf(part([access('a'), refresh('a'), refresh('b')], false))).toEqual(['a', 'b']);
    expect(familiesOf(part([refresh('b')], true))).toEqual(['b']);
  });

  it('count a credential on two pages once, and take the values of the newest page', () => {
    const merged = mergePages([
      part([access('a'), refresh('a')], true),
      part([refresh('a'), refresh('b')], false, false),
    ]);
    expect(merged?.sessions.map(({ credentials }) => credentials)).toEqual([2, 1]);
    expect(merged).toMatchObject({ hasMore: false, permission: { granted: false }, ownFamily: 'mine' });
  });
});
