/**
 * Query platformSearch: what a super admin pasted or typed, found among people, organizations, sessions, MCP clients
 * and calls of tools in one request (contract/incidents.md#search-of-the-console).
 */
import { invalidInput } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { type Queryable, statement } from '../../platform/database/database.ts';
import { type Actor, scopesOfActor } from '../access/actor.ts';
import type { ReadDeps } from '../access/deps.ts';
import { ownerAddress, ownerId, tokenName, withPerson } from '../credentials/credential-owner-store.ts';
import {
  listOrganizations,
  maxOrganizationSearchLength,
  maxUserSearchLength,
  searchUsers,
} from '../directory/directory.ts';
import { listClients } from '../oauth/clients.ts';
import type { PlatformScope } from '../scopes/scopes.ts';
import { readSearchText } from '../users/text-rules.ts';

export const searchHitKinds = ['PERSON', 'ORGANIZATION', 'SESSION', 'CLIENT', 'MCP_CALL'] as const;
type SearchHitKind = (typeof searchHitKinds)[number];

export interface SearchHit {
  readonly kind: SearchHitKind;
  /** The id of the family for a session or the token of a machine; the correlation id for a call. */
  readonly id: string;
  /** An address or a name. */
  readonly title: string;
  readonly detail: string | null;
  /** The person, or the owner of a session or a call; for a machine, perhaps a service account. */
  readonly userId: string | null;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** Scopes that the caller lacks; what needs them was not searched. */
  readonly missingScopes: readonly PlatformScope[];
}

const scopeOf: Readonly<Record<SearchHitKind, PlatformScope>> = {
  PERSON: 'users:view',
  ORGANIZATION: 'organizations:view',
  SESSION: 'sessions:view',
  CLIENT: 'mcp:access:view',
  MCP_CALL: 'mcp:audit:view',
};

const maxHits = 5;

/**
 * Searches what the caller may read, at most five of each kind. An id finds what has it: person, organization, member,
 * credential, family, client, call or its correlation id; other text finds people by name or address, and organizations
 * and clients by name.
 * @param typed surrounding spaces are ignored
 * @throws Refusal BAD_USER_INPUT: names `search`, empty or longer than 254 characters
 */
export const searchPlatform = async ({ database }: ReadDeps, actor: Actor, typed: string): Promise<SearchResult> => {
  const search = readSearchText(typed, maxUserSearchLength);
  if (search === null) throw invalidInput({ search: 'Type an address, a name or an id.' });
  const held = scopesOfActor(actor);
  const allowed = searchHitKinds.filter((kind) => held.has(scopeOf[kind]));
  const hits = isId(search.text)
    ? await database.many(findById, [search.text, allowed])
    : await findByText(database, actor, search.text, allowed);
  const missingScopes = searchHitKinds.filter((kind) => !allowed.includes(kind)).map((kind) => scopeOf[kind]);
  return { hits, missingScopes };
};

const findByText = async (
  database: Queryable,
  actor: Actor,
  search: string,
  kinds: readonly SearchHitKind[],
): Promise<readonly SearchHit[]> => {
  const request = { first: maxHits, search };
  const isName = [...search].length <= maxOrganizationSearchLength;
  const people = kinds.includes('PERSON') ? (await searchUsers({ database }, actor, request)).nodes : [];
  const organizations =
    isName && kinds.includes('ORGANIZATION') ? (await listOrganizations({ database }, actor, request)).nodes : [];
  const clients = isName && kinds.includes('CLIENT') ? (await listClients({ database }, request)).nodes : [];
  return [
    ...people.map(({ id, email, name }): SearchHit => ({ kind: 'PERSON', id, title: email, detail: name, userId: id })),
    ...organizations.map(
      ({ id, name }): SearchHit => ({ kind: 'ORGANIZATION', id, title: name, detail: null, userId: null }),
    ),
    ...clients.map(({ id, name }): SearchHit => ({ kind: 'CLIENT', id, title: name, detail: null, userId: null })),
  ];
};

/** Each part looks into one index: an id belongs to one of them. */
const findById = statement<SearchHit, [id: string, kinds: readonly SearchHitKind[]]>(
  'directory.find_by_id',
  `SELECT kind, id, title, detail, "userId" FROM (
     SELECT 'PERSON' AS kind, u.id, u.email AS title, nullif(u.name, '') AS detail, u.id AS "userId" FROM users u WHERE u.id = $1
     UNION ALL
     SELECT 'PERSON', u.id, u.email, nullif(u.name, ''), u.id
     FROM organization_members m JOIN users u ON u.id = m.user_id WHERE m.id = $1
     UNION ALL
     SELECT 'ORGANIZATION', o.id, o.name, NULL, NULL FROM organizations o WHERE o.id = $1
     UNION ALL
     SELECT 'ORGANIZATION', o.id, o.name, NULL, NULL
     FROM organization_members m JOIN organizations o ON o.id = m.organization_id WHERE m.id = $1
     UNION ALL
     (SELECT 'SESSION', c.session_family_id, ${ownerAddress}, coalesce(k.name, ${tokenName}, c.issue_user_agent), ${ownerId}
     FROM credentials c ${withPerson} LEFT JOIN oauth_clients k ON k.id = c.client_id
     WHERE c.id = $1 OR (c.session_family_id = $1 AND c.revoked_at IS NULL) LIMIT 1)
     UNION ALL
     SELECT 'CLIENT', k.id, k.name, NULL, NULL FROM oauth_clients k WHERE k.id = $1
     UNION ALL
     (SELECT 'MCP_CALL', a.correlation_id, a.tool, u.email, a.actor_user_id
     FROM mcp_tool_audits a LEFT JOIN users u ON u.id = a.actor_user_id
     WHERE a.correlation_id = $1 OR a.id = $1 LIMIT 1)
   ) AS found WHERE kind = ANY ($2)`,
);
