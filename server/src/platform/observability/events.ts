/**
 * Owns the log's events: each has a stable name, a level, its additional fields and a meaning. No other event is
 * logged, and docs/events.md is generated from this list.
 */

import { billingEvents } from './billing-events.ts';
import { databaseEvents } from './database-events.ts';
import { type EventFacts, type Level, operation, security } from './event-facts.ts';
import { incidentEvents } from './incident-events.ts';
import { oneTimeCodeEvents } from './one-time-code-events.ts';
import { organizationEvents } from './organization-events.ts';
import { ownAccountEvents } from './own-account-events.ts';
import { passkeyEvents } from './passkey-events.ts';
import { tokenReportEvents } from './token-report-events.ts';

export const events = {
  'auth.sign_in': security(
    'info',
    'userId method',
    'a person signed in; `method` is `password`, `passkey` or `google`',
  ),
  'auth.sign_up_rejected': security(
    'info',
    'userId',
    'the owner of an address rejected a sign-up that was not theirs, and the account was deleted',
  ),
  ...ownAccountEvents,
  ...passkeyEvents,
  ...oneTimeCodeEvents,
  'auth.signed_up': security('info', 'userId', 'a person created an account with a password'),
  'auth.sign_in_refused': security(
    'info',
    'userId code detail method ip',
    'a sign-in was refused, for the reason `code`; `userId` is the account that was tried, if there is one. With `method` `google`, an exchange after a sign-in with the identity provider was refused; with `passkey`, a passkey, at a sign-in or in a session. `detail` says why',
  ),
  'auth.refresh.reuse': security(
    'warn',
    'userId sessionFamilyId',
    'a refresh token was used more than ten seconds after a refresh or a switch of organization replaced it: treated as theft, so the session ended, also where it had switched',
  ),
  'auth.refresh.recovered': security(
    'info',
    'userId sessionFamilyId',
    'a pair got another successor, because the answer with the first one was lost: that one was never used, and has ended',
  ),
  'auth.organization_switched': security(
    'info',
    'userId organizationId sessionFamilyId',
    'a person switched to another organization, and the session for the previous one ended',
  ),
  'auth.external_account_created': security(
    'info',
    'userId',
    'a person signed in with the identity provider for the first time, and an account was created',
  ),
  'auth.external_identity_linked': security(
    'info',
    'userId linking',
    'an identity at the identity provider was linked to an account; `linking` is how: by its address, by its address in place of an unconfirmed password, or by a signed-in session',
  ),
  'auth.external_identity_unlinked': security(
    'info',
    'userId credentialId',
    'an identity was unlinked from an account',
  ),
  'auth.external_refused': security(
    ['info', 'warn'],
    'code detail ip',
    'a sign-in or link with the identity provider was refused: `code` and `detail` say why ([what to do](operations.md#sign-in-with-google-or-another-issuer)). A warning where the operator may have to act',
  ),
  'auth.hash_not_renewed': operation('warn', 'userId err', 'a hash could not be renewed to SALT_ROUNDS'),
  'access.denied': security(
    'info',
    'userId credentialId code operation ip refusals',
    'an operation was denied: the caller lacks the rights (`FORBIDDEN`) or the second factor that they take (`SECOND_FACTOR_REQUIRED`), or cookies came from a page that is not the portal (`ORIGIN_REFUSED`). For unauthenticated callers, the first refusal at once, later ones once a minute, with their number and the details of the last one',
  ),
  ...incidentEvents,
  ...organizationEvents,
  ...tokenReportEvents,
  'invitation.created': security('info', 'userId organizationId memberId', 'a person was invited'),
  'invitation.reissued': security('info', 'userId organizationId memberId', 'an invitation was sent again'),
  'invitation.cancelled': security('info', 'userId organizationId memberId', 'an invitation was cancelled'),
  'invitation.reissued_by_super_admin': security(
    'info',
    'userId organizationId memberId',
    'a super admin had an invitation sent again',
  ),
  'invitation.cancelled_by_super_admin': security(
    'info',
    'userId organizationId memberId',
    'a super admin cancelled an invitation',
  ),
  'invitation.accepted': security('info', 'userId organizationId memberId', 'a signed-in user accepted an invitation'),
  'invitation.profile_completed': security(
    'info',
    'userId organizationId memberId',
    'an invited person without a password completed a profile and signed in',
  ),
  'oauth.consent_given': security(
    'info',
    'userId clientId requestId audience organizationId',
    'a person gave an MCP client access: to Platform MCP, or to one organization',
  ),
  'oauth.consent_refused': security(
    'info',
    'userId clientId requestId rule',
    'an MCP client was refused access, by the person or for lack of rights: `rule` says which',
  ),
  'oauth.code.replay': security(
    'warn',
    'sessionFamilyId clientId',
    'an authorization code was used twice, with its verifier: treated as theft, so the tokens issued for it were revoked',
  ),
  'oauth.token.revoked': security('info', 'sessionFamilyId clientId revoked', 'an MCP client ended its own session'),
  'oauth.document_fetched': operation('info', 'clientId', 'the metadata document of an MCP client was fetched'),
  'oauth.document_refused': operation(
    'warn',
    'clientId rule reason',
    'the metadata document of an MCP client could not be fetched or is not valid',
  ),
  'oauth.connection_ended': security(
    'info',
    'userId ownerId organizationId clientId sessionFamilyId',
    'the connection of an MCP client with an organization was ended by its person, `ownerId`, or by those who manage MCP there',
  ),
  'oauth.client_revoked': security(
    'info',
    'userId clientId revoked',
    'a super admin revoked an MCP client and every credential that it was issued',
  ),
  'mcp.tool_called': security(
    'info',
    'userId credentialId clientId tool outcome position hash',
    'an MCP tool was called: by whom, through which client, and with which outcome; equal to its row in the record, with its position and hash in the chain',
  ),
  'mcp.tool_call_unrecorded': security('error', 'tool err', 'a tool call was not recorded, so it was not answered'),
  'mcp.request_refused': operation('debug', 'code clientId', 'a message to `/mcp` was refused; `code` is of JSON-RPC'),
  'mcp.connections.lost': operation('warn', 'err', 'the list of connections has a gap: a write failed'),
  'mcp.connections.dropped': operation(
    'warn',
    'dropped',
    'the list of connections has a gap: steps came faster than they are written',
  ),
  ...billingEvents,
  'mail.sent': operation('info', 'mailId attempts ageSeconds', 'the mail server accepted a mail'),
  'mail.failed': operation('warn', 'mailId attempts ageSeconds reason', 'a mail could not be sent, and is tried again'),
  'mail.abandoned': operation(
    'warn',
    'mailId attempts ageSeconds reason',
    'a mail was given up: the mail server refused it permanently, or it is three days old; `reason` has the reply code and its status, or `unreadable`',
  ),
  'mail.unreadable': operation(
    'error',
    'mailId attempts ageSeconds',
    'a queued mail cannot be decrypted with the present secret',
  ),
  'mail.queue.unavailable': operation('warn', 'err', 'the mail queue could not be read; it is tried again'),
  'sign_ins.lost': operation('warn', 'err', 'some refused sign-ins could not be written to the history'),
  'tokens.networks.lost': operation(
    'warn',
    'err',
    'the networks that some tokens of machines were used from could not be written; their next use notes them again',
  ),
  'credentials.last_seen.lost': operation('warn', 'err', 'the last use of some credentials could not be written'),
  'http.bodies_refused': security(
    'warn',
    'refusals',
    'request bodies of unauthenticated callers were refused with 503, because the 64 MiB for all of them were in use. The first refusal at once, later ones once a minute',
  ),
  'http.connections_refused': security(
    'warn',
    'refusals',
    'connections were closed at once because `MAX_CONNECTIONS` were open. The first at once, later ones once a minute',
  ),
  'rate_limits.refused': security(
    'warn',
    'limit refusals',
    'a rate limit refused requests: the first refusal at once, later ones once a minute',
  ),
  'rate_limits.not_given_back': operation(
    'warn',
    'err',
    "a permit of a sign-in or sign-up could not be refunded, so it counts as an attempt; or the network of an owner's sign-in is not remembered",
  ),
  'upkeep.deleted': operation('info', 'job deletedRows', 'a scheduled job deleted expired rows'),
  'upkeep.failed': operation('error', 'job deletedRows err', 'a scheduled job failed, and is tried again later'),
  'upkeep.failure_unrecorded': operation(
    'warn',
    'job err',
    'the failure of a scheduled job could not be recorded: the job is tried again when its lease expires',
  ),
  'upkeep.unscheduled': operation('warn', 'err', 'the schedule of jobs could not be read'),
  'redis.unavailable': operation(
    ['warn', 'error'],
    'subject reason',
    'Redis, or one of its commands (`subject`), started to fail, for `reason`; one line for each change. `WRONGPASS` and `NOAUTH` mean the user or the password in `REDIS_URL`, `NOPERM` the permissions of that user',
  ),
  'redis.may_evict': operation(
    ['warn', 'info'],
    'eviction',
    'what Redis does when its memory is full, as found at a connection or since: it `evicts`, so the database counts for the limits, or `unknown`: it does not tell; `refuses` at info, when it evicts no more',
  ),
  'redis.available': operation('info', 'subject', 'Redis, or the command, works again'),
  'telemetry.unavailable': operation(
    'warn',
    'signal reason',
    'the OpenTelemetry collector stopped accepting traces or metrics (`signal`); one line for each change',
  ),
  'telemetry.available': operation('info', 'signal', 'the OpenTelemetry collector accepts them again'),
  ...databaseEvents,
  'application.role_not_defined': operation(
    'warn',
    'role members',
    'members have a role that the application no longer defines, and are granted nothing: see `gatehouse move-role`',
  ),
  'application.resource_not_defined': operation(
    'warn',
    'resource',
    'a RESOURCE_SECRET_ variable is for a resource that the application does not have, and has no effect',
  ),
  'application.origin_of_another_site': operation(
    'warn',
    'origin',
    'an origin of the application is not same-site with BASE_URL: browsers send no cookies from its pages',
  ),
  'service.started': operation('info', 'baseUrl engine', 'the process listens'),
  'service.stopping': operation('info', 'signal', 'the process was asked to stop, and drains'),
  'service.stop_failed': operation('error', 'err', 'the process did not stop cleanly'),
  'worker.ready': operation('info', 'worker pid', 'a process of `serve --workers` listens'),
  'worker.ended': operation(
    ['warn', 'error'],
    'worker code signal pauseMillis',
    'a process of `serve --workers` ended unexpectedly, and is replaced after this pause; a warning if it exited normally',
  ),
  'worker.silent': operation(
    'error',
    'worker pid',
    'a process of `serve --workers` stopped answering its supervisor, or did not end in time, and is killed',
  ),
  'worker.unreachable': operation('warn', 'worker err', 'a worker process cannot be started or signalled'),
  request: operation(
    ['debug', 'error'],
    'method route status milliseconds',
    'a request was answered; an error if the status is 500 or above, except 503',
  ),
  'request.failed': operation('error', 'err tool', 'a defect; its `correlationId` is the one that the client received'),
  'http.framework': operation(
    ['debug', 'info', 'warn', 'error'],
    'err',
    'a line without an event of its own: from the HTTP framework, such as the address that it listens at, or from added routes',
  ),
  'demo_stripe.off': operation('warn', 'port code', 'development: the port of the demo Stripe cannot be opened'),
  'demo_stripe.failed': operation('warn', 'err', 'development: the demo Stripe failed'),
  'demo_provider.off': operation('warn', 'port code', 'development: the port of the demo Google is in use'),
  'demo_provider.refused': operation('debug', 'error', 'development: the demo Google refused a request'),
  'demo_provider.failed': operation('warn', 'err', 'development: the demo Google failed'),
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
