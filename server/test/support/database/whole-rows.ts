/** Statements that find rows which no sequence of whole operations leaves behind, after any kill. */

/** Pairs with one half, or with halves in different states; families in which not exactly one pair is unrotated. */
export const brokenPairs = `
  SELECT 'pair' AS what, pair_id AS id FROM credentials GROUP BY pair_id
  HAVING count(*) <> 2 OR count(DISTINCT kind) <> 2
    OR count(DISTINCT coalesce(revocation_reason, 'live')) <> 1 OR count(DISTINCT revoked_at) > 1
  UNION ALL
  SELECT 'family', session_family_id FROM credentials GROUP BY session_family_id
  HAVING count(DISTINCT pair_id) FILTER (WHERE revocation_reason IS DISTINCT FROM 'rotated') <> 1`;

/** People without an active organization that they own, who were not invited; organizations without a member. */
export const usersInPart = `
  SELECT 'user' AS what, u.id FROM users u
    LEFT JOIN organization_members m ON m.id = u.current_membership AND m.user_id = u.id
    LEFT JOIN subscriptions s ON s.organization_id = m.organization_id AND s.status = 'ACTIVE'
  WHERE NOT EXISTS (SELECT 1 FROM organization_members i WHERE i.user_id = u.id AND i.role <> 'OWNER')
    AND (m.joined_at IS NULL OR m.role <> 'OWNER' OR s.organization_id IS NULL)
  UNION ALL
  SELECT 'organization', o.id FROM organizations o
  WHERE NOT EXISTS (SELECT 1 FROM organization_members m WHERE m.organization_id = o.id)`;
