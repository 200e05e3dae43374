/**
 * Owns the log's events: each has a stable name, a level, its additional fields and a meaning. No other event is
 * logged, and docs/events.md is generated from this list.
 */

type Level = 'debug' | 'info' | 'warn' | 'error';

export interface EventFacts<At extends Level = Level> {
  readonly levels: readonly At[];
  /**
   * Whether the event matters for detecting attacks: who did, or tried, what to whom. Its lines have `"security":
   * true`.
   */
  readonly isSecurity: boolean;
  /** Additional fields of its line. Never a person's address, a secret, or a raw argument. */
  readonly fields: readonly string[];
  /** Text for docs/events.md. */
  readonly meaning: string;
}

const described =
  (isSecurity: boolean) =>
  <At extends Level>(level: At | readonly At[], fields: string, meaning: string): EventFacts<At> => ({
    levels: typeof level === 'string' ? [level] : level,
    isSecurity,
    fields: fields === '' ? [] : fields.split(' '),
    meaning,
  });

/** @param fields separated by spaces */
const security = described(true);
const operation = described(false);

export const events = {
  'auth.sign_in': security('info', 'userId method', 'somebody signed in, by `password` or `google`'),
  'auth.sign_up_rejected': security(
    'info',
    'userId',
    'the owner of an address rejected a sign-up that was not theirs, and the account was deleted',
  ),
  'auth.password_reviewed': security(
    'info',
    'userId credentialId kept revoked',
    'after a link by its address, a person said whether the password that the account had is theirs; when it was not `kept`, it was removed, and `revoked` credentials of other sessions ended',
  ),
  'auth.signed_up': security('info', 'userId', 'somebody has an account now, with a password'),
  'auth.sign_in_refused': security(
    'info',
    'userId code detail method ip',
    'a sign-in was refused, by `code`: the account that was tried, if there is one. With `method` `google`, an exchange after a sign-in by the outside provider, and why in `detail`',
  ),
  'auth.sign_out': security('info', 'userId credentialId revoked', 'somebody ended the session that they came with'),
  'auth.sign_out_everywhere': security('info', 'userId credentialId revoked', 'somebody ended all sessions of theirs'),
  'auth.session_revoked': security('info', 'userId credentialId revoked', 'somebody ended one of their sessions'),
  'auth.session_revoked_by_super_admin': security(
    'info',
    'userId credentialId sessionFamilyId revoked',
    'a super admin ended a session of somebody',
  ),
  'auth.user_revoked_by_super_admin': security(
    'info',
    'userId revokedUserId revoked',
    'a super admin signed somebody out everywhere',
  ),
  'auth.refresh.reuse': security(
    'warn',
    'userId sessionFamilyId',
    'a refresh token that a rotation or a switch had replaced came back after ten seconds: taken for theft, that session ended, wherever it had switched to',
  ),
  'auth.organization_switched': security(
    'info',
    'userId organizationId sessionFamilyId',
    'somebody went to another organization, and this session ended with it',
  ),
  'auth.external_account_created': security(
    'info',
    'userId',
    'somebody came by the outside provider for the first time, and has an account now',
  ),
  'auth.external_identity_linked': security(
    'info',
    'userId linking',
    'an identity at the provider became a way to sign in to an account; `linking`: by its address, instead of a password that nobody had proven it for, or by somebody who was signed in to it',
  ),
  'auth.external_identity_unlinked': security('info', 'userId credentialId', 'it is no way to sign in any more'),
  'auth.external_refused': security(
    ['info', 'warn'],
    'code detail ip',
    'a sign-in or a link by the outside provider came to nothing: `code` and `detail` say why ([what to do](operations.md#sign-in-with-google-or-another-issuer)). A warning where the operator may have to see to it',
  ),
  'auth.hash_not_renewed': operation('warn', 'userId err', 'a password keeps a hash of the former SALT_ROUNDS for now'),
  'access.denied': security(
    'info',
    'userId credentialId code operation ip refusals',
    'somebody tried what they may not do: an operation that is not theirs (`FORBIDDEN`), or a change by cookies from a page that is not the portal (`ORIGIN_REFUSED`). Of people who are not known, the first at once, those that follow together, once a minute, with the last of them',
  ),
  'organization.created': security('info', 'userId organizationId', 'somebody founded an organization'),
  'organization.renamed': security('info', 'userId organizationId', 'somebody renamed it'),
  'organization.role_changed': security(
    'info',
    'userId organizationId memberId memberUserId role formerRole',
    'somebody gave a member another role',
  ),
  'organization.member_removed': security(
    'info',
    'userId organizationId memberId memberUserId endedSessions',
    'somebody left, or was removed',
  ),
  'invitation.created': security('info', 'userId organizationId memberId', 'somebody invited a person'),
  'invitation.reissued': security('info', 'userId organizationId memberId', 'they sent the invitation again'),
  'invitation.cancelled': security('info', 'userId organizationId memberId', 'they took it back'),
  'invitation.reissued_by_super_admin': security(
    'info',
    'userId organizationId memberId',
    'a super admin sent it again',
  ),
  'invitation.cancelled_by_super_admin': security(
    'info',
    'userId organizationId memberId',
    'a super admin took it back',
  ),
  'invitation.accepted': security('info', 'userId organizationId memberId', 'somebody who was signed in accepted it'),
  'invitation.profile_completed': security(
    'info',
    'userId organizationId memberId',
    'somebody without an account accepted it, and has one now',
  ),
  'oauth.consent_given': security('info', 'userId clientId requestId', 'somebody let an MCP client in'),
  'oauth.consent_refused': security(
    'info',
    'userId clientId requestId rule',
    'an MCP client was not let in, by the person or for want of rights: `rule` says which',
  ),
  'oauth.code.replay': security(
    'warn',
    'sessionFamilyId clientId',
    'an authorization code came back with its verifier: taken for theft, what it had become is revoked',
  ),
  'oauth.token.revoked': security('info', 'sessionFamilyId clientId revoked', 'an MCP client ended its own session'),
  'oauth.client_revoked': security(
    'info',
    'userId clientId revoked',
    'a super admin shut an MCP client out with all that it was issued',
  ),
  'mcp.tool_called': security(
    'info',
    'userId credentialId clientId tool outcome position hash',
    'a call of an MCP tool: by whom, through which client, and what came of it; the same as its row of the record, with its position and hash in the chain',
  ),
  'mcp.tool_call_unrecorded': security('error', 'tool err', 'a call could not be recorded, and so was not answered'),
  'mcp.request_refused': operation('debug', 'name', 'the library of the protocol refused a message'),
  'mcp.connections.lost': operation('warn', 'err', 'the list of connections has a gap: it could not be written'),
  'mcp.connections.dropped': operation(
    'warn',
    'dropped',
    'the list of connections has a gap: more steps came than it takes',
  ),
  'billing.event': operation('info', 'paymentEventId type isNew organizationId', 'a payment event was taken in'),
  'billing.event_refused': security(
    'info',
    'ip refusals',
    'a request to the webhook was not believed: many of them from Stripe mean a wrong `STRIPE_WEBHOOK_SECRET`. The first at once, those that follow together, once a minute, with the last of them',
  ),
  'billing.event_unreadable': operation(
    'warn',
    'paymentEventId type isNew organizationId',
    'a payment event was kept, but could not be read: what is paid for may be out of date',
  ),
  'billing.provider_failed': operation(
    'error',
    'call type code statusCode requestId',
    'Stripe did not answer a checkout or billing portal; `requestId` is the one of Stripe',
  ),
  'mail.sent': operation('info', 'mailId attempts ageSeconds', 'a mail was handed to the mail server'),
  'mail.failed': operation('warn', 'mailId attempts ageSeconds reason', 'it was not, and is tried again'),
  'mail.abandoned': operation(
    'warn',
    'mailId attempts ageSeconds reason',
    'it was given up: refused for good, or three days old',
  ),
  'mail.unreadable': operation(
    'error',
    'mailId attempts ageSeconds',
    'a mail cannot be opened with the present secret',
  ),
  'mail.queue.unavailable': operation('warn', 'err', 'the queue of mails could not be read; it is tried again'),
  'credentials.last_seen.lost': operation('warn', 'err', 'when credentials were last seen could not be written'),
  'http.bodies_refused': security(
    'warn',
    'refusals',
    'bodies of callers who were not authenticated yet found no room in the 64 MiB for all of them, and were answered 503. The first at once, those that follow together, once a minute',
  ),
  'http.connections_refused': security(
    'warn',
    'refusals',
    'connections were closed at once because `MAX_CONNECTIONS` were open. The first at once, those that follow together, once a minute',
  ),
  'rate_limits.refused': security(
    'warn',
    'limit refusals',
    'a limit refused what was tried too often: the first refusal at once, those that follow together, once a minute',
  ),
  'rate_limits.not_given_back': operation(
    'warn',
    'err',
    'a sign-in or a sign-up that was to count for nothing still counts as a try; or from where an owner signed in is not remembered',
  ),
  'upkeep.deleted': operation('info', 'job deletedRows', 'a scheduled job deleted rows that are over'),
  'upkeep.failed': operation('error', 'job deletedRows err', 'a scheduled job failed, and is tried again later'),
  'upkeep.failure_unrecorded': operation(
    'warn',
    'job err',
    'nor could that be written down: it is tried again once its lease is over',
  ),
  'upkeep.unscheduled': operation('warn', 'err', 'the schedule of jobs could not be read'),
  'redis.unavailable': operation(
    ['warn', 'error'],
    'subject reason',
    'Redis, or one of its commands (`subject`), fails from now on, for what `reason`; one line for each change. `WRONGPASS` and `NOAUTH` mean the user or the password in `REDIS_URL`, `NOPERM` the rights of that user',
  ),
  'redis.available': operation('info', 'subject', 'it works again'),
  'telemetry.unavailable': operation(
    'warn',
    'signal reason',
    'the collector of OpenTelemetry takes no traces or metrics (`signal`) from now on; one line for each change',
  ),
  'telemetry.available': operation('info', 'signal', 'it takes them again'),
  'database.migrated': operation('info', 'applied current', 'migrations were applied'),
  'database.connection_cut': operation('warn', 'err', 'a connection to PostgreSQL broke off'),
  'database.lookups_cut': operation('warn', 'err', 'so did the one that every request is authenticated by'),
  'database.lookups_unreachable': operation('warn', 'err delayMillis', 'it could not be made again yet'),
  'database.lookups_back': operation('info', '', 'it was made again'),
  'database.lookups_not_closed': operation('warn', 'err', 'the broken one did not close'),
  'database.not_rolled_back': operation(
    'warn',
    'err',
    'a transaction could not be rolled back; its connection is closed',
  ),
  'database.effect_failed': operation('error', 'err', 'a defect: what should follow a commit failed'),
  'database.closed_in_transaction': operation(
    'warn',
    '',
    'the embedded database was closed before a transaction ended',
  ),
  'database.upkeep_failed': operation('warn', 'err', 'the embedded database could not tidy itself up'),
  'database.holder_not_written': operation(
    'warn',
    'err',
    'who holds the embedded database could not be noted beside it',
  ),
  'database.fatal': operation('error', '', 'the embedded database cannot go on, and the process ends'),
  'service.started': operation('info', 'baseUrl engine', 'the process listens'),
  'service.stopping': operation('info', 'signal', 'it was asked to end, and drains'),
  'service.stop_failed': operation('error', 'err', 'it ended, but not in order'),
  'worker.ready': operation('info', 'worker pid', 'a process of `serve --workers` listens'),
  'worker.ended': operation(
    ['warn', 'error'],
    'worker code signal pauseMillis',
    'a process of `serve --workers` ended by itself, and another one takes its place after this pause; a warning where it ended in order',
  ),
  'worker.silent': operation(
    'error',
    'worker pid',
    'a process of `serve --workers` no longer answers its supervisor, or did not end in time, and is killed',
  ),
  'worker.unreachable': operation('warn', 'worker err', 'a process of `serve --workers` cannot be started or told'),
  request: operation(
    ['debug', 'error'],
    'method route status milliseconds',
    'a request was answered; an error where the status is 500 or above, but not 503',
  ),
  'request.failed': operation('error', 'err tool', 'a defect; its `correlationId` is what the person saw'),
  'http.framework': operation(
    ['debug', 'info', 'warn', 'error'],
    'err',
    'a line that names no event: of the HTTP framework, such as the address that it listens at, or of added routes',
  ),
  'demo_provider.off': operation('warn', 'port code', 'development: there is no demo Google, for its port is taken'),
  'demo_provider.refused': operation('debug', 'error', 'development: demo Google refused a request'),
  'demo_provider.failed': operation('warn', 'err', 'development: demo Google failed'),
} as const satisfies Readonly<Record<string, EventFacts>>;

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
