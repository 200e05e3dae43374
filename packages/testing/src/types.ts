/** The public types of a world and its people, which the README of this package describes. */
import type { SentMail as Mail, PersonWish, WorldOptions as ServiceOptions } from 'gatehouse/testing-support';

export type { PersonWish, SentMail as Mail } from 'gatehouse/testing-support';

/**
 * The definition, routes, listeners and MCP tools of your application, as for `startGatehouse`, and where the world
 * runs.
 */
export type WorldOptions = Omit<ServiceOptions, 'loadProvider'>;

export interface World {
  /** URL of the service: its BASE_URL. */
  readonly url: string;
  /** URL of the portal: FRONTEND_URL. */
  readonly frontendUrl: string;
  readonly clock: Clock;
  /**
   * Creates a person with one membership, a verified address and a session.
   * @throws Error no such role, product or organization, a taken address, or no seat left; nothing is created then
   */
  person(wish?: PersonWish): Promise<Person>;
  /**
   * Every mail, newest first; waits for those that are about to be sent.
   * @param address only the mails to it
   */
  mails(address?: string): Promise<readonly Mail[]>;
  /**
   * Gives an organization an active subscription without a payment; the next request has the product's scopes.
   * @param organizationId default: every organization that exists
   * @throws Error no such product or organization
   */
  subscribe(product: string, organizationId?: string): Promise<void>;
  /** Ends the service and deletes its database. Idempotent. */
  close(): Promise<void>;
}

export interface Clock {
  /**
   * Lets time pass: what is stored moves back, so that expiries, cooldowns, rate limits and freshness behave as though
   * the seconds had passed. The clocks of the database and of the process are not changed.
   * @param seconds 0 or more, at most a hundred years
   * @throws RangeError another number
   */
  advance(seconds: number): Promise<void>;
}

export interface Person {
  readonly id: string;
  readonly email: string;
  /** The same for everyone in a world. */
  readonly password: string;
  readonly organizationId: string;
  /** The value of a Cookie header, as the portal's browser sends it. */
  cookies(): Promise<string>;
  /** The value of an Authorization header. */
  bearer(): Promise<string>;
  /**
   * The value of an Authorization header of a new MCP client, which the person has connected to their organization.
   * @throws Error the resource is not served, or the person holds none of the scopes
   */
  mcpBearer(wish?: McpWish): Promise<string>;
  /** For `browser.newContext({ storageState })` of Playwright. */
  storageState(): Promise<StorageState>;
  /** Begins another session; from now on the methods answer its tokens. The sessions before it continue. */
  signIn(): Promise<void>;
  /** Ends the session. Its tokens are still answered, and refused by the service. */
  signOut(): Promise<void>;
}

/** The request of an MCP client. */
export interface McpWish {
  /** Granted as far as the person holds them now. Default: all of the resource. */
  readonly scopes?: readonly string[];
  /** URL of a resource of the application, as in its definition. Default: the service's `/mcp/organization`. */
  readonly resource?: string;
}

/** A type that Playwright's `storageState` option takes. */
export interface StorageState {
  cookies: StoredCookie[];
  origins: { origin: string; localStorage: { name: string; value: string }[] }[];
}

export interface StoredCookie {
  name: string;
  value: string;
  domain: string;
  path: string;
  /** Unix time in seconds. */
  expires: number;
  httpOnly: boolean;
  secure: boolean;
  sameSite: 'Strict' | 'Lax' | 'None';
}
