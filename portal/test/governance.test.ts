/** The governance page: what its address narrows it to, what a person's own session is, and what the parts say together. */
import { describe, expect, it } from 'vitest';
import {
  type GovernancePart,
  gather,
  isFiltered,
  readGovernanceFilter,
  refusedFilters,
  toSessionFilter,
  unreadableFilters,
} from '../src/pages/governance/active-sessions.ts';
import { type Deed, isOwnEnd } from '../src/pages/governance/session-actions.tsx';
import { Refusal } from '../src/session/refusal.ts';

const someId = '0190f0a0-0000-7000-8000-000000000001';

type Credential = GovernancePart['activeSessions']['nodes'][number];

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

describe('the address of the page', () => {
  it('narrows it to what it names', () => {
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

  it('narrows it to nothing by a blank search', () => {
    const filter = readGovernanceFilter({ email: ' ' });
    expect(isFiltered(filter)).toBe(false);
    expect(unreadableFilters(filter)).toEqual([]);
    expect(toSessionFilter(filter)).toEqual({
      email: null,
      kind: null,
      audience: null,
      userId: null,
      organizationId: null,
    });
  });

  it('has its ids in any case', () => {
    const filter = readGovernanceFilter({ user: someId.toUpperCase(), organization: someId.toUpperCase() });
    expect(unreadableFilters(filter)).toEqual([]);
    expect(toSessionFilter(filter)).toMatchObject({ userId: someId, organizationId: someId });
  });

  it.each([
    ['user', 'x'],
    ['user', ''],
    ['organization', `${someId}0`],
    ['audience', 'bogus'],
    ['audience', ''],
  ] as const)('stays narrowed by what cannot be meant, and names it: %s=%s', (name, value) => {
    const filter = readGovernanceFilter({ [name]: value });
    expect(isFiltered(filter)).toBe(true);
    expect(unreadableFilters(filter)).toEqual([{ name, reason: undefined }]);
  });

  it('is told from anything else that is refused', () => {
    const refusal = (fields: Record<string, string>, code = 'BAD_USER_INPUT') => new Refusal(code, 'No.', { fields });
    expect(refusedFilters(refusal({ userId: 'No person has this id.', email: 'Too long.' }))).toEqual([
      { name: 'email', reason: 'Too long.' },
      { name: 'user', reason: 'No person has this id.' },
    ]);
    expect(refusedFilters(refusal({ after: 'This is no cursor.' }))).toEqual([]);
    expect(refusedFilters(refusal({ userId: 'No.' }, 'INTERNAL'))).toEqual([]);
    expect(refusedFilters(null)).toEqual([]);
  });

  it('never asks for a longer address than there can be', () => {
    expect(readGovernanceFilter({ email: 'a'.repeat(300) }).email).toHaveLength(254);
  });
});

describe('an end', () => {
  const self = { userId: 'me', family: 'mine' };
  const deed = (kind: Deed['kind'], userId: string, sessionFamilyId: string): Deed => ({
    kind,
    target: { ...credential('c1', { userId, sessionFamilyId }), credentials: 2 },
  });

  it('of one session is the person’s own when it is the one in use, by either token', () => {
    expect(isOwnEnd(deed('session', 'me', 'mine'), self)).toBe(true);
    expect(isOwnEnd(deed('session', 'me', 'another'), self)).toBe(false);
    expect(isOwnEnd(deed('session', 'ada', 'hers'), self)).toBe(false);
  });

  it('everywhere is the person’s own whichever of their sessions it is chosen at', () => {
    expect(isOwnEnd(deed('everywhere', 'me', 'another'), self)).toBe(true);
    expect(isOwnEnd(deed('everywhere', 'ada', 'hers'), self)).toBe(false);
  });
});

describe('the parts of the list', () => {
  const part = (nodes: Credential[], hasNextPage: boolean, granted = true): GovernancePart => ({
    activeSessions: { totalCount: 99, pageInfo: { hasNextPage, endCursor: hasNextPage ? 'cursor' : null }, nodes },
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
  const familiesOf = (...parts: readonly GovernancePart[]) =>
    gather(parts)?.sessions.map(({ sessionFamilyId }) => sessionFamilyId);

  it('say nothing before the first', () => {
    expect(gather([])).toBeUndefined();
  });

  it('show a session once, with what each of its credentials knows, whichever comes first', () => {
    const both = [access('mine'), refresh('mine')];
    for (const nodes of [both, both.toReversed()]) {
      expect(gather([part(nodes, false)])?.sessions).toEqual([
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

  // Specification: Many processes and starts — Governance of sessions: one row a session, though its credentials stand
  //   in two parts of the list
  it('show a session once whose credentials stand in two parts, and not before both are there', () => {
    const first = part([access('a'), refresh('a'), refresh('b')], true);
    const second = part([access('b'), refresh('c'), access('c')], false);
    expect(familiesOf(first)).toEqual(['a']);
    expect(familiesOf(first, second)).toEqual(['a', 'b', 'c']);
    expect(gather([first, second])?.sessions.map(({ credentials }) => credentials)).toEqual([2, 2, 2]);
  });

  it('show a session of one credential when nothing comes after it, and when there is nothing else', () => {
    expect(familiesOf(part([access('a'), refresh('a'), refresh('b')], false))).toEqual(['a', 'b']);
    expect(familiesOf(part([refresh('b')], true))).toEqual(['b']);
  });

  it('show a credential once that stands in two parts, and what the newest of them knows', () => {
    const governed = gather([
      part([access('a'), refresh('a')], true),
      part([refresh('a'), refresh('b')], false, false),
    ]);
    expect(governed?.sessions.map(({ credentials }) => credentials)).toEqual([2, 1]);
    expect(governed).toMatchObject({ hasMore: false, right: { granted: false }, ownFamily: 'mine' });
  });
});
