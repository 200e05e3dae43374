/** SQL of the export of what is kept of a person. Each column is named: a new one is exported by decision alone. */
import { type Statement, statement } from '../../platform/database/database.ts';

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

export interface ExportedList {
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

/** Columns of one table, as members of the same names. @param names separated by spaces */
const own = (alias: string, names: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, `${alias}.${inSnakeCase(name)}`]));

const inSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const exportedLists: Readonly<Record<string, ExportedList>> = {
  externalIdentities: list('identities', {
    source: 'FROM external_identities i WHERE i.user_id = $1',
    key: 'i.issuer',
    type: 'text',
    fields: own('i', 'issuer subject email linkedAt'),
  }),
  emailChanges: list('email_changes', {
    source: 'FROM email_changes c WHERE c.user_id = $1',
    key: 'c.user_id',
    type: 'uuid',
    fields: { formerEmail: 'c.old_email', ...own('c', 'newEmail requestedAt confirmedAt expiresAt noticeSentAt') },
  }),
  passkeys: list('passkeys', {
    source: 'FROM passkeys p WHERE p.user_id = $1',
    key: 'p.id',
    type: 'uuid',
    fields: own('p', 'id name createdAt lastUsedAt relyingPartyId isBackupEligible isBackedUp transports'),
  }),
  // Rows that undoing a change of address may put back.
  formerAuthenticators: list('former_authenticators', {
    source: 'FROM former_authenticators f WHERE f.user_id = $1',
    key: 'f.id',
    type: 'uuid',
    fields: own('f', 'kind addedAt replacedAt'),
  }),
  memberships: list('memberships', {
    source: `FROM organization_members m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = $1`,
    key: 'm.id',
    type: 'uuid',
    fields: {
      id: 'm.id',
      organizationId: 'o.id',
      organizationName: 'o.name',
      ...own('m', 'role createdAt joinedAt invitationExpiresAt invitationAcceptedAt'),
    },
  }),
  credentials: list('credentials', {
    source: `FROM credentials c LEFT JOIN oauth_clients k ON k.id = c.client_id WHERE c.user_id = $1`,
    key: 'c.id',
    type: 'uuid',
    fields: {
      ...own('c', 'id sessionFamilyId kind audience authMethod scopes clientId'),
      clientName: 'k.name',
      ...own('c', 'redirectHost organizationId issuedAt expiresAt revokedAt revocationReason issueIp issueUserAgent'),
      ...own('c', 'lastSeenAt lastSeenIp authenticatedAt secondFactorAt'),
    },
  }),
  // Whose secrets are among the credentials, with the id of the token as that of their family.
  personalTokens: list('personal_tokens', {
    source: `FROM machine_tokens t JOIN organizations o ON o.id = t.organization_id
       LEFT JOIN credentials c ON c.id = t.credential_id WHERE t.user_id = $1`,
    key: 't.id',
    type: 'uuid',
    fields: {
      ...own('t', 'id name'),
      organizationId: 'o.id',
      organizationName: 'o.name',
      ...own('t', 'scopes isPending lastCharacters createdAt rotatedAt'),
      ...own('c', 'expiresAt revokedAt'),
      lastUsedAt: 'c.last_seen_at',
      lastUsedIp: 'c.last_seen_ip',
    },
  }),
  signIns: list('sign_ins', {
    source: 'FROM sign_ins s WHERE s.user_id = $1',
    key: 's.id',
    type: 'uuid',
    fields: { ...own('s', 'at method outcome'), ip: 'host(s.ip)', ...own('s', 'userAgent sessionFamilyId') },
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
    fields: own('s', 'suspendedAt reinstatedAt'),
  }),
  consents: list('consents', {
    source: `FROM oauth_codes c JOIN oauth_clients k ON k.id = c.client_id WHERE c.user_id = $1`,
    key: `encode(c.code_hash, 'hex')`,
    type: 'text',
    fields: {
      clientId: 'c.client_id',
      clientName: 'k.name',
      ...own('c', 'audience organizationId scopes createdAt'),
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
      ...own('a', 'subjectId clientId tool details correlationId createdAt'),
    },
  }),
  mcpToolCalls: list('tool_calls', {
    source: 'FROM mcp_tool_audits a WHERE a.actor_user_id = $1',
    key: 'a.position',
    type: 'bigint',
    fields: own('a', 'id tool outcome clientId credentialId correlationId argumentDigest createdAt'),
  }),
};
