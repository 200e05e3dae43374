/** SQL of the export of what is kept of a person. Each column is named: a new one is exported by decision alone. */
import { type Statement, statement } from '../../platform/database/statement.ts';

/** The person's account, as JSON text. */
export const exportAccount = statement<{ readonly account: string }, [userId: string]>(
  'personal_data.export_account',
  `SELECT json_build_object('id', u.id, 'email', u.email, 'name', u.name, 'language', u.language, 'createdAt', u.created_at,
     'signedUpAt', u.signed_up_at, 'emailValidatedAt', u.email_validated_at, 'accountMailSentAt', u.account_mail_sent_at,
     'hasPassword', u.password_hash IS NOT NULL, 'isSuperAdmin', u.is_super_admin, 'platformScopes', u.platform_scopes,
     'suspendedAt', u.suspended_at,
     'currentMembership', u.current_membership,
     'oneTimeCodesSince', (SELECT confirmed_at FROM totp_secrets t WHERE t.user_id = u.id),
     'recoveryCodesLeft', (SELECT count(*) FROM recovery_codes c WHERE c.user_id = u.id AND c.used_at IS NULL))::text
     AS account
   FROM users u WHERE u.id = $1`,
);

interface ExportedPageRow {
  /** Objects in JSON, separated by commas; null when there are none. */
  readonly items: string | null;
  /** Where the next page begins; null when this is the last one. */
  readonly last: string | null;
}

/** A list of the export, which is read in pages. */
export interface ExportedList {
  /** The items after a place. */
  readonly page: Statement<ExportedPageRow, [userId: string, after: string]>;
  /** The place before all items. */
  readonly start: string;
}

const pageSize = 1000;

/** Below every key of a type. */
const starts = { uuid: '00000000-0000-0000-0000-000000000000', bigint: '0', text: '' } as const;

interface ListParts {
  /** FROM and WHERE; the person's id is $1. */
  readonly source: string;
  /** Unique in the list, and its order. */
  readonly key: string;
  readonly type: keyof typeof starts;
  /** The members of an item, by their names in it, as SQL. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Builds the JSON of the page's rows alone: else the database, where it expects few, reads and sorts all. */
const list = (name: string, { source, key, type, fields }: ListParts): ExportedList => {
  const columns = Object.entries(fields).map(([member, value]) => `${value} AS "${member}"`);
  const members = Object.keys(fields).map((member) => `'${member}', "${member}"`);
  return {
    start: starts[type],
    page: statement(
      `personal_data.export_${name}`,
      `WITH page AS MATERIALIZED (
         SELECT ${key} AS key, ${columns.join(', ')} ${source} AND ${key} > $2::${type}
         ORDER BY ${key} LIMIT ${pageSize})
       SELECT string_agg(json_build_object(${members.join(', ')})::text, ',' ORDER BY key) AS items,
         CASE WHEN count(*) = ${pageSize} THEN (array_agg(key ORDER BY key DESC))[1]::text END AS last
       FROM page`,
    ),
  };
};

/** The lists of the export, by their names in it. */
export const exportedLists: Readonly<Record<string, ExportedList>> = {
  externalIdentities: list('identities', {
    source: 'FROM external_identities i WHERE i.user_id = $1',
    key: 'i.issuer',
    type: 'text',
    fields: {
      issuer: 'i.issuer',
      subject: 'i.subject',
      email: 'i.email',
      linkedAt: 'i.linked_at',
    },
  }),
  emailChanges: list('email_changes', {
    source: 'FROM email_changes c WHERE c.user_id = $1',
    key: 'c.user_id',
    type: 'uuid',
    fields: {
      formerEmail: 'c.old_email',
      newEmail: 'c.new_email',
      requestedAt: 'c.requested_at',
      confirmedAt: 'c.confirmed_at',
      expiresAt: 'c.expires_at',
      noticeSentAt: 'c.notice_sent_at',
    },
  }),
  passkeys: list('passkeys', {
    source: 'FROM passkeys p WHERE p.user_id = $1',
    key: 'p.id',
    type: 'uuid',
    fields: {
      id: 'p.id',
      name: 'p.name',
      createdAt: 'p.created_at',
      lastUsedAt: 'p.last_used_at',
      relyingPartyId: 'p.relying_party_id',
      isBackupEligible: 'p.is_backup_eligible',
      isBackedUp: 'p.is_backed_up',
      transports: 'p.transports',
    },
  }),
  // Rows that undoing a change of address may put back.
  formerAuthenticators: list('former_authenticators', {
    source: 'FROM former_authenticators f WHERE f.user_id = $1',
    key: 'f.id',
    type: 'uuid',
    fields: { kind: 'f.kind', addedAt: 'f.added_at', replacedAt: 'f.replaced_at' },
  }),
  memberships: list('memberships', {
    source: `FROM organization_members m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = $1`,
    key: 'm.id',
    type: 'uuid',
    fields: {
      id: 'm.id',
      organizationId: 'o.id',
      organizationName: 'o.name',
      role: 'm.role',
      createdAt: 'm.created_at',
      joinedAt: 'm.joined_at',
      invitationExpiresAt: 'm.invitation_expires_at',
      invitationAcceptedAt: 'm.invitation_accepted_at',
    },
  }),
  credentials: list('credentials', {
    source: `FROM credentials c LEFT JOIN oauth_clients k ON k.id = c.client_id WHERE c.user_id = $1`,
    key: 'c.id',
    type: 'uuid',
    fields: {
      id: 'c.id',
      sessionFamilyId: 'c.session_family_id',
      kind: 'c.kind',
      audience: 'c.audience',
      authMethod: 'c.auth_method',
      scopes: 'c.scopes',
      clientId: 'c.client_id',
      clientName: 'k.name',
      redirectHost: 'c.redirect_host',
      organizationId: 'c.organization_id',
      issuedAt: 'c.issued_at',
      expiresAt: 'c.expires_at',
      revokedAt: 'c.revoked_at',
      revocationReason: 'c.revocation_reason',
      issueIp: 'c.issue_ip',
      issueUserAgent: 'c.issue_user_agent',
      lastSeenAt: 'c.last_seen_at',
      lastSeenIp: 'c.last_seen_ip',
      authenticatedAt: 'c.authenticated_at',
      secondFactorAt: 'c.second_factor_at',
    },
  }),
  // Whose secrets are among the credentials, with the id of the token as that of their family.
  personalTokens: list('personal_tokens', {
    source: `FROM machine_tokens t JOIN organizations o ON o.id = t.organization_id
       LEFT JOIN credentials c ON c.id = t.credential_id WHERE t.user_id = $1`,
    key: 't.id',
    type: 'uuid',
    fields: {
      id: 't.id',
      name: 't.name',
      organizationId: 'o.id',
      organizationName: 'o.name',
      scopes: 't.scopes',
      isPending: 't.is_pending',
      lastCharacters: 't.last_characters',
      createdAt: 't.created_at',
      rotatedAt: 't.rotated_at',
      expiresAt: 'c.expires_at',
      revokedAt: 'c.revoked_at',
      lastUsedAt: 'c.last_seen_at',
      lastUsedIp: 'c.last_seen_ip',
    },
  }),
  signIns: list('sign_ins', {
    source: 'FROM sign_ins s WHERE s.user_id = $1',
    key: 's.id',
    type: 'uuid',
    fields: {
      at: 's.at',
      method: 's.method',
      outcome: 's.outcome',
      ip: 'host(s.ip)',
      userAgent: 's.user_agent',
      sessionFamilyId: 's.session_family_id',
    },
  }),
  refusedSignIns: list('refused_sign_ins', {
    source: 'FROM refused_sign_ins r WHERE r.user_id = $1',
    key: 'r.id',
    type: 'uuid',
    fields: { day: 'to_timestamp(r.day * 86400)', attempts: 'r.attempts' },
  }),
  // Without the reasons, which are for super admins.
  suspensions: list('suspensions', {
    source: 'FROM suspensions s WHERE s.user_id = $1',
    key: 's.id',
    type: 'uuid',
    fields: { suspendedAt: 's.suspended_at', reinstatedAt: 's.reinstated_at' },
  }),
  consents: list('consents', {
    source: `FROM oauth_codes c JOIN oauth_clients k ON k.id = c.client_id WHERE c.user_id = $1`,
    key: `encode(c.code_hash, 'hex')`,
    type: 'text',
    fields: {
      clientId: 'c.client_id',
      clientName: 'k.name',
      audience: 'c.audience',
      organizationId: 'c.organization_id',
      scopes: 'c.scopes',
      createdAt: 'c.created_at',
      redeemedAt: 'c.consumed_at',
    },
  }),
  // Acts of the person, and acts on a token of theirs; not by whom.
  organizationAudits: list('organization_audits', {
    source: 'FROM organization_audits a WHERE (a.actor_id = $1 OR a.subject_id = $1 OR a.subject_user_id = $1)',
    key: 'a.id',
    type: 'uuid',
    fields: {
      organizationId: 'a.organization_id',
      event: 'a."event"',
      outcome: 'a.outcome',
      byThisPerson: 'coalesce(a.actor_id = $1, false)',
      subjectId: 'a.subject_id',
      clientId: 'a.client_id',
      tool: 'a.tool',
      details: 'a.details',
      correlationId: 'a.correlation_id',
      createdAt: 'a.created_at',
    },
  }),
  mcpToolCalls: list('tool_calls', {
    source: 'FROM mcp_tool_audits a WHERE a.actor_user_id = $1',
    key: 'a.position',
    type: 'bigint',
    fields: {
      id: 'a.id',
      tool: 'a.tool',
      outcome: 'a.outcome',
      clientId: 'a.client_id',
      credentialId: 'a.credential_id',
      correlationId: 'a.correlation_id',
      argumentDigest: 'a.argument_digest',
      createdAt: 'a.created_at',
    },
  }),
};
