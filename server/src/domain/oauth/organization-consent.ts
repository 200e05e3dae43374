/**
 * Consent to a client's access to one organization (contract/organization-mcp.md#consent-of-a-member): the person
 * chooses the organization, and the grant is bound to their membership in it.
 */
import { Refusal } from '../../kernel/errors.ts';
import { type Queryable, statement } from '../../platform/database/database.ts';
import { type ActiveMembership, type Actor, activeMembership } from '../access/actor.ts';
import { secondFactorRequired } from '../access/authorize.ts';
import { acceptsClient } from '../credentials/actor-store.ts';
import { findMembership, listMembershipsOfUser } from '../organizations/organizations-store.ts';
import { type ClientAnswer, grantedScopes } from './authorization-request.ts';
import {
  type AnsweredAtOnce,
  type ConsentDeps,
  type Decision,
  type OpenRequest,
  type RequestKey,
  refusedByPerson,
  settle,
  type Verdict,
  type WrongAccount,
} from './decide-consent.ts';
import { redirectHostOf } from './redirect-uris.ts';

/** The question that a member is asked. */
export interface OrganizationQuestion {
  readonly kind: 'organization';
  readonly request: OpenRequest;
  readonly membership: ActiveMembership;
  /** Every membership that the person can choose, the chosen one among them. */
  readonly choices: readonly ActiveMembership[];
  /** The scopes that the client is granted in the chosen organization; none where `refusal` is set. */
  readonly granted: readonly string[];
  /** The scopes that the client asks for, and the person does not hold there. */
  readonly missing: readonly string[];
  /** Why the client cannot have access to the chosen organization, while the person can choose another one. */
  readonly refusal: Refusal | null;
}

/**
 * The question for the person, or why they are not asked.
 * @param chosenId one that is not their own counts as none; null: the active one
 * @throws Refusal SECOND_FACTOR_REQUIRED: the chosen or only organization requires one
 */
export const askForOrganization = async (
  deps: ConsentDeps,
  actor: Actor,
  request: OpenRequest,
  key: RequestKey,
  chosenId: string | null,
): Promise<OrganizationQuestion | WrongAccount | AnsweredAtOnce> => {
  const choices = await listChoices(deps.database, actor);
  const membership = chosenAmong(choices, actor, chosenId);
  if (membership === null) return { kind: 'wrong_account', request, refusal: noMembership(actor) };
  const accepting = await organizationsAccepting(deps.database, request, choices);
  const isChosen = choices.length === 1 || membership.organization.id === chosenId;
  const verdict = isChosen
    ? verdictIn(membership, request, 'approve', accepting)
    : unlessRefused(() => verdictIn(membership, request, 'approve', accepting));
  const refusal = verdict instanceof Refusal ? verdict : null;
  if (refusal !== null && choices.length === 1) {
    return { kind: 'answered', answer: await settle(deps, actor, request, key, () => refusal) };
  }
  const granted = verdict instanceof Refusal ? [] : verdict.scopes;
  const { scopes, resource } = request;
  const missing = (scopes ?? []).filter(
    (scope) => resource.scopes.includes(scope) && !membership.scopes.includes(scope),
  );
  return { kind: 'organization', request, membership, choices, granted, missing, refusal };
};

/** The answer of the form. */
interface OrganizationAnswer {
  readonly decision: Decision;
  /** Null: the person belongs to none. */
  readonly organizationId: string | null;
  /** The scopes that the page showed: no other is granted, even where the person has gained it since. */
  readonly shown: readonly string[];
}

/**
 * Decides an open request on membership, scopes and policy read again.
 * @returns the answer to the client
 * @throws Refusal as `settle`; SECOND_FACTOR_REQUIRED: allowed, and the organization requires one; nothing changes
 */
export const decideForOrganization = (
  deps: ConsentDeps,
  actor: Actor,
  request: OpenRequest,
  key: RequestKey,
  { decision, organizationId, shown }: OrganizationAnswer,
): Promise<ClientAnswer> =>
  settle(deps, actor, request, key, async (transaction) => {
    const row =
      organizationId === null ? null : await transaction.maybeOne(findMembership, [actor.user.id, organizationId]);
    if (row === null) return noMembership(actor);
    const membership = activeMembership(deps.application, row, actor.credential.hasSecondFactor);
    const accepting = await organizationsAccepting(transaction, request, [membership]);
    return verdictIn(membership, { ...request, scopes: shown }, decision, accepting);
  });

/** Oldest first; an organization that awaits its deletion grants nothing. */
const listChoices = async (
  database: Pick<Queryable, 'many'>,
  { application, user, credential }: Actor,
): Promise<ActiveMembership[]> =>
  (await database.many(listMembershipsOfUser, [user.id]))
    .map((row) => activeMembership(application, row, credential.hasSecondFactor))
    .filter(({ organization }) => organization.deletesAt === null);

const chosenAmong = (
  choices: readonly ActiveMembership[],
  { membership: active }: Actor,
  chosenId: string | null,
): ActiveMembership | null => {
  const chosen = choices.find(({ organization }) => organization.id === chosenId);
  if (chosen !== undefined) return chosen;
  return choices.find(({ id }) => id === active?.id) ?? choices[0] ?? null;
};

/** The verdict, or the refusal that keeps the person from one, which the page shows so that they choose otherwise. */
const unlessRefused = (judge: () => Verdict): Verdict => {
  try {
    return judge();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};

/** The message goes to the client; the account is for the connection record only. */
const noMembership = ({ user }: Actor): Refusal =>
  new Refusal('access_denied', 'The person does not belong to an organization here.', {
    rule: 'not_a_member',
    detail: user.email,
  });

/** The policy comes before the answer: it refuses the client whatever the person says, and the audit tells whom. */
const verdictIn = (
  membership: ActiveMembership,
  { scopes, resource }: OpenRequest,
  decision: Decision,
  accepting: ReadonlySet<string>,
): Verdict => {
  const organizationId = membership.organization.id;
  if (!accepting.has(organizationId)) {
    return new Refusal('access_denied', 'The organization does not accept this client.', {
      rule: 'client_not_accepted',
      organizationId,
    });
  }
  if (decision === 'deny') return refusedByPerson();
  if (membership.needsSecondFactor) throw secondFactorRequired();
  const granted = grantedScopes(resource, scopes, new Set(membership.scopes));
  return granted.length > 0
    ? { scopes: granted, bound: { organizationId, membershipId: membership.id } }
    : new Refusal('invalid_scope', 'The person holds none of the scopes asked for in this organization.', {
        rule: 'scope_not_held',
      });
};

/** Ids of the organizations whose policy accepts the client at its redirect URI. */
const organizationsAccepting = async (
  database: Pick<Queryable, 'many'>,
  { clientId, redirectUri }: OpenRequest,
  choices: readonly ActiveMembership[],
): Promise<ReadonlySet<string>> => {
  const ids = choices.map(({ organization }) => organization.id);
  const rows = await database.many(listAccepting, [ids, clientId, redirectHostOf(redirectUri)]);
  return new Set(rows.map(({ id }) => id));
};

const listAccepting = statement<
  { readonly id: string },
  [organizationIds: readonly string[], clientId: string, redirectHost: string]
>(
  'oauth.list_accepting_organizations',
  `SELECT o.id FROM organizations o CROSS JOIN oauth_clients k
   WHERE o.id = ANY ($1::uuid[]) AND k.id = $2 AND (${acceptsClient('$3::text')})`,
);
