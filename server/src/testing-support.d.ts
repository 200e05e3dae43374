/**
 * The types of `gatehouse/testing-support`: a whole service in the process of a test. `@gatehouse/testing` is made of
 * it and is what tests import; this interface may change with any version. The package exports the options, the wish
 * for a person and the mail as they are here.
 */
import type { AddedParts } from './gatehouse.d.ts';

/**
 * Starts a service with a database of its own, a mailbox, a demo provider and cheap password hashes.
 * @throws Error NODE_ENV is production or staging, the definition or a variable is not usable, or the database cannot
 *   be opened
 */
export declare function startWorld(options?: WorldOptions): Promise<WorldService>;

export interface WorldOptions extends AddedParts {
  /**
   * A PostgreSQL server whose user may create databases: the world creates one for itself and drops it in the end.
   * Default: an embedded database in memory.
   */
  readonly databaseUrl?: string;
  /**
   * Variables of the service (docs/configuration.md), such as ACCESS_TTL_SECONDS. The world sets those of its address,
   * database, mail and Redis itself.
   */
  readonly environment?: Readonly<Record<string, string>>;
  /** Where the prepared embedded database is kept between runs, 16 MB. Default: `~/.cache/gatehouse`. */
  readonly cacheDirectory?: string;
  /** Loads the library of the demo provider with its first request. Absent: there is no provider. */
  readonly loadProvider?: () => Promise<Pick<typeof import('oidc-provider'), 'Provider' | 'interactionPolicy'>>;
}

export interface WorldService {
  readonly url: string;
  readonly frontendUrl: string;
  /** @throws Error no such role, product or organization, a taken address, or no seat left; nothing is created then */
  readonly createPerson: (wish?: PersonWish) => Promise<CreatedPerson>;
  /** Signs a person in once more, as the portal does. */
  readonly beginSession: (personId: string) => Promise<BegunSession>;
  /** Ends a session and its successors; idempotent. */
  readonly endSession: (sessionFamilyId: string) => Promise<void>;
  /**
   * The access token of a new MCP client that a person connected to their organization.
   * @throws Error the resource is not served, or the person holds none of the scopes
   */
  readonly connectClient: (wish: ClientWish) => Promise<string>;
  /** Every mail that the service has sent, newest first; waits for those that it is about to send. */
  readonly mails: () => Promise<readonly SentMail[]>;
  /** Moves every stored instant back. @param seconds from 0 to 3,155,760,000, a hundred years */
  readonly passTime: (seconds: number) => Promise<void>;
  /** Gives an organization, or every one, an active subscription. @throws Error no such product or organization */
  readonly subscribe: (product: string, organizationId?: string) => Promise<void>;
  /** Ends the service and deletes its database. Idempotent. */
  readonly close: () => Promise<void>;
}

export interface PersonWish {
  /** A built-in role or one of your own. Default: OWNER of a new organization, MEMBER of one that exists. */
  readonly role?: string;
  /**
   * The id of an organization, such as another person's `organizationId`, or a name: people with the same name are in
   * the same organization. Default: a new one. A new organization has another owner where the person has another role.
   */
  readonly organization?: string;
  /** The product of the organization. Default: nothing changes; a new one has DEFAULT_PRODUCT. */
  readonly product?: string;
  readonly email?: string;
  readonly name?: string;
}

export interface ClientWish {
  readonly personId: string;
  readonly organizationId: string;
  /** Asked for; granted as far as the person holds them. Default: all. */
  readonly scopes?: readonly string[] | undefined;
  /** URL of a resource of the application. Default: the MCP of an organization. */
  readonly resource?: string | undefined;
}

export interface CreatedPerson {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly organizationId: string;
  readonly session: BegunSession;
}

export interface BegunSession {
  readonly sessionFamilyId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The cookies that the portal's browser would hold. */
  readonly cookies: readonly SessionCookie[];
}

export interface SessionCookie {
  readonly name: string;
  readonly value: string;
  /** A host, or a domain that begins with a dot. */
  readonly domain: string;
  readonly path: string;
  /** When the browser forgets it. */
  readonly expires: Date;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'Lax';
}

export interface SentMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The absolute URLs in the text, in their order. */
  readonly links: readonly string[];
}
