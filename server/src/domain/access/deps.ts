/** What operations need beside the actor and the input. Each operation names what it uses; its callers may hold more. */
import type { Keyring } from '../../kernel/secrets.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Intervals } from '../../platform/intervals.ts';
import type { MailQueue } from '../../platform/mail/outbox.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import type { PasswordHasher } from '../../platform/passwords/password-hasher.ts';
import type { RateLimits } from '../../platform/rate-limit/rate-limits.ts';
import type { CredentialLifetimes } from '../credentials/issue-pair.ts';

interface Services {
  readonly database: Database;
  readonly intervals: Pick<Intervals, 'signUpAnswer'>;
  readonly keyring: Keyring;
  readonly lifetimes: CredentialLifetimes;
  readonly limits: RateLimits;
  readonly logger: Logger;
  readonly mail: MailQueue;
  readonly passwords: PasswordHasher;
}

interface OperationSettings {
  /** The product of a new organization; null for none. */
  readonly defaultProduct: string | null;
  readonly emailVerificationEnabled: boolean;
  readonly frontendUrl: string;
  /** Whether common passwords are refused. */
  readonly passwordBlocklist: boolean;
  /** Cost of a bcrypt hash. */
  readonly saltRounds: number;
}

export type Deps<Service extends keyof Services> = Pick<Services, Service>;

export interface Settings<Setting extends keyof OperationSettings> {
  readonly settings: Pick<OperationSettings, Setting>;
}

/** To mail a link of the portal. */
export type MailDeps = Deps<'mail'> & Settings<'frontendUrl'>;
