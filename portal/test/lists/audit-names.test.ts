/** The names that the audit log of an organization shows for the ids of its entries. */
import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../src/pages/organization/audit/audit.ts';
import { namesOfSubjects } from '../../src/pages/organization/audit/audit.ts';

const entry = (subjectId: string | null, details: string | null): AuditEntry => ({
  id: '01a218db-0000-7000-8000-000000000001',
  position: 1,
  event: 'TOKEN_CREATED',
  outcome: 'success',
  actorId: null,
  actorKind: null,
  actorEmail: null,
  subjectId,
  tool: null,
  correlationId: '01a218db-0000-7000-8000-000000000002',
  createdAt: '2026-11-26T17:16:13.000Z',
  details,
});

describe('the names of subjects', () => {
  it('are those of the newest entry that names each', () => {
    const names = namesOfSubjects([
      entry('token', '{"network":"127.0.0.0/24"}'),
      entry('account', '{"name":"Release robot"}'),
      entry('token', '{"name":"Nightly export"}'),
      entry('account', '{"name":"Deployment"}'),
    ]);
    expect([...names]).toEqual([
      ['account', 'Release robot'],
      ['token', 'Nightly export'],
    ]);
  });

  it('are missing where no entry has one as text', () => {
    const details = [null, 'no JSON', 'null', '"name"', '{"name":7}', '{}'];
    const named = entry(null, '{"name":"The organization"}');
    expect(namesOfSubjects([...details.map((text) => entry('token', text)), named])).toEqual(new Map());
  });
});
