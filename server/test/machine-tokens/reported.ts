/** Machine tokens as rows, and reports of them, for the tests of `POST /auth/tokens/report`. */
import { hashToken, type MachineTokenKind, newToken } from '../../src/domain/credentials/token.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Tenant } from '../support/actors/tenants.ts';
import { type HeaderLines, type Reply, sendLines } from '../support/clients/entry-points.ts';
import type { Service } from '../support/gatehouse/gatehouse.ts';

type Stored = Pick<Service, 'sql'>;

export interface SeededToken {
  /** Also the session family of its secrets. */
  readonly id: string;
  readonly secret: string;
  /** The secret before, in its overlap, where there is one. */
  readonly former: string | null;
}

interface TokenRows {
  readonly kind: MachineTokenKind;
  readonly organizationId: string;
  readonly owner: Pick<Tenant, 'userId' | 'memberId'> | null;
  readonly serviceAccountId: string | null;
  readonly hasFormer: boolean;
}

const seedToken = async ({ sql }: Stored, rows: TokenRows): Promise<SeededToken> => {
  const { kind, organizationId, owner, serviceAccountId, hasFormer } = rows;
  const [id, credentialId, secret] = [newId(), newId(), newToken(kind)];
  const former = hasFormer ? newToken(kind) : null;
  await sql(
    `INSERT INTO machine_tokens (id, organization_id, user_id, membership_id, service_account_id, name, scopes,
       credential_id, last_characters, lifetime_seconds)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 86400)`,
    [
      id,
      organizationId,
      owner?.userId ?? null,
      owner?.memberId ?? null,
      serviceAccountId,
      ...(owner === null ? [null, null] : ['deploy', ['MEMBERS_VIEW']]),
      credentialId,
      secret.slice(-4),
    ],
  );
  const secrets = [{ at: credentialId, text: secret, slot: 0 }];
  if (former !== null) secrets.push({ at: newId(), text: former, slot: 1 });
  for (const { at, text, slot } of secrets) {
    await sql(
      `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, service_account_id,
         credentials_revision, audience, auth_method, organization_id, membership_id, slot, expires_at, family_expires_at)
       SELECT $1, $2, 'machine', $3, $1, $4, $5, coalesce((SELECT credentials_revision FROM users WHERE id = $4), 0), 'api',
         $6, $7, $8, $9, now() + interval '1 day', now() + interval '84 days'`,
      [
        at,
        hashToken(text),
        id,
        owner?.userId ?? null,
        serviceAccountId,
        kind,
        organizationId,
        owner?.memberId ?? null,
        slot,
      ],
    );
  }
  return { id, secret, former };
};

/** A token of a person in their organization. */
export const seedPersonalToken = (
  service: Stored,
  owner: Pick<Tenant, 'userId' | 'memberId' | 'organizationId'>,
  hasFormer = false,
): Promise<SeededToken> =>
  seedToken(service, {
    kind: 'personal_token',
    organizationId: owner.organizationId,
    owner,
    serviceAccountId: null,
    hasFormer,
  });

/** A token of a new service account of an organization. */
export const seedServiceToken = async (service: Stored, organizationId: string): Promise<SeededToken> => {
  const serviceAccountId = newId();
  await service.sql(
    `INSERT INTO service_accounts (id, organization_id, name, description, scopes)
     VALUES ($1, $2, 'builder', '', '{MEMBERS_VIEW}')`,
    [serviceAccountId, organizationId],
  );
  const rows = { kind: 'service_token', organizationId, owner: null, serviceAccountId, hasFormer: false } as const;
  return seedToken(service, rows);
};

export const entry = (token: string, more: Readonly<Record<string, unknown>> = {}) => ({
  token,
  type: 'gatehouse_token',
  url: 'https://code.example/acme/app/blob/main/config.yml',
  source: 'content',
  ...more,
});

export const json: HeaderLines[number] = ['content-type', 'application/json'];

export const report = (service: Pick<Service, 'url'>, body: unknown, lines: HeaderLines = [json]): Promise<Reply> =>
  sendLines(`${service.url}/auth/tokens/report`, 'POST', lines, typeof body === 'string' ? body : JSON.stringify(body));

/** Reports these tokens and waits until they were worked off. */
export const reportAndWait = async (
  service: Pick<Service, 'url' | 'flush'>,
  ...tokens: readonly string[]
): Promise<Reply> => {
  const reply = await report(
    service,
    tokens.map((token) => entry(token)),
  );
  await service.flush();
  return reply;
};

/**
 * Stores a report of these tokens that is worked off only once {@link makeReportsDue} was called and the service
 * flushed.
 */
export const storeReport = async ({ sql }: Stored, ...tokens: readonly string[]): Promise<void> => {
  const entries = tokens.map((token) => ({ hash: hashToken(token).toString('hex'), url: '', source: '' }));
  await sql(
    `INSERT INTO token_reports (id, correlation_id, entries, next_attempt_at)
     VALUES (gen_random_uuid(), gen_random_uuid(), $1::jsonb, 'infinity')`,
    [JSON.stringify(entries)],
  );
};

export const makeReportsDue = async ({ sql }: Stored): Promise<void> => {
  await sql('UPDATE token_reports SET next_attempt_at = now()');
};

interface State {
  readonly family: string;
  readonly reason: string | null;
}

/** Every credential, by its id: its family, and why it was revoked. */
export const allCredentials = async ({ sql }: Stored): Promise<ReadonlyMap<string, State>> => {
  const rows = await sql<State & { readonly id: string }>(
    'SELECT id, session_family_id AS family, revocation_reason AS reason FROM credentials ORDER BY id',
  );
  return new Map(rows.map(({ id, family, reason }) => [id, { family, reason }]));
};

/** Why the credential of a token was revoked; null while it is live. */
export const reasonOf = async ({ sql }: Stored, token: string): Promise<string | null> => {
  const [row] = await sql<{ reason: string | null }>(
    'SELECT revocation_reason AS reason FROM credentials WHERE token_hash = $1',
    [hashToken(token)],
  );
  if (row === undefined) throw new Error('No credential has this token');
  return row.reason;
};

interface AuditRow {
  readonly event: string;
  readonly actor: string | null;
  readonly subject: string;
  readonly details: string | null;
}

/** The reports in the audit of an organization. Each has a row of the revocation beside it. */
export const auditsOf = ({ sql }: Stored, organizationId: string): Promise<AuditRow[]> =>
  sql<AuditRow>(
    `SELECT event, actor_id AS actor, subject_id AS subject, details FROM organization_audits
     WHERE organization_id = $1 AND event = 'TOKEN_REPORTED' ORDER BY position`,
    [organizationId],
  );

export const reportsWaiting = async ({ sql }: Stored): Promise<number> =>
  (await sql("SELECT id FROM token_reports WHERE entries <> '[]'")).length;
