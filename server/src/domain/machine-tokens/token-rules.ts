/**
 * Owns: personal tokens, service accounts and their tokens, the policy of an organization for them.
 * Promises: A token never has a scope that its creator lacked; its secret is shown once, and at most two secrets of a
 *   token are live; what ends a token ends it on the next request.
 *
 * Rules for what is given to these operations: names, scopes, expiry and networks
 * (contract/machine-credentials.md#expiry-of-a-token). Each returns a sentence shown under the field, or null.
 */
import { Refusal, requireValidInput } from '../../kernel/errors.ts';
import { readNetwork } from '../../kernel/network.ts';
import { isPrintable } from '../../kernel/printable.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { databaseNow } from '../../platform/database/database.ts';
import type { Application } from '../scopes/application.ts';

/** At most so many live personal tokens of a membership, live tokens of a service account, and accounts. */
export const limits = { ofMembership: 50, ofServiceAccount: 2, serviceAccounts: 100 } as const;

const secondsPerDay = 86_400;

/** @param scopes as given, each once */
export const scopesReason = (application: Application, scopes: readonly string[]): string | null => {
  if (scopes.length === 0) return 'Choose at least one scope.';
  return scopes.every((scope) => application.hasScope(scope))
    ? null
    : 'There is no such scope in an organization of this application.';
};

/** Each scope once, in the order of the application. */
export const orderedScopes = ({ scopes }: Application, given: readonly string[]): readonly string[] =>
  scopes.map(({ name }) => name).filter((name) => given.includes(name));

const maxDescriptionLength = 500;

/** @param text trimmed */
export const descriptionReason = (text: string): string | null => {
  if (text.length > maxDescriptionLength) return `A description has at most ${maxDescriptionLength} characters.`;
  return isPrintable(text) ? null : 'A description cannot contain line breaks, control or text-direction characters.';
};

/**
 * Whole seconds from now to an expiry, by the database's clock.
 * @param maxDays that the policy allows
 * @throws Refusal BAD_USER_INPUT: names expiresAt, past or too far away
 */
export const lifetimeUntil = async (
  queryable: Pick<Queryable, 'one'>,
  expiresAt: Date,
  maxDays: number,
): Promise<number> => {
  const seconds = Math.floor((expiresAt.getTime() - (await databaseNow(queryable)).getTime()) / 1000);
  requireValidInput({ expiresAt: expiryReason(seconds, maxDays) });
  return seconds;
};

const expiryReason = (seconds: number, maxDays: number): string | null => {
  if (seconds < 1) return 'This is not in the future.';
  if (seconds <= maxDays * secondsPerDay) return null;
  return `The organization allows its tokens at most ${maxDays} ${maxDays === 1 ? 'day' : 'days'}.`;
};

/** As long again as a token was given, as far as the policy allows. */
export const renewedLifetime = (lifetimeSeconds: number, maxDays: number): number =>
  Math.min(lifetimeSeconds, maxDays * secondsPerDay);

const maxNetworks = 50;

/** Networks as stored: CIDRs, each once. @throws Refusal BAD_USER_INPUT: names allowedNetworks */
export const readNetworks = (given: readonly string[]): readonly string[] => {
  const networks = [...new Set(given.map((text) => readNetwork(text)))];
  requireValidInput({ allowedNetworks: networksReason(networks) });
  return networks.filter((network) => network !== null);
};

const networksReason = (networks: readonly (string | null)[]): string | null => {
  if (networks.length > maxNetworks) return `At most ${maxNetworks} networks can be listed.`;
  if (networks.includes(null))
    return 'Write each network as an address or a CIDR, such as 192.0.2.0/24 or 2001:db8::/32.';
  return networks.some((network) => network?.endsWith('/0') === true)
    ? 'A network that covers every address allows all: leave the list empty instead.'
    : null;
};

export const tokenNotFound = (): Refusal => new Refusal('NOT_FOUND', 'There is no such token.');

export const accountNotFound = (): Refusal => new Refusal('NOT_FOUND', 'There is no such service account.');
