/** What the member list offers to whom. The server decides; this is about offering nothing in vain. */
import { describe, expect, it } from 'vitest';
import type { Role } from '../src/generated/graphql.ts';
import { questionBefore, rightsOver, rolesToGive } from '../src/pages/members/members.ts';

const everything = ['MEMBERS_VIEW', 'MEMBERS_INVITE', 'MEMBERS_UPDATE', 'MEMBERS_REMOVE'];

const membership = (role: Role, scopes = everything) => ({
  id: 'm1',
  role,
  scopes,
  organization: { id: 'o1', name: 'Acme' },
});

const row = (role: Role, id = 'm2', joinedAt: string | null = '2026-01-01T00:00:00.000Z') => ({
  id,
  userId: `u-${id}`,
  email: `${id}@example.com`,
  name: null,
  role,
  joinedAt,
  invitation: null,
});

const nothing = { invitation: false, role: false, remove: false, leave: false };

describe('the member list', () => {
  it('offers an owner everything about another member', () => {
    expect(rightsOver(row('OWNER'), membership('OWNER'))).toEqual({ ...nothing, role: true, remove: true });
  });

  it('offers an administrator nothing about an owner', () => {
    expect(rightsOver(row('OWNER'), membership('ADMIN'))).toEqual(nothing);
    expect(rightsOver(row('OWNER', 'm2', null), membership('ADMIN'))).toEqual(nothing);
  });

  it('never offers an administrator to make owners', () => {
    expect(rolesToGive(membership('ADMIN'))).toEqual(['MEMBER', 'ADMIN']);
    expect(rolesToGive(membership('OWNER'))).toEqual(['MEMBER', 'ADMIN', 'OWNER']);
  });

  it('offers what concerns an invitation only while it is one', () => {
    const expected = { ...nothing, invitation: true, role: true };
    expect(rightsOver(row('MEMBER', 'm2', null), membership('ADMIN'))).toEqual(expected);
    expect(rightsOver(row('MEMBER'), membership('ADMIN')).invitation).toBe(false);
  });

  it('offers a member nothing but to leave', () => {
    expect(rightsOver(row('MEMBER'), membership('MEMBER', ['MEMBERS_VIEW']))).toEqual(nothing);
    expect(rightsOver(row('MEMBER', 'm1'), membership('MEMBER', ['MEMBERS_VIEW']))).toEqual({
      ...nothing,
      leave: true,
    });
  });

  it('offers nothing that the scopes withhold, whatever the role', () => {
    expect(rightsOver(row('MEMBER'), membership('OWNER', ['MEMBERS_VIEW']))).toEqual(nothing);
  });

  it('asks before anything that takes away, and before making an owner', () => {
    const owner = membership('OWNER');
    expect(questionBefore({ kind: 'resend', member: row('MEMBER', 'm2', null) }, owner)).toBeUndefined();
    expect(questionBefore({ kind: 'withdraw', member: row('MEMBER', 'm2', null) }, owner)).toBe('withdraw');
    expect(questionBefore({ kind: 'remove', member: row('MEMBER') }, owner)).toBe('remove');
    expect(questionBefore({ kind: 'leave', member: row('OWNER', 'm1') }, owner)).toBe('leave');
    expect(questionBefore({ kind: 'role', member: row('MEMBER'), role: 'ADMIN' }, owner)).toBeUndefined();
    expect(questionBefore({ kind: 'role', member: row('MEMBER'), role: 'OWNER' }, owner)).toBe('makeOwner');
    expect(questionBefore({ kind: 'role', member: row('OWNER'), role: 'MEMBER' }, owner)).toBe('unmakeOwner');
    expect(questionBefore({ kind: 'role', member: row('OWNER', 'm1'), role: 'MEMBER' }, owner)).toBe('ownRole');
  });
});
