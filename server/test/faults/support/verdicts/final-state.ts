/** The rows stored at the end of a run, as the checker needs them, read from the tables themselves. */

import type { Sql } from '../../../support/database/sql.ts';
import { brokenPairs, usersInPart } from '../../../support/database/whole-rows.ts';
import type { FinalState, RecordedCall, StoredPair } from './checker.ts';

/**
 * The first characters of the hash are the label of a pair in a history. Clients of Platform MCP have such pairs too.
 */
const pairs = `
  SELECT left(encode(c.token_hash, 'hex'), 24) AS label, c.user_id AS owner, c.session_family_id AS family,
    CASE WHEN c.revoked_at IS NULL AND c.credentials_revision = u.credentials_revision THEN 'live' ELSE 'ended' END AS status
  FROM credentials c JOIN users u ON u.id = c.user_id WHERE c.kind = 'user_session'`;

/** A user who signed up, by their address, with their own organization. */
const signUps = `
  SELECT u.email AS key, CASE WHEN m.joined_at IS NOT NULL AND m.role = 'OWNER' AND s.status = 'ACTIVE'
      AND u.email_validation_token_hash IS NOT NULL THEN 'whole' ELSE 'half' END AS status
  FROM users u
    LEFT JOIN organization_members m ON m.id = u.current_membership AND m.user_id = u.id
    LEFT JOIN subscriptions s ON s.organization_id = m.organization_id
  WHERE u.password_hash IS NOT NULL AND m.invitation_accepted_at IS NULL`;

/** An accepted invitation, by its id: an active, named member who had a password or a membership before. */
const acceptances = `
  SELECT m.id AS key,
    CASE WHEN m.joined_at IS NOT NULL AND m.invitation_accepted_at IS NOT NULL AND m.invitation_token_hash IS NULL
      AND m.spent_invitation_token_hash IS NOT NULL AND u.current_membership = m.id AND u.name <> ''
      AND (u.password_hash IS NOT NULL
        OR EXISTS (SELECT 1 FROM organization_members o WHERE o.user_id = u.id AND o.role = 'OWNER'))
      THEN 'whole' ELSE 'half' END AS status
  FROM organization_members m JOIN users u ON u.id = m.user_id
  WHERE m.spent_invitation_token_hash IS NOT NULL OR m.invitation_accepted_at IS NOT NULL
    OR (m.invitation_token_hash IS NOT NULL
      AND (m.joined_at IS NOT NULL OR (u.password_hash IS NOT NULL AND u.current_membership IS NULL)))`;

/** A redeemed code, by its hash: it became a session. */
const redemptions = `
  SELECT encode(c.code_hash, 'hex') AS key,
    CASE WHEN EXISTS (SELECT 1 FROM credentials p WHERE p.session_family_id = c.session_family_id
      AND p.user_id = c.user_id AND p.client_id = c.client_id) THEN 'whole' ELSE 'half' END AS status
  FROM oauth_codes c WHERE c.consumed_at IS NOT NULL`;

const settings = 'SELECT id AS key, name AS value FROM organizations';

const calls = `
  SELECT correlation_id AS key, count(*)::integer AS rows, min(actor_user_id::text) AS actor
  FROM mcp_tool_audits GROUP BY correlation_id`;

/** @param mails by their recipient, where they are counted */
export const readFinalState = async (sql: Sql, mails?: ReadonlyMap<string, number>): Promise<FinalState> => {
  const written = await Promise.all(
    [signUps, acceptances, redemptions].map((text) => sql<LimitState<'whole' | 'half'>>(text)),
  );
  const broken = await Promise.all([brokenPairs, usersInPart].map((text) => sql<{ what: string; id: string }>(text)));
  const stored = await sql<StoredPair & { readonly label: string }>(pairs);
  const set = await sql<{ key: string; value: string }>(settings);
  const recorded = await sql<RecordedCall & { readonly key: string }>(calls);
  return {
    pairs: new Map(stored.map(({ label, ...pair }) => [label, pair])),
    writes: new Map(written.flat().map(({ key, status }) => [key, status])),
    settings: new Map(set.map(({ key, value }) => [key, value])),
    calls: new Map(recorded.map(({ key, ...call }) => [key, call])),
    oddities: broken.flat().map(({ what, id }) => `${what} ${id}`),
    ...(mails === undefined ? {} : { mails }),
  };
};

interface LimitState<State> {
  readonly key: string;
  readonly status: State;
}
