/** The filter of sessions, which lists and revocations share: its fields, their values, and the search by them. */
import { invalidInput, requireValidInput } from '../../kernel/errors.ts';
import { idReason, normalizeId } from '../../kernel/ids.ts';
import { readNetwork } from '../../kernel/network.ts';
import { type Queryable, statement } from '../../platform/database/database.ts';
import type { SearchText } from '../../platform/database/searched-list.ts';
import { audiences, authMethods, type CredentialKind, credentialKinds } from '../credentials/token.ts';
import { normalizeEmail, searchReason, searchTextOf } from '../users/text-rules.ts';

/** Filter of active credentials, whose fields hold together; null matches any. */
export interface SessionCriteria {
  /** A person, or a service account. */
  readonly user: string | null;
  readonly email: SearchText | null;
  readonly organization: string | null;
  readonly audience: string | null;
  readonly kind: CredentialKind | null;
  readonly client: string | null;
  readonly method: string | null;
  readonly issuedAfter: Date | null;
  readonly issuedBefore: Date | null;
  readonly seenAfter: Date | null;
  readonly seenBefore: Date | null;
  /** A CIDR. */
  readonly network: string | null;
  readonly userAgent: SearchText | null;
}

type Given<Value> = Value | null | undefined;

/** Fields that hold together; an absent one, and an empty part of a text, match anything. Ids may be in any case. */
export interface SessionFilter {
  /** Part of a person's address: never finds a service account. */
  readonly email?: Given<string>;
  /** The id of a person, or of a service account. */
  readonly userId?: Given<string>;
  /** The organization in which the credential was issued. */
  readonly organizationId?: Given<string>;
  readonly audience?: Given<string>;
  readonly kind?: Given<string>;
  readonly clientId?: Given<string>;
  readonly authMethod?: Given<string>;
  /** Not before. */
  readonly issuedAfter?: Given<Date>;
  readonly issuedBefore?: Given<Date>;
  /** Not before. A credential that was never used was not seen. */
  readonly seenAfter?: Given<Date>;
  readonly seenBefore?: Given<Date>;
  /** An address or a CIDR, of issue or of last use. */
  readonly network?: Given<string>;
  /** Part of the user agent of issue, in any case. */
  readonly userAgent?: Given<string>;
}

const maxEmailLength = 254;
const maxUserAgentLength = 512;
const maxUrlLength = 2048;

/** @throws Refusal BAD_USER_INPUT: names each field that is malformed or outside its enumeration */
export const readSessionFilter = (filter: SessionFilter): SessionCriteria => {
  const address = normalizeEmail(filter.email ?? '');
  const agent = (filter.userAgent ?? '').trim();
  const [user, organization, client] = [filter.userId, filter.organizationId, filter.clientId].map(normalizeId);
  const network = filter.network ?? null;
  const cidr = network === null ? null : readNetwork(network);
  requireValidInput({
    email: searchReason(address, maxEmailLength),
    userId: idReason(user ?? null),
    organizationId: idReason(organization ?? null),
    clientId: idReason(client ?? null),
    audience: isUrl(filter.audience) ? null : oneOf(audiences, filter.audience),
    kind: oneOf(credentialKinds, filter.kind),
    authMethod: oneOf(authMethods, filter.authMethod),
    network:
      network !== null && cidr === null ? 'This must be an IP address, or a network such as 192.0.2.0/24.' : null,
    userAgent: searchReason(agent, maxUserAgentLength),
  });
  const { audience = null, authMethod: method = null } = filter;
  const kind = credentialKinds.find((known) => known === filter.kind) ?? null;
  const { issuedAfter = null, issuedBefore = null, seenAfter = null, seenBefore = null } = filter;
  const ids = { user: user ?? null, organization: organization ?? null, client: client ?? null };
  const instants = { issuedAfter, issuedBefore, seenAfter, seenBefore };
  const texts = { email: searchTextOf(address), userAgent: searchTextOf(agent), network: cidr };
  return { ...ids, ...instants, ...texts, audience, kind, method };
};

/** A grant for a resource of the application has its URL as audience. */
const isUrl = (given: Given<string>): boolean =>
  given !== null && given !== undefined && given.length <= maxUrlLength && /^https?:\/\//.test(given);

/** The reason for which a value outside of an enumeration is refused, or null. */
export const oneOf = (values: readonly string[], given: Given<string>): string | null =>
  given === null || given === undefined || values.includes(given) ? null : `This must be one of: ${values.join(', ')}.`;

/** @throws Refusal BAD_USER_INPUT: no field is given */
export const requireField = (criteria: SessionCriteria): void => {
  if (givenFields(criteria).length === 0) throw invalidInput({ filter: 'Give at least one field of the filter.' });
};

const fieldOf: Readonly<Record<keyof SessionCriteria, keyof SessionFilter>> = {
  user: 'userId',
  email: 'email',
  organization: 'organizationId',
  audience: 'audience',
  kind: 'kind',
  client: 'clientId',
  method: 'authMethod',
  issuedAfter: 'issuedAfter',
  issuedBefore: 'issuedBefore',
  seenAfter: 'seenAfter',
  seenBefore: 'seenBefore',
  network: 'network',
  userAgent: 'userAgent',
};

export const givenFields = (criteria: SessionCriteria): readonly string[] =>
  Object.entries(fieldOf).flatMap(([name, field]) => (criteria[name as keyof SessionCriteria] === null ? [] : [field]));

/** For a page without rows. @throws Refusal BAD_USER_INPUT: names each field that has the id of nothing */
export const requireTargets = async (
  database: Queryable,
  {
    user = null,
    organization = null,
    client = null,
  }: Partial<Pick<SessionCriteria, 'user' | 'organization' | 'client'>>,
): Promise<void> => {
  if (user === null && organization === null && client === null) return;
  const found = await database.one(findFilterTargets, [user, organization, client]);
  requireValidInput({
    userId: found.hasUser ? null : 'No person has this id.',
    organizationId: found.hasOrganization ? null : 'No organization has this id.',
    clientId: found.hasClient ? null : 'No client has this id.',
  });
};

/** Whether what a filter names exists; an absent filter counts as existing. A service account counts as a user. */
const findFilterTargets = statement<
  { readonly hasUser: boolean; readonly hasOrganization: boolean; readonly hasClient: boolean },
  [userId: string | null, organizationId: string | null, clientId: string | null]
>(
  'credentials.find_filter_targets',
  `SELECT $1::uuid IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = $1)
       OR EXISTS (SELECT 1 FROM service_accounts WHERE id = $1) AS "hasUser",
     $2::uuid IS NULL OR EXISTS (SELECT 1 FROM organizations WHERE id = $2) AS "hasOrganization",
     $3::uuid IS NULL OR EXISTS (SELECT 1 FROM oauth_clients WHERE id = $3) AS "hasClient"`,
);
