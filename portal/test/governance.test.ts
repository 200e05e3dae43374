/** The governance page: what its address narrows it to, what a person's own session is, and what the parts say together. */
import { describe, expect, it } from 'vitest';
import { type Deed, isOwnEnd } from '../src/pages/governance-deeds.ts';
import { isFiltered, readGovernanceFilter, toSessionFilter } from '../src/pages/governance-filter.ts';
import { type ActiveSession, type GovernancePart, gather } from '../src/pages/governance-query.ts';

const someId = '0190f0a0-0000-7000-8000-000000000001';

const credential = (id: string, more: Partial<ActiveSession> = {}): ActiveSession => ({
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
      kind: 'user_refresh',
      audience: 'api',
      user: someId,
      organization: someId,
    });
    expect(isFiltered(filter)).toBe(true);
    expect(toSessionFilter(filter)).toEqual({
      email: 'ada@',
      kind: 'user_refresh',
      audience: 'api',
      userId: someId,
      organizationId: someId,
    });
  });

  it('narrows it to nothing by what cannot be meant', () => {
    const filter = readGovernanceFilter({ email: ' ', kind: 'both', audience: '', user: 'ada', organization: 1 });
    expect(isFiltered(filter)).toBe(false);
    expect(toSessionFilter(filter)).toEqual({
      email: null,
      kind: null,
      audience: null,
      userId: null,
      organizationId: null,
    });
  });

  it('never asks for a longer address than there can be', () => {
    expect(readGovernanceFilter({ email: 'a'.repeat(300) }).email).toHaveLength(254);
  });
});

describe('an end', () => {
  const self = { userId: 'me', family: 'mine' };
  const deed = (kind: Deed['kind'], userId: string, sessionFamilyId: string): Deed => ({
    kind,
    target: credential('c1', { userId, sessionFamilyId }),
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
  const part = (ids: readonly string[], totalCount: number, granted: boolean): GovernancePart => ({
    activeSessions: {
      totalCount,
      pageInfo: { hasNextPage: false, endCursor: null },
      nodes: ids.map((id) => credential(id)),
    },
    mySessions: [
      { sessionFamilyId: 'another', isCurrent: false },
      { sessionFamilyId: 'mine', isCurrent: true },
    ],
    explainScope: { granted, reasons: [] },
  });

  it('say nothing before the first', () => {
    expect(gather([])).toBeUndefined();
  });

  it('show each credential once, and what the newest of them knows', () => {
    const governed = gather([part(['c1', 'c2'], 3, true), part(['c2', 'c3'], 4, false)]);
    expect(governed?.credentials.map(({ id }) => id)).toEqual(['c1', 'c2', 'c3']);
    expect(governed).toMatchObject({ total: 4, right: { granted: false }, ownFamily: 'mine' });
  });
});
