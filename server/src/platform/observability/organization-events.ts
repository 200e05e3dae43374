/** Owns the events of organizations and their members, a part of the closed list in `events.ts`. */
import { operation, security } from './event-facts.ts';

const token = 'userId organizationId tokenId ownerId serviceAccountId';
const serviceAccount = 'userId organizationId serviceAccountId';

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
  'organization.token_policy_changed': security(
    'info',
    'userId organizationId',
    'the policy of an organization for tokens of machines was changed',
  ),
  'mcp.organization_tool_called': security(
    'info',
    'userId organizationId credentialId clientId tool outcome',
    'a tool of the MCP of an organization was called: by whom, through which client, and with which outcome; equal to its row in the audit of the organization',
  ),
  'organization.mcp_policy_changed': security(
    'info',
    'userId organizationId',
    'the policy of an organization for MCP clients was changed',
  ),
  'mcp.tool_timed_out': operation('warn', 'tool', 'an MCP tool of the application did not answer in time'),
  'mcp.tool_answer_refused': operation(
    'warn',
    'tool bytes',
    'an answer of an MCP tool of the application was too large, and not sent',
  ),
  'application.tools_not_served': operation(
    'warn',
    'tools',
    'the program adds MCP tools, and the MCP of organizations is off',
  ),
  'service_account.created': security('info', serviceAccount, 'a service account was created'),
  'service_account.updated': security(
    'info',
    serviceAccount,
    'name, description or scopes of a service account were changed',
  ),
  'service_account.deleted': security('info', serviceAccount, 'a service account was deleted, and its tokens ended'),
  'token.created': security('info', token, 'a personal token or a token of a service account was created'),
  'token.rotated': security('info', token, 'such a token was given a new secret'),
  'token.old_secret_refused': security(
    'info',
    'tokenId refusals',
    'a secret that a rotation has replaced was used; nothing else of the token ends. `refusals` counts such uses of a minute, of all tokens; `tokenId` is the last one',
  ),
  'token.revoked': security('info', token, 'such a token was revoked'),
  'token.approved': security('info', token, 'a personal token that waited for a decision was approved'),
  'token.revoked_by_operator': security(
    'warn',
    'organizationId tokenId ownerId serviceAccountId',
    'an operator revoked such a token with `gatehouse tokens revoke`',
  ),
  'token.refused': security('info', token, 'a personal token that waited for a decision was refused, and ended'),
} as const;
