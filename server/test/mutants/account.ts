/** Mutants of step-up, and of the deletion of accounts and organizations. */
import type { Fault } from './mutant.ts';

export const account: readonly Fault[] = [
  {
    rule: 'An authentication counts for ten minutes.',
    file: 'server/src/domain/credentials/sessions-store.ts',
    find: `coalesce(authenticated_at > now() - interval '10 minutes', false)`,
    replace: 'authenticated_at IS NOT NULL',
    tests: ['server/test/accounts/step-up.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'Making an owner needs a recent authentication.',
    file: 'server/src/domain/memberships/manage-members.ts',
    find: `if (role === 'OWNER') await requireRecentAuthentication(transaction, actor);`,
    replace: `if (role === 'OWNER' && role !== 'OWNER') await requireRecentAuthentication(transaction, actor);`,
    tests: ['server/test/accounts/step-up.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A rotation carries on when the person authenticated.',
    file: 'server/src/domain/credentials/rotation-store.ts',
    find: 's.client_id, s.authenticated_at, s.second_factor_at',
    replace: 's.client_id, now(), s.second_factor_at',
    tests: ['server/test/accounts/step-up.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A silent sign-in by a provider proves nothing.',
    file: 'server/src/domain/external-sign-in/exchange-auth-tokens.ts',
    find: 'return secondsAgo < recentSeconds ?',
    replace: 'return secondsAgo < Infinity ?',
    tests: ['server/test/accounts/step-up.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'The last owner of an organization with other members keeps their account.',
    file: 'server/src/domain/personal-data/delete-account.ts',
    find: 'isLastOwner && hasOthers',
    replace: 'isLastOwner && !hasOthers && hasOthers',
    tests: ['server/test/accounts/personal-data.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A deleted organization grants nothing.',
    file: 'server/src/domain/credentials/holder-store.ts',
    find: ' AND o.deletes_at IS NULL',
    replace: '',
    tests: ['server/test/organizations/delete-organization.test.ts'],
    command: 'npm test',
  },
];
