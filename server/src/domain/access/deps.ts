/** What operations need beside actor and input. Each operation names what it uses; its callers may have more. */
import type { Keyring } from '../../kernel/secrets.ts';
import { scaledMillis } from '../../kernel/waits/wait-scale.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { HelperSessions } from '../../platform/helper-sessions.ts';
import type { MailQueue } from '../../platform/mail/outbox.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import type { IdentityProvider } from '../../platform/oidc/identity-provider.ts';
import type { PasswordHasher } from '../../platform/passwords/password-hasher.ts';
import type { RateLimits } from '../../platform/rate-limit/rate-limits.ts';
import type { CredentialLifetimes } from '../credentials/issue-pair.ts';
import type { Application } from '../scopes/application.ts';
import type { SignInHistory } from '../sign-ins/sign-in-history.ts';

/** Waiting times that can be configured per process: tests use shorter ones. */
export interface Intervals {
  /** Milliseconds from the hash of a sign-up to its answer, the same for every address. */
  readonly signUpAnswer: number;
  /** Timeout of each answer of the identity provider, in seconds. */
  readonly identityProvider: number;
  /** Time limit of the fetch of a client's metadata document, in milliseconds. */
  readonly clientDocument: number;
  /** Milliseconds that a call of one of the application's MCP tools may take. */
  readonly toolCall: number;
}

const waits = scaledMillis({ identityProvider: 5000 });

export const defaultIntervals: Intervals = {
  // Longer than the database work of any sign-up on a healthy machine; unnoticeable after a bcrypt hash.
  signUpAnswer: 60,
  get identityProvider() {
    return waits.identityProvider / 1000;
  },
  clientDocument: 5000,
  toolCall: 30_000,
};

export interface Services {
  readonly application: Application;
  readonly database: Database;
  readonly helperSessions: HelperSessions;
  readonly intervals: Pick<Intervals, 'signUpAnswer' | 'toolCall'>;
  readonly keyring: Keyring;
  readonly lifetimes: CredentialLifetimes;
  readonly limits: RateLimits;
  readonly logger: Logger;
  readonly mail: MailQueue;
  readonly passwords: PasswordHasher;
  readonly provider: IdentityProvider;
  readonly signIns: SignInHistory;
}

/** The service as a relying party of passkeys (WebAuthn level 3, section 4). */
export interface RelyingParty {
  /** The host of FRONTEND_URL, or a parent domain of it. */
  readonly id: string;
  /** The origins of the pages on which a passkey may be created or used; never empty. */
  readonly origins: readonly string[];
}

export interface OperationSettings {
  readonly baseUrl: string;
  /** The product of a new organization; null for none. */
  readonly defaultProduct: string | null;
  readonly emailVerificationEnabled: boolean;
  /** Null when no external provider is configured any more. */
  readonly externalProvider: { readonly displayName: string; readonly issuer: string } | null;
  readonly frontendUrl: string;
  readonly graphqlAudiences: readonly string[];
  /** The URLs of metadata documents that the operator listed, as text. */
  readonly mcp: { readonly clientMetadataAllowList: readonly string[] };
  /** Null where FRONTEND_URL has an IP address for a host: there are no passkeys. */
  readonly relyingParty: RelyingParty | null;
  /** Whether common passwords are refused. */
  readonly passwordBlocklist: boolean;
  /** Whether one-time codes are asked for after a sign-in with the external provider. */
  readonly secondFactorAfterProvider: boolean;
  /** Cost of a bcrypt hash. */
  readonly saltRounds: number;
}

export type Deps<Service extends keyof Services> = Pick<Services, Service>;

/** For an operation that only reads, in a transaction as well. */
export interface ReadDeps {
  readonly database: Queryable;
}

export interface Settings<Setting extends keyof OperationSettings> {
  readonly settings: Pick<OperationSettings, Setting>;
}

/** To mail a link of the portal. */
export type MailDeps = Deps<'mail'> & Settings<'frontendUrl'>;
