/**
 * Owns the log's events: each has a stable name, a level and its additional fields. No other event is logged.
 * docs/events.md is generated from this list and `event-meanings.json`.
 */

type Level = 'debug' | 'info' | 'warn' | 'error';

export interface EventDefinition<At extends Level = Level> {
  readonly levels: readonly At[];
  /** Whether it matters for detecting attacks: who did, or tried, what to whom. Its lines have `"security": true`. */
  readonly isSecurity: boolean;
  /** Additional fields of its line. Never a person's address, a secret, or a raw argument. */
  readonly fields: readonly string[];
}

/** `fields` are separated by spaces. */
const described =
  (isSecurity: boolean) =>
  <At extends Level>(level: At | readonly At[], fields: string): EventDefinition<At> => ({
    levels: typeof level === 'string' ? [level] : level,
    isSecurity,
    fields: fields === '' ? [] : fields.split(' '),
  });

const security = described(true);
const operation = described(false);

export const events = {
  'auth.sign_in': security('info', 'userId method'),
  'auth.sign_up_rejected': security('info', 'userId'),

  // Own accounts and sessions.
  'auth.language_changed': security('info', 'userId credentialId'),
  'auth.name_changed': security('info', 'userId credentialId'),
  'auth.account_deleted': security('info', 'userId revoked organizations'),
  'auth.data_exported': security('info', 'userId credentialId'),
  'auth.reauthenticated': security('info', 'userId credentialId method'),
  'auth.password_changed': security('info', 'userId credentialId revoked'),
  'auth.password_set_by_operator': security('warn', 'userId revoked'),
  'auth.second_factor_removed_by_operator': security('warn', 'userId passkeys oneTimeCodes recoveryCodes'),
  'auth.super_admin_created': security('warn', 'userId scopes'),
  'auth.email_change_requested': security('info', 'userId credentialId'),
  'auth.email_changed': security('info', 'userId credentialId'),
  'auth.email_change_undone': security('warn', 'userId revoked'),
  'auth.password_reviewed': security('info', 'userId credentialId kept revoked'),
  'auth.sign_out': security('info', 'userId credentialId revoked'),
  'auth.sign_out_everywhere': security('info', 'userId credentialId revoked'),
  'auth.session_revoked': security('info', 'userId credentialId revoked'),

  // Passkeys, one-time codes and recovery codes.
  'auth.passkey_added': security('info', 'userId credentialId passkeyId'),
  'auth.passkey_removed': security('info', 'userId credentialId passkeyId'),
  'auth.passkey_copied': security('warn', 'userId passkeyId ip'),
  'passkeys.other_relying_party': operation('warn', 'passkeys'),
  'passkeys.not_counted': operation('warn', 'err'),
  'auth.one_time_codes_added': security('info', 'userId credentialId'),
  'auth.one_time_codes_removed': security('info', 'userId credentialId'),
  'auth.recovery_codes_renewed': security('info', 'userId credentialId'),
  'auth.recovery_code_used': security('info', 'userId left'),
  'auth.totp_unreadable': operation('error', 'userId'),

  // Sign-ins and denials.
  'auth.signed_up': security('info', 'userId'),
  'auth.sign_in_refused': security('info', 'userId code detail method ip'),
  'auth.refresh.reuse': security('warn', 'userId sessionFamilyId'),
  'auth.refresh.recovered': security('info', 'userId sessionFamilyId'),
  'auth.organization_switched': security('info', 'userId organizationId sessionFamilyId'),
  'auth.external_account_created': security('info', 'userId'),
  'auth.external_identity_linked': security('info', 'userId linking'),
  'auth.external_identity_unlinked': security('info', 'userId credentialId'),
  'auth.external_refused': security(['info', 'warn'], 'code detail ip'),
  'auth.hash_not_renewed': operation('warn', 'userId err'),
  'access.denied': security('info', 'userId credentialId code operation ip refusals'),

  // Super admins and operators at an incident.
  'auth.session_revoked_by_super_admin': security('info', 'userId credentialId sessionFamilyId revoked'),
  'auth.user_revoked_by_super_admin': security('info', 'userId revokedUserId revoked'),
  'auth.user_suspended': security('warn', 'userId suspendedUserId revoked'),
  'auth.user_reinstated': security('warn', 'userId reinstatedUserId'),
  'auth.user_reinstated_by_operator': security('warn', 'reinstatedUserId'),
  'auth.sessions_revoked_by_super_admin': security(
    'info',
    'userId fields revokedUserId organizationId clientId sessions revoked',
  ),
  'auth.organization_revoked_by_super_admin': security('info', 'userId organizationId sessions revoked'),
  'database.restored': operation('warn', 'change changedAfter'),
  'database.restore_settled': operation('warn', 'isRestored'),
  'auth.ended_after_restore': security('warn', 'until keepsTokens sessions tokens people organizations isComplete'),

  // Organizations, and tokens of machines.
  'organization.created': security('info', 'userId organizationId'),
  'organization.renamed': security('info', 'userId organizationId'),
  'organization.second_factor_policy_changed': security('info', 'userId organizationId required'),
  'organization.deleted': security('info', 'userId organizationId'),
  'organization.restored': security('info', 'userId organizationId'),
  'organization.role_changed': security('info', 'userId organizationId memberId memberUserId role formerRole'),
  'organization.member_removed': security('info', 'userId organizationId memberId memberUserId endedSessions'),
  'organization.token_policy_changed': security('info', 'userId organizationId'),
  'mcp.organization_tool_called': security('info', 'userId organizationId credentialId clientId tool outcome'),
  'organization.mcp_policy_changed': security('info', 'userId organizationId'),
  'mcp.tool_timed_out': operation('warn', 'tool'),
  'mcp.tool_answer_refused': operation('warn', 'tool bytes'),
  'application.tools_not_served': operation('warn', 'tools'),
  'service_account.created': security('info', 'userId organizationId serviceAccountId'),
  'service_account.updated': security('info', 'userId organizationId serviceAccountId'),
  'service_account.deleted': security('info', 'userId organizationId serviceAccountId'),
  'token.created': security('info', 'userId organizationId tokenId ownerId serviceAccountId'),
  'token.rotated': security('info', 'userId organizationId tokenId ownerId serviceAccountId'),
  'token.old_secret_refused': security('info', 'tokenId refusals'),
  'token.revoked': security('info', 'userId organizationId tokenId ownerId serviceAccountId'),
  'token.approved': security('info', 'userId organizationId tokenId ownerId serviceAccountId'),
  'token.revoked_by_operator': security('warn', 'organizationId tokenId ownerId serviceAccountId'),
  'token.refused': security('info', 'userId organizationId tokenId ownerId serviceAccountId'),
  'token.report_accepted': security('info', 'ip strings wellFormed'),
  'token.reported_leaked': security('warn', 'userId serviceAccountId organizationId tokenId revoked'),
  'auth.session_reported_leaked': security('warn', 'userId sessionFamilyId revoked'),
  'token.report_failed': operation('error', 'err attempts'),
  'token.reports_unavailable': operation('warn', 'err'),

  // Invitations, and MCP clients.
  'invitation.created': security('info', 'userId organizationId memberId'),
  'invitation.reissued': security('info', 'userId organizationId memberId'),
  'invitation.cancelled': security('info', 'userId organizationId memberId'),
  'invitation.reissued_by_super_admin': security('info', 'userId organizationId memberId'),
  'invitation.cancelled_by_super_admin': security('info', 'userId organizationId memberId'),
  'invitation.accepted': security('info', 'userId organizationId memberId'),
  'invitation.profile_completed': security('info', 'userId organizationId memberId'),
  'oauth.consent_given': security('info', 'userId clientId requestId audience organizationId'),
  'oauth.consent_refused': security('info', 'userId clientId requestId rule'),
  'oauth.code.replay': security('warn', 'sessionFamilyId clientId'),
  'oauth.token.revoked': security('info', 'sessionFamilyId clientId revoked'),
  'oauth.document_fetched': operation('info', 'clientId'),
  'oauth.document_refused': operation('warn', 'clientId rule reason'),
  'oauth.connection_ended': security('info', 'userId ownerId organizationId clientId sessionFamilyId'),
  'oauth.client_revoked': security('info', 'userId clientId revoked'),
  'mcp.tool_called': security('info', 'userId credentialId clientId tool outcome position hash'),
  'mcp.tool_call_unrecorded': security('error', 'tool err'),
  'mcp.request_refused': operation('debug', 'code clientId'),
  'mcp.connections.lost': operation('warn', 'err'),
  'mcp.connections.dropped': operation('warn', 'dropped'),

  // Payments and mail.
  'billing.event': operation('info', 'paymentEventId type isNew organizationId'),
  'billing.event_refused': security('info', 'ip refusals'),
  'billing.event_unreadable': operation('warn', 'paymentEventId type isNew organizationId'),
  'billing.price_unreadable': operation('warn', 'paymentEventId type isNew organizationId subscriptionId'),
  'billing.provider_failed': operation('error', 'call type code statusCode requestId'),
  'mail.sent': operation('info', 'mailId attempts ageSeconds'),
  'mail.failed': operation('warn', 'mailId attempts ageSeconds reason'),
  'mail.abandoned': operation('warn', 'mailId attempts ageSeconds reason'),
  'mail.unreadable': operation('error', 'mailId attempts ageSeconds'),
  'mail.queue.unavailable': operation('warn', 'err'),

  // Limits, scheduled jobs, and the services that this one needs.
  'sign_ins.lost': operation('warn', 'err'),
  'tokens.networks.lost': operation('warn', 'err'),
  'credentials.last_seen.lost': operation('warn', 'err'),
  'http.bodies_refused': security('warn', 'refusals'),
  'http.connections_refused': security('warn', 'refusals'),
  'rate_limits.refused': security('warn', 'limit refusals'),
  'rate_limits.not_given_back': operation('warn', 'err'),
  'upkeep.deleted': operation('info', 'job deletedRows'),
  'upkeep.failed': operation('error', 'job deletedRows err'),
  'upkeep.failure_unrecorded': operation('warn', 'job err'),
  'upkeep.unscheduled': operation('warn', 'err'),
  'redis.unavailable': operation(['warn', 'error'], 'subject reason'),
  'redis.may_evict': operation(['warn', 'info'], 'eviction'),
  'redis.available': operation('info', 'subject'),
  'telemetry.unavailable': operation('warn', 'signal reason'),
  'telemetry.available': operation('info', 'signal'),
  'database.migrated': operation('info', 'applied current'),
  'database.silent': operation('warn', 'err'),
  'database.connection_cut': operation('warn', 'err'),
  'database.lookups_cut': operation('warn', 'err'),
  'database.lookups_unreachable': operation('warn', 'err delayMillis'),
  'database.lookups_back': operation('info', ''),
  'database.lookups_not_closed': operation('warn', 'err'),
  'database.heartbeat_lost': operation('warn', 'err'),
  'database.heartbeat_back': operation('info', ''),
  'database.commits_stalled': operation('warn', ''),
  'database.commits_returned': operation('info', ''),
  'database.abandoned_left': operation('warn', ''),
  'database.abandoned_ended': operation('warn', 'sessions waited'),
  'database.standby_not_awaited': operation('warn', ''),
  'database.not_rolled_back': operation('warn', 'err'),
  'database.effect_failed': operation('error', 'err'),
  'database.opening': operation('info', 'seconds isNew'),
  'database.closed_in_transaction': operation('warn', ''),
  'database.upkeep_failed': operation('warn', 'err'),
  'database.holder_not_written': operation('warn', 'err'),
  'database.fatal': operation('error', ''),

  // The application, and the process.
  'application.role_not_defined': operation('warn', 'role members'),
  'application.resource_not_defined': operation('warn', 'resource'),
  'application.origin_of_another_site': operation('warn', 'origin'),
  'service.started': operation('info', 'baseUrl engine'),
  'service.stopping': operation('info', 'signal'),
  'service.stop_failed': operation('error', 'err'),
  'worker.ready': operation('info', 'worker pid'),
  'worker.ended': operation(['warn', 'error'], 'worker code signal pauseMillis'),
  'worker.silent': operation('error', 'worker pid'),
  'worker.unreachable': operation('warn', 'worker err'),
  request: operation(['debug', 'error'], 'method route status milliseconds'),
  'request.failed': operation('error', 'err tool'),
  'http.framework': operation(['debug', 'info', 'warn', 'error'], 'err'),
  'demo_stripe.off': operation('warn', 'port code'),
  'demo_stripe.failed': operation('warn', 'err'),
  'demo_provider.off': operation('warn', 'port code'),
  'demo_provider.refused': operation('debug', 'error'),
  'demo_provider.failed': operation('warn', 'err'),
} as const satisfies Readonly<Record<string, EventDefinition>>;

type EventName = keyof typeof events;

type LevelOf<Name extends EventName> = (typeof events)[Name]['levels'][number];

/** The events that are logged at a level. */
export type EventAt<At extends Level> = { [Name in EventName]: At extends LevelOf<Name> ? Name : never }[EventName];

/** The fields of a log line. */
export interface LineAt<At extends Level> {
  readonly event: EventAt<At>;
  readonly [field: string]: unknown;
}

const securityEvents: ReadonlySet<unknown> = new Set(
  Object.entries(events).flatMap(([name, { isSecurity }]) => (isSecurity ? [name] : [])),
);

export const isSecurityEvent = (name: unknown): boolean => securityEvents.has(name);
