/** The rows of credentials as tests read them, and ways to make a credential older than it is. */
import { sha256 } from '../../../src/kernel/secrets.ts';
import { type Answer, operations, post, type Tokens } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';

export interface CredentialRow {
  readonly hash: Buffer;
  readonly kind: string;
  readonly family: string;
  readonly live: boolean;
  readonly reason: string | null;
  readonly audience: string;
  readonly method: string;
  readonly organization: string | null;
  readonly membership: string | null;
  readonly ip: string | null;
  readonly agent: string | null;
  readonly seenAt: Date | null;
  readonly seenIp: string | null;
  /** Seconds from issue to expiry, and to the family's. */
  readonly life: number;
  readonly familyLife: number;
}

/** All credentials of a person, oldest first, the access credential of a pair before its refresh credential. */
export const credentialsOf = (service: Service, email: string): Promise<CredentialRow[]> =>
  service.sql<CredentialRow>(
    `SELECT c.token_hash AS hash, c.kind, c.session_family_id AS family, c.revoked_at IS NULL AS live,
       c.revocation_reason AS reason, c.audience, c.auth_method AS method, c.organization_id AS organization,
       c.membership_id AS membership, c.issue_ip AS ip, c.issue_user_agent AS agent, c.last_seen_at AS "seenAt",
       c.last_seen_ip AS "seenIp", extract(epoch FROM c.expires_at - c.issued_at)::integer AS life,
       extract(epoch FROM c.family_expires_at - c.issued_at)::integer AS "familyLife"
     FROM credentials c JOIN users u ON u.id = c.user_id WHERE u.email = $1
     ORDER BY c.issued_at, c.session_family_id, c.kind DESC`,
    [email],
  );

export const liveOf = async (service: Service, email: string): Promise<CredentialRow[]> =>
  (await credentialsOf(service, email)).filter(({ live }) => live);

export const familyOf = async (service: Pick<Service, 'sql'>, token: string): Promise<string> => {
  const [row] = await service.sql<{ family: string }>(
    'SELECT session_family_id AS family FROM credentials WHERE token_hash = $1',
    [sha256(token)],
  );
  if (row === undefined) throw new Error('No credential has this token');
  return row.family;
};

export const credentialIdOf = async (service: Pick<Service, 'sql'>, token: string): Promise<string> => {
  const [row] = await service.sql<{ id: string }>('SELECT id FROM credentials WHERE token_hash = $1', [sha256(token)]);
  if (row === undefined) throw new Error('No credential has this token');
  return row.id;
};

/** Runs `UPDATE credentials SET …` on the row of one token. */
export const alter = async (service: Service, token: string, change: string): Promise<void> => {
  await service.sql(`UPDATE credentials SET ${change} WHERE token_hash = $1`, [sha256(token)]);
};

export const expire = (service: Service, token: string): Promise<void> =>
  alter(service, token, `expires_at = now() - interval '1 second'`);

/** Makes the last authentication in the session of a token older: it was this long ago. */
export const ageAuthentication = async (service: Pick<Service, 'sql'>, token: string, age: string): Promise<void> => {
  await service.sql(`UPDATE credentials SET authenticated_at = now() - $2::interval WHERE session_family_id = $1`, [
    await familyOf(service, token),
    age,
  ]);
};

/** Makes a rotation older: the pair was rotated this many seconds ago. */
export const ageRotation = async (service: Service, tokens: Tokens, seconds: number): Promise<void> => {
  for (const token of [tokens.accessToken, tokens.refreshToken]) {
    await alter(service, token, `revoked_at = now() - interval '${seconds} seconds'`);
  }
};

export const me = (service: Service, token: string): Promise<Answer> =>
  post(service.url, operations.me, {}, { authorization: `Bearer ${token}` });

export const refresh = (service: Service, tokens: Partial<Tokens>): Promise<Answer> =>
  post(service.url, operations.refresh, { ...tokens });
