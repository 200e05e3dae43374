/** The stage of the invitation page, by status and person. */
import { describe, expect, it } from 'vitest';
import { type Invitation, invitationState } from '../src/pages/invitation/invitation-query.ts';
import { Refusal } from '../src/session/refusal.ts';

const open: Invitation = {
  organizationName: 'Acme',
  role: 'MEMBER',
  status: 'OPEN',
  expiresAt: '2026-01-08T00:00:00.000Z',
  vToken: null,
  isYours: null,
};

const stageOf = (changes: Partial<Invitation>, problem: unknown = null) =>
  invitationState({ ...open, ...changes }, problem).kind;

describe('the page of an invitation', () => {
  it('asks a visitor without an account for a profile, and passes its token on', () => {
    expect(invitationState({ ...open, vToken: 'v1' }, null)).toMatchObject({ kind: 'complete-profile', vToken: 'v1' });
  });

  it('asks a visitor with an account to sign in', () => {
    expect(stageOf({})).toBe('sign-in');
  });

  it('lets the invited person accept, also one who has a profile to complete', () => {
    expect(stageOf({ isYours: true })).toBe('accept');
    expect(stageOf({ isYours: true, vToken: 'v1' })).toBe('accept');
  });

  it('rejects another account, found by the preview or by the attempt', () => {
    expect(stageOf({ isYours: false })).toBe('other-account');
    expect(stageOf({ isYours: false, vToken: 'v1' })).toBe('other-account');
    expect(stageOf({ isYours: true }, new Refusal('ACCOUNT_MISMATCH', 'Not yours.'))).toBe('other-account');
  });

  it('drops that rejection after a change of the account', () => {
    expect(stageOf({ isYours: null }, new Refusal('ACCOUNT_MISMATCH', 'Not yours.'))).toBe('sign-in');
  });

  it.each([null, true, false])(
    'shows an accepted or expired invitation to every person (is it theirs: %s)',
    (isYours) => {
      expect(stageOf({ status: 'ACCEPTED', isYours })).toBe('accepted');
      expect(stageOf({ status: 'EXPIRED', isYours })).toBe('expired');
    },
  );

  it('shows an unknown link as unknown', () => {
    expect(invitationState(null, null)).toEqual({ kind: 'unknown' });
  });
});
