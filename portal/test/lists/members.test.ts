/** Actions that the member list offers by role and scopes. The server decides; the list only avoids futile offers. */
import { describe, expect, it } from 'vitest';
import { assignableRoles } from '../../src/access/roles.ts';
import type { Role } from '../../src/generated/graphql.ts';
import { confirmationFor, permissionsFor } from '../../src/pages/members/members.ts';

const everything = ['MEMBERS_VIEW', 'MEMBERS_INVITE', 'MEMBERS_UPDATE', 'MEMBERS_REMOVE'];

const membership = (role: Role, scopes = everything) => ({
  id: 'm1',
  role,
  scopes,
  needsSecondFactor: false,
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

const builtIn = [
  { name: 'OWNER', scopes: [...everything, 'ORGANIZATION_UPDATE', 'BILLING_MANAGE'] },
  { name: 'ADMIN', scopes: everything },
  { name: 'MEMBER', scopes: ['MEMBERS_VIEW'] },
] as const;

const nothing = { invitation: false, role: false, remove: false, leave: false };

describe('the member list', () => {
  it('offers an owner everything about another member', () => {
    expect(permissionsFor(row('OWNER'), membership('OWNER'), assignableRoles('OWNER', builtIn))).toEqual({
      ...nothing,
      role: true,
      remove: true,
    });
  });

  it('offers an administrator nothing about an owner', () => {
    expect(permissionsFor(row('OWNER'), membership('ADMIN'), assignableRoles('ADMIN', builtIn))).toEqual(nothing);
    expect(permissionsFor(row('OWNER', 'm2', null), membership('ADMIN'), assignableRoles('ADMIN', builtIn))).toEqual(
      nothing,
    );
  });

  it('never offers an administrator to make owners', () => {
    expect(assignableRoles('ADMIN', builtIn)).toEqual(['MEMBER', 'ADMIN']);
    expect(assignableRoles('OWNER', builtIn)).toEqual(['MEMBER', 'ADMIN', 'OWNER']);
  });

  it('offers a defined role to a member who holds all of its scopes, and to no other', () => {
    const editor = { name: 'EDITOR', scopes: ['MEMBERS_VIEW', 'notes:write'] };
    const host = { name: 'HOST', scopes: ['MEMBERS_VIEW', 'MEMBERS_INVITE'] };
    const roles = [...builtIn, editor, host];
    expect(assignableRoles('OWNER', roles)).toEqual(['MEMBER', 'EDITOR', 'HOST', 'ADMIN', 'OWNER']);
    expect(assignableRoles('ADMIN', roles)).toEqual(['MEMBER', 'HOST', 'ADMIN']);
    expect(assignableRoles('MEMBER', roles)).toEqual(['MEMBER']);
  });

  it('offers the actions of an invitation only while it is open', () => {
    const expected = { ...nothing, invitation: true, role: true };
    expect(permissionsFor(row('MEMBER', 'm2', null), membership('ADMIN'), assignableRoles('ADMIN', builtIn))).toEqual(
      expected,
    );
    expect(permissionsFor(row('MEMBER'), membership('ADMIN'), assignableRoles('ADMIN', builtIn)).invitation).toBe(
      false,
    );
  });

  it('offers a member nothing but to leave', () => {
    expect(
      permissionsFor(row('MEMBER'), membership('MEMBER', ['MEMBERS_VIEW']), assignableRoles('MEMBER', builtIn)),
    ).toEqual(nothing);
    expect(
      permissionsFor(row('MEMBER', 'm1'), membership('MEMBER', ['MEMBERS_VIEW']), assignableRoles('MEMBER', builtIn)),
    ).toEqual({
      ...nothing,
      leave: true,
    });
  });

  it('offers nothing without the scope, for any role', () => {
    expect(
      permissionsFor(row('MEMBER'), membership('OWNER', ['MEMBERS_VIEW']), assignableRoles('OWNER', builtIn)),
    ).toEqual(nothing);
  });

  it('asks for confirmation before removing access, and before making an owner', () => {
    const owner = membership('OWNER');
    expect(confirmationFor({ kind: 'resend', member: row('MEMBER', 'm2', null) }, owner)).toBeUndefined();
    expect(confirmationFor({ kind: 'withdraw', member: row('MEMBER', 'm2', null) }, owner)).toBe('withdraw');
    expect(confirmationFor({ kind: 'remove', member: row('MEMBER') }, owner)).toBe('remove');
    expect(confirmationFor({ kind: 'leave', member: row('OWNER', 'm1') }, owner)).toBe('leave');
    expect(confirmationFor({ kind: 'role', member: row('MEMBER'), role: 'ADMIN' }, owner)).toBeUndefined();
    expect(confirmationFor({ kind: 'role', member: row('MEMBER'), role: 'OWNER' }, owner)).toBe('makeOwner');
    expect(confirmationFor({ kind: 'role', member: row('OWNER'), role: 'MEMBER' }, owner)).toBe('unmakeOwner');
    expect(confirmationFor({ kind: 'role', member: row('OWNER', 'm1'), role: 'MEMBER' }, owner)).toBe('ownRole');
  });
});
