/** The checker of the fault suite on handmade histories: it finds each violation, and none in a valid history. */
import { describe, expect, it } from 'vitest';
import { atNight } from '../load/size.ts';
import { check, type FinalState, type RecordedCall, type StoredPair, type Tolerances } from './checker.ts';
import type { Operation, Question } from './history.ts';
import {
  labelOfToken,
  longestOutage,
  recoveryMillis,
  reportedBy,
  reportedByCall,
  reportedByOAuth,
  successRate,
} from './history.ts';

const nothing: FinalState = {
  pairs: new Map(),
  writes: new Map(),
  settings: new Map(),
  calls: new Map(),
  oddities: [],
};
const owner = 'the owner';

interface Line extends Partial<Operation> {
  readonly does: Question['does'];
}

/** Operations one after the other, each a millisecond long and answered for its owner, unless a line says otherwise. */
const story = (...lines: readonly Line[]): Operation[] =>
  lines.map((line, index) => ({
    name: line.does,
    invokedAt: index * 10,
    returnedAt: index * 10 + 1,
    outcome: 'ok',
    code: line.outcome === 'unknown' ? 'UNAVAILABLE' : 'OK',
    ...(line.does === 'use' && line.outcome === undefined ? { said: owner } : {}),
    ...line,
  }));

type Stored = [label: string, pair: StoredPair];
const stored = (status: StoredPair['status'], pairs: readonly string[]): Stored[] =>
  pairs.map((pair) => [pair, { status, owner, family: 'a session' }]);
const live = (...pairs: string[]): Stored[] => stored('live', pairs);
const ended = (...pairs: string[]): Stored[] => stored('ended', pairs);
/** The pair of another user, or of another session. */
const foreign = (label: string, change: Partial<StoredPair>): Stored => [
  label,
  { status: 'live', owner, family: 'a session', ...change },
];

const recorded = (key: string, rows = 1, actor = owner): [string, RecordedCall] => [key, { rows, actor }];

const refused = (code: string): Pick<Operation, 'outcome' | 'code'> => ({ outcome: 'refused', code });
const unknown = { outcome: 'unknown', code: 'UNAVAILABLE' } as const;

const rulesBroken = (operations: readonly Operation[], state: Partial<FinalState>, terms?: Tolerances): string[] =>
  check(operations, { ...nothing, ...state }, terms).map(
    ({ invariant, rule, subject }) => `${invariant} ${subject}: ${rule}`,
  );

const refresh = (pair: string, gave: string): Line => ({ does: 'rotate', pair, gave });

describe('The checker of a history', () => {
  it('finds nothing in a session that is used, refreshed and ended', () => {
    const operations = story(
      { does: 'use', pair: 'a' },
      refresh('a', 'b'),
      { does: 'use', pair: 'a', ...refused('UNAUTHENTICATED') },
      { does: 'use', pair: 'b' },
      { does: 'end', pair: 'b' },
      { does: 'use', pair: 'b', ...refused('UNAUTHENTICATED') },
    );
    expect(rulesBroken(operations, { pairs: new Map(ended('a', 'b')) })).toEqual([]);
  });

  // Contract: operation#checker-of-histories — The checker finds each violation
  it('finds an acceptance after an acknowledged end, of the pair or of its session', () => {
    const operations = story(
      refresh('a', 'b'),
      { does: 'use', pair: 'a' },
      { does: 'end', pair: 'b' },
      refresh('b', 'c'),
    );
    expect(rulesBroken(operations, { pairs: new Map(ended('a', 'b', 'c')) })).toEqual([
      'I1 a: accepted after its end was acknowledged',
      'I1 b: accepted after its end was acknowledged',
    ]);
  });

  it('allows a use that was in flight while the end was acknowledged', () => {
    const operations = story({ does: 'end', pair: 'a', returnedAt: 20 }, { does: 'use', pair: 'a', returnedAt: 30 });
    expect(rulesBroken(operations, { pairs: new Map(ended('a')) })).toEqual([]);
  });

  it('finds an acceptance after a refusal, also when the outcome of the revocation is unknown', () => {
    const operations = story(
      { does: 'end', pair: 'a', ...unknown },
      { does: 'use', pair: 'a', ...refused('UNAUTHENTICATED') },
      { does: 'use', pair: 'a' },
    );
    expect(rulesBroken(operations, { pairs: new Map(ended('a')) })).toEqual(['I1 a: accepted after it was refused']);
  });

  it('allows an acceptance until the fence has passed since the end or the refusal, where one is given', () => {
    const operations = story(
      { does: 'end', pair: 'a' },
      { does: 'use', pair: 'a' },
      { does: 'use', pair: 'b', ...refused('UNAUTHENTICATED') },
      { does: 'use', pair: 'b' },
      { does: 'end', pair: 'b', ...unknown, invokedAt: 0 },
    );
    const broken = (fenceMillis: number) =>
      rulesBroken(operations, { pairs: new Map(ended('a', 'b')) }, { maxMails: 1, fenceMillis });
    expect(broken(9)).toEqual([]);
    expect(broken(8)).toEqual(['I1 a: accepted after its end was acknowledged', 'I1 b: accepted after it was refused']);
  });

  // Contract: operation#checker-of-histories — The checker allows another pair in place of an unused successor, and no
  //   use of the old one
  it('allows a refresh of a superseded pair whose successor was lost, and finds a use of it', () => {
    const superseded = { does: 'rotate', pair: 'a', ...refused('REFRESH_SUPERSEDED') } as const;
    const lost = { does: 'rotate', pair: 'a', ...unknown } as const;
    const pairs = new Map([...ended('a'), ...live('b')]);
    expect(rulesBroken(story(lost, superseded, refresh('a', 'b')), { pairs })).toEqual([]);
    expect(rulesBroken(story(lost, superseded, { does: 'use', pair: 'a' }), { pairs })).toEqual([
      'I1 a: accepted after it was refused',
    ]);
  });

  it('allows a refresh of a pair that was only expired', () => {
    const operations = story(
      { does: 'rotate', pair: 'a', ...unknown },
      { does: 'use', pair: 'a', ...refused('ACCESS_EXPIRED') },
      refresh('a', 'b'),
    );
    expect(rulesBroken(operations, { pairs: new Map([...ended('a'), ...live('b')]) })).toEqual([]);
  });

  it('finds two successors of one pair', () => {
    const operations = story({ ...refresh('a', 'b'), returnedAt: 30 }, { ...refresh('a', 'c'), returnedAt: 30 });
    expect(rulesBroken(operations, { pairs: new Map([...ended('a', 'b'), ...live('c')]) })).toContain(
      'I2 a: has two successors',
    );
  });

  it('finds a refusal of a credential without a cause', () => {
    const operations = story(
      { does: 'use', pair: 'a', ...refused('UNAUTHENTICATED') },
      { does: 'rotate', pair: 'b', ...refused('REFRESH_SUPERSEDED') },
      { does: 'end', pair: 'c', ...refused('UNAUTHENTICATED') },
    );
    expect(rulesBroken(operations, { pairs: new Map(live('a', 'b', 'c')) })).toEqual([
      'I7 a: refused with UNAUTHENTICATED though nothing ended it',
      'I7 b: refused with REFRESH_SUPERSEDED though nothing ended it',
      'I7 c: refused with UNAUTHENTICATED though nothing ended it',
    ]);
  });

  it('accepts a lost refresh as the cause of a refusal, and its late retry as the end of the session', () => {
    const operations = story(
      { does: 'rotate', pair: 'a', ...unknown },
      { does: 'rotate', pair: 'a', ...refused('REFRESH_SUPERSEDED') },
      { does: 'use', pair: 'a', ...refused('UNAUTHENTICATED') },
      refresh('b', 'c'),
      { does: 'rotate', pair: 'b', ...refused('REFRESH_REFUSED') },
      { does: 'use', pair: 'c', ...refused('UNAUTHENTICATED') },
    );
    expect(rulesBroken(operations, { pairs: new Map(ended('a', 'b', 'c')) })).toEqual([]);
  });

  it("does not accept a superseded refresh as the end of the first one's successor", () => {
    const operations = story(
      refresh('a', 'b'),
      { does: 'rotate', pair: 'a', ...refused('REFRESH_SUPERSEDED') },
      { does: 'use', pair: 'b', ...refused('UNAUTHENTICATED') },
    );
    expect(rulesBroken(operations, { pairs: new Map(ended('a', 'b')) })).toEqual([
      'I7 b: refused with UNAUTHENTICATED though nothing ended it',
      'I4 b: ended without a request',
    ]);
  });

  it('does not accept a temporarily or finally refused refresh as the end of a pair', () => {
    const limited = story(
      { does: 'rotate', pair: 'a', ...refused('RATE_LIMITED') },
      { does: 'use', pair: 'a', ...refused('UNAUTHENTICATED') },
      refresh('b', 'c'),
      { does: 'rotate', pair: 'b', ...refused('RATE_LIMITED') },
      { does: 'use', pair: 'c', ...refused('UNAUTHENTICATED') },
    );
    expect(rulesBroken(limited, { pairs: new Map(ended('a', 'b', 'c')) })).toEqual([
      'I7 a: refused with UNAUTHENTICATED though nothing ended it',
      'I7 c: refused with UNAUTHENTICATED though nothing ended it',
      'I4 a: ended without a request',
      'I4 c: ended without a request',
    ]);
    const both = { does: 'rotate', pair: 'a', ...refused('REFRESH_REFUSED'), returnedAt: 30 } as const;
    expect(rulesBroken(story(both, both), { pairs: new Map(live('a')) })).toEqual([
      'I7 a: refused with REFRESH_REFUSED though nothing ended it',
      'I7 a: refused with REFRESH_REFUSED though nothing ended it',
    ]);
  });

  it('ends the sessions that an operation names, and not the one that it presented', () => {
    const everywhere = { does: 'end', pair: 'admin', ends: ['a', 'b'] } as const;
    const after = story(
      everywhere,
      { does: 'use', pair: 'a' },
      { does: 'use', pair: 'b', ...refused('UNAUTHENTICATED') },
      { does: 'use', pair: 'admin' },
    );
    const pairs = new Map([...ended('a'), ...live('b', 'admin')]);
    expect(rulesBroken(after, { pairs })).toEqual([
      'I1 a: accepted after its end was acknowledged',
      'I4 b: lives although its end was acknowledged',
    ]);
    const excused = story(everywhere, { does: 'use', pair: 'admin', ...refused('UNAUTHENTICATED') });
    expect(rulesBroken(excused, { pairs: new Map([...ended('a', 'b'), ...live('admin')]) })).toEqual([
      'I7 admin: refused with UNAUTHENTICATED though nothing ended it',
    ]);
  });

  // Contract: operation#checker-of-histories — The checker finds an answer that was another caller's
  it('finds refreshes that returned the successors of each other', () => {
    const operations = story(refresh('a', 'd'), refresh('c', 'b'), refresh('e', 'f'));
    const pairs = new Map([
      ...ended('a', 'e'),
      foreign('b', {}),
      foreign('c', { status: 'ended', owner: 'another' }),
      foreign('d', { owner: 'another' }),
      foreign('f', { family: 'another session' }),
    ]);
    expect(rulesBroken(operations, { pairs })).toEqual([
      'I10 a: was given the pair of another person',
      'I10 c: was given the pair of another person',
      'I10 e: was given the pair of another session',
    ]);
  });

  it('allows a switch to begin a session of the same person, which must be in the requested organization', () => {
    const operations = story(
      { ...refresh('a', 'b'), organization: 'there', said: owner, saidOrganization: 'there' },
      { does: 'use', pair: 'b', organization: 'there', saidOrganization: 'elsewhere' },
    );
    const pairs = new Map([...ended('a'), foreign('b', { family: 'another session' })]);
    expect(rulesBroken(operations, { pairs })).toEqual(['I10 b: answered for another organization']);
  });

  it('finds an answer about another user or none, and a pair or a row of another user', () => {
    const operations = story(
      { does: 'use', pair: 'a', said: 'another' },
      { name: 'me', does: 'use', pair: 'b', outcome: 'ok' },
      { does: 'write', key: 'completed', who: owner, gave: 'c' },
      { does: 'write', key: 'accepted', pair: 'a', said: 'another' },
      { does: 'call', key: 'called', pair: 'a', said: 'another' },
      { does: 'call', key: 'noted', pair: 'a', said: owner },
    );
    const state = {
      pairs: new Map([...live('a', 'b'), foreign('c', { owner: 'another' })]),
      writes: new Map(['completed', 'accepted'].map((key) => [key, 'whole' as const])),
      calls: new Map([recorded('called'), recorded('noted', 1, 'another')]),
    };
    expect(rulesBroken(operations, state)).toEqual([
      'I10 a: answered for another person',
      'I10 b: answered for another person',
      'I10 accepted: answered for another person',
      'I10 called: answered for another person',
      'I10 completed: was given the pair of another person',
      'I10 noted: recorded as of another person',
    ]);
  });

  it('finds a returned pair that does not exist', () => {
    const operations = story(refresh('a', 'b'), { does: 'write', key: 'signed-in', gave: 'c' });
    const state = { pairs: new Map(ended('a')), writes: new Map([['signed-in', 'whole' as const]]) };
    expect(rulesBroken(operations, state)).toEqual([
      'I4 b: a pair that was given does not exist',
      'I4 c: a pair that was given does not exist',
    ]);
  });

  it('finds a pair that is live after its acknowledged revocation, and one revoked without a request', () => {
    const operations = story({ does: 'end', pair: 'a' }, { does: 'use', pair: 'b' });
    expect(rulesBroken(operations, { pairs: new Map([...live('a'), ...ended('b')]) })).toEqual([
      'I4 a: lives although its end was acknowledged',
      'I4 b: ended without a request',
    ]);
  });

  it('finds a write that was acknowledged and lost, half done, or refused and done', () => {
    const operations = story(
      { does: 'write', key: 'lost' },
      { does: 'write', key: 'half', ...unknown },
      { does: 'write', key: 'again', ...unknown },
      { does: 'write', key: 'again', ...refused('NOT_FOUND') },
      { does: 'write', key: 'limited', ...refused('RATE_LIMITED') },
    );
    const writes = new Map([
      ['half', 'half' as const],
      ['again', 'whole' as const],
      ['limited', 'whole' as const],
    ]);
    expect(rulesBroken(operations, { writes })).toEqual([
      'I4 lost: acknowledged and lost',
      'I3 half: half done',
      'I3 limited: refused and done',
    ]);
  });

  it('accepts either outcome of an unknown write', () => {
    const operations = story({ does: 'write', key: 'there', ...unknown }, { does: 'write', key: 'absent', ...unknown });
    expect(rulesBroken(operations, { writes: new Map([['there', 'whole']]) })).toEqual([]);
  });

  it('finds a refusal without a cause, and an internal error', () => {
    const operations = story(
      { does: 'write', key: 'new', ...refused('CONFLICT') },
      { does: 'use', pair: 'a', outcome: 'unknown', code: 'INTERNAL' },
      { does: 'use', pair: 'a', ...refused('FORBIDDEN') },
    );
    expect(rulesBroken(operations, { pairs: new Map(live('a')) })).toEqual([
      'I7 new: refused with CONFLICT',
      'I7 a: refused with FORBIDDEN',
      'I7 a: answered as a defect',
    ]);
  });

  it('accepts an attempt of unknown outcome as the cause of a refusal only if it took effect', () => {
    const operations = story(
      { does: 'write', key: 'nothing', ...unknown },
      { does: 'write', key: 'nothing', ...refused('INVITATION_NOT_OPEN') },
      { does: 'write', key: 'done', ...unknown },
      { does: 'write', key: 'done', ...refused('INVITATION_NOT_OPEN') },
      { does: 'end', pair: 'owner', key: 'still', ends: ['a'], ...unknown },
      { does: 'end', pair: 'owner', key: 'still', ends: ['a'], ...refused('NOT_FOUND') },
      { does: 'end', pair: 'owner', key: 'removed', ends: ['b'], ...unknown },
      { does: 'end', pair: 'owner', key: 'removed', ends: ['b'], ...refused('NOT_FOUND') },
      { does: 'write', key: 'code', ...refused('invalid_grant') },
    );
    const pairs = new Map([...live('owner', 'a'), ...ended('b')]);
    expect(rulesBroken(operations, { pairs, writes: new Map([['done', 'whole']]) })).toEqual([
      'I7 nothing: refused with INVITATION_NOT_OPEN',
      'I7 still: refused with NOT_FOUND',
      'I7 code: refused with invalid_grant',
    ]);
  });

  it('finds clients without an answer, except where processes are killed', () => {
    const operations = story(
      { does: 'use', pair: 'a', outcome: 'unknown', code: 'status 504' },
      { does: 'use', pair: 'b', outcome: 'unknown', code: 'no answer' },
      { does: 'use', pair: 'c', outcome: 'unknown', code: 'UNAVAILABLE' },
      { does: 'call', pair: 'c', outcome: 'unknown', code: 'status 503' },
    );
    const pairs = new Map(live('a', 'b', 'c'));
    const gateway = 'I7 a: got no answer: status 504';
    expect(rulesBroken(operations, { pairs })).toEqual([gateway, 'I7 b: got no answer: no answer']);
    expect(rulesBroken(operations, { pairs }, { maxMails: 1, mayHangUp: true })).toEqual([gateway]);
  });

  it('finds an acknowledged value that is gone, and a refused one that is stored', () => {
    const set = (value: string, more: Partial<Line> = {}): Line => ({ does: 'set', key: 'name', value, ...more });
    const broken = (name: string, ...lines: readonly Line[]): string[] =>
      rulesBroken(story(...lines), { settings: new Map([['name', name]]) });
    expect(broken('second', set('first'), set('second'))).toEqual([]);
    expect(broken('first', set('first', { returnedAt: 30 }), set('second', { returnedAt: 30 }))).toEqual([]);
    expect(broken('late', set('late', unknown), set('first'))).toEqual([]);
    expect(broken('never set', set('first', unknown))).toEqual([]);
    expect(broken('first', set('first'), set('second'))).toEqual(['I4 name: acknowledged and lost']);
    expect(broken('never set', set('first'))).toEqual(['I4 name: acknowledged and lost']);
    expect(broken('no', set('no', refused('RATE_LIMITED')))).toEqual(['I3 name: refused and done']);
  });

  it('counts the mails of completed operations, and of others', () => {
    const operations = story(
      { does: 'write', key: 'none' },
      { does: 'write', key: 'twice' },
      { does: 'write', key: 'rolled-back', ...unknown },
      { does: 'write', key: 'once', ...unknown },
      { does: 'write', key: 'silent', isSilent: true },
    );
    const writes = new Map(['none', 'twice', 'once', 'silent'].map((key) => [key, 'whole' as const]));
    const mails = new Map([
      ['twice', 2],
      ['rolled-back', 1],
      ['once', 1],
    ]);
    const [none, rolledBack] = ['I6 none: done and never mailed', 'I6 rolled-back: mailed and never done'];
    expect(rulesBroken(operations, { writes, mails })).toEqual([none, 'I6 twice: mailed 2 times', rolledBack]);
    expect(rulesBroken(operations, { writes, mails }, { maxMails: 2 })).toEqual([none, rolledBack]);
  });

  it('requires one audit row for each answered tool call, at most one for an unknown, and no others', () => {
    const operations = story(
      { does: 'call', key: 'answered' },
      { does: 'call', key: 'missing' },
      { does: 'call', key: 'unknown', ...unknown },
      { does: 'call', key: 'doubled', ...unknown },
      { does: 'call', key: 'kept-out', ...refused('RATE_LIMITED') },
    );
    const rows = [
      recorded('answered'),
      recorded('unknown'),
      recorded('doubled', 2),
      recorded('kept-out'),
      recorded('stray'),
    ];
    expect(rulesBroken(operations, { calls: new Map(rows) })).toEqual([
      'I5 stray: recorded without a call',
      'I5 missing: recorded 0 times',
      'I5 doubled: recorded 2 times',
      'I5 kept-out: recorded although it was not let in',
    ]);
  });

  it('accepts a row whose call never got the answer that names it, and no second one', () => {
    const operations = story({ does: 'call', ...unknown });
    expect(rulesBroken(operations, { calls: new Map([recorded('one')]) })).toEqual([]);
    const twoRows = new Map([recorded('one'), recorded('two')]);
    expect(rulesBroken(operations, { calls: twoRows })).toEqual(['I5 two: recorded without a call']);
  });

  it('reports half-stored data', () => {
    expect(rulesBroken([], { oddities: ['a family with two live pairs'] })).toEqual([
      'I3 a family with two live pairs: stored in part',
    ]);
  });
});

describe('The numbers of a history', () => {
  const uses = story(
    { does: 'use', pair: 'a' },
    { does: 'use', pair: 'a', ...unknown },
    { does: 'use', pair: 'a', ...unknown },
    { does: 'use', pair: 'a' },
  );

  it('counts a refusal as an answer, and only an unknown outcome as none', () => {
    expect(successRate(uses)).toBe(0.5);
    expect(successRate([])).toBe(1);
  });

  it('reports the time without answers after the fault, and infinity when it never ended', () => {
    expect(recoveryMillis(uses, 5)).toBe(15);
    expect(recoveryMillis(uses, 25)).toBe(0);
    expect(recoveryMillis(uses.slice(0, 3), 5)).toBe(Number.POSITIVE_INFINITY);
  });

  it('reports the longest time without a success, from the fault on, and infinity without any after it', () => {
    const operations = story(
      { does: 'use' },
      { does: 'use', ...unknown },
      { does: 'use' },
      { does: 'use', ...unknown },
      { does: 'use', invokedAt: 48, returnedAt: 49 },
    );
    expect([0, 5, 30, 49].map((from) => longestOutage(operations, from))).toEqual([
      28,
      28,
      19,
      Number.POSITIVE_INFINITY,
    ]);
  });

  it('exceed every limit when no request was answered again, in any size', () => {
    expect(recoveryMillis(uses.slice(0, 3), 5)).toBeGreaterThan(atNight(1000));
  });
});

describe('The answers that a client received', () => {
  const headers = new Headers();
  const reported = (data: Record<string, unknown>) =>
    reportedBy({ status: 200, headers, text: '', data, code: null, extensions: {}, setCookies: [], sent: [] });

  it('names its user and organization, in each shape of an answer', () => {
    const currentMembership = { organization: { id: 'there' } };
    const ok = { outcome: 'ok', code: 'OK' } as const;
    const switched = { ...ok, gave: labelOfToken('t'), said: 'p', saidOrganization: 'there' };
    expect(reported({ me: { id: 'p', currentMembership } })).toEqual({ ...ok, said: 'p', saidOrganization: 'there' });
    expect(reported({ me: { id: 'p', currentMembership: null } })).toEqual({ ...ok, said: 'p' });
    expect(reported({ switchOrganization: { accessToken: 't', user: { id: 'p', currentMembership } } })).toEqual(
      switched,
    );
    expect(reported({ acceptInvitation: { id: 'm', userId: 'p' } })).toEqual({ ...ok, said: 'p' });
    expect(reported({ renameOrganization: { id: 'o', name: 'n' } })).toEqual(ok);
    expect(reported({ me: null })).toEqual(ok);
  });

  it('is read from the answers of OAuth and of a tool call as well', () => {
    const token = labelOfToken('t');
    expect(reportedByOAuth({ status: 200, body: { access_token: 't' } })).toEqual({
      outcome: 'ok',
      code: 'OK',
      gave: token,
    });
    expect(reportedByOAuth({ status: 200, body: {} })).toEqual({ outcome: 'ok', code: 'OK' });
    expect(reportedByOAuth({ status: 400, body: { error: 'invalid_grant' } })).toMatchObject({ code: 'invalid_grant' });
    const busy = { error: 'temporarily_unavailable' };
    expect(reportedByOAuth({ status: 429, body: busy })).toEqual({ outcome: 'refused', code: 'status 429' });
    expect(reportedByOAuth({ status: 503, body: busy })).toEqual({ outcome: 'unknown', code: 'status 503' });
    const result = { structuredContent: { user: { id: 'p' } }, _meta: { 'gatehouse/correlationId': 'c' } };
    const called = { outcome: 'ok', code: 'OK', key: 'c', said: 'p' };
    expect(reportedByCall({ status: 200, headers, text: '', body: { result } })).toEqual(called);
    const refusal = { error: { code: 'UNAUTHENTICATED' } };
    const notAdmitted = { outcome: 'refused', code: 'UNAUTHENTICATED' };
    expect(reportedByCall({ status: 401, headers, text: '', body: refusal })).toEqual(notAdmitted);
  });
});
