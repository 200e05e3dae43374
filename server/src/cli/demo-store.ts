/** SQL that only demo data needs. */
import { statement } from '../platform/database/statement.ts';

export const expireInvitation = statement<unknown, [memberId: string]>(
  'demo.expire_invitation',
  `UPDATE organization_members SET invitation_expires_at = now() - interval '1 day' WHERE id = $1`,
);
