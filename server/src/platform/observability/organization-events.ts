/** Owns the events of organizations and their members, a part of the closed list in `events.ts`. */
import { security } from './event-facts.ts';

export const organizationEvents = {
  'organization.created': security('info', 'userId organizationId', 'a person created an organization'),
  'organization.renamed': security('info', 'userId organizationId', 'a person renamed an organization'),
  'organization.second_factor_policy_changed': security(
    'info',
    'userId organizationId required',
    'from now on, members hold scopes and roles only in sessions with a second factor, if `required`; otherwise in every session',
  ),
  'organization.deleted': security(
    'info',
    'userId organizationId',
    'an owner deleted an organization, which can be restored for 7 days',
  ),
  'organization.restored': security('info', 'userId organizationId', 'an owner restored a deleted organization'),
  'organization.role_changed': security(
    'info',
    'userId organizationId memberId memberUserId role formerRole',
    'the role of a member was changed',
  ),
  'organization.member_removed': security(
    'info',
    'userId organizationId memberId memberUserId endedSessions',
    'a member left, or was removed',
  ),
} as const;
