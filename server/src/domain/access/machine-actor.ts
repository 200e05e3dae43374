/**
 * A machine's actor (contract/machine-credentials.md#authority-of-a-machine): its scopes, within what its person or
 * account holds in its organization now, and the organization's policy.
 */
import { BlockList, isIPv6 } from 'node:net';
import { Refusal } from '../../kernel/errors.ts';
import { storableAddress } from '../../kernel/network.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { findMachine, type MachineActorRow } from '../credentials/machine-actor-store.ts';
import type { Application } from '../scopes/application.ts';
import { storedLanguage } from '../users/language.ts';
import {
  type ActiveMembership,
  type Actor,
  activeMembership,
  addressOfServiceAccount,
  type MachineToken,
  noRole,
  organizationOf,
} from './actor.ts';

/** Builds the actor of a token that is neither revoked nor expired. */
export const machineActorOf = (application: Application, row: MachineActorRow): Actor => ({
  application,
  machine: machineOf(row),
  user: userOf(row),
  credential: {
    id: row.credentialId,
    sessionFamilyId: row.tokenId,
    audience: row.audience,
    authMethod: row.authMethod,
    hasSecondFactor: row.hasSecondFactor,
    issuedAt: row.issuedAt,
    expiresAt: row.expiresAt,
    scopes: row.scopes,
    grantedScopes: row.scopes,
    clientId: null,
    clientName: null,
    isClientRefused: false,
    clientMetadataUrl: null,
  },
  membership: membershipOf(application, row),
});

const machineOf = (row: MachineActorRow): MachineToken => ({
  kind: row.userId === null ? 'SERVICE_ACCOUNT' : 'PERSONAL_TOKEN',
  id: row.tokenId,
  name: row.tokenName,
  withheld: row.withheld,
  isAllowedFrom: networkCheck(row.networks),
});

/** A list for each family: one of Node's for both would find an IPv4 address in an IPv6 network of mapped addresses. */
const networkCheck = (networks: readonly string[]): MachineToken['isAllowedFrom'] => {
  if (networks.length === 0) return () => true;
  const allowed = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    allowed[familyOf(address)].addSubnet(address, Number(bits), familyOf(address));
  }
  return (given) => {
    const address = storableAddress(given);
    return address !== null && allowed[familyOf(address)].check(address, familyOf(address));
  };
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

const userOf = ({ userId, serviceAccountId, ...row }: MachineActorRow): Actor['user'] => ({
  id: userId ?? serviceAccountId ?? '',
  email: row.email ?? addressOfServiceAccount(serviceAccountId ?? ''),
  name: row.userName ?? row.tokenName,
  language: storedLanguage(row.language),
  emailValidatedAt: row.emailValidatedAt,
  isSuperAdmin: false,
  platformScopes: [],
  needsFactorAsSuperAdmin: false,
  hasPassword: false,
  hasExternalIdentity: false,
  isPasswordInQuestion: false,
});

/** A service account has no role: its own scopes, which the subscription's product also grants. */
const membershipOf = (application: Application, row: MachineActorRow): ActiveMembership => {
  const { membershipId, role } = row;
  if (membershipId !== null && role !== null) {
    return activeMembership(application, { ...row, membershipId, role }, row.hasSecondFactor);
  }
  const organization = organizationOf(row);
  const granted = application.planScopes(organization.subscription);
  const scopes = row.deletesAt === null ? row.scopes.filter((scope) => granted.has(scope)) : [];
  return { id: '', role: noRole, organization, needsSecondFactor: false, scopes };
};

// The refusals by the organization of a token.

/**
 * Requires that the organization accepts the token.
 * @param address of the client, perhaps as a back end names it; null when unknown
 * @throws Refusal FORBIDDEN: the token waits for a decision, or the policy blocks it
 */
export const requireAcceptedMachine = ({ machine }: Actor, address: string | null): void => {
  if (machine === null) return;
  if (machine.withheld !== null) throw new Refusal('FORBIDDEN', reasons[machine.withheld]);
  if (!machine.isAllowedFrom(address)) throw new Refusal('FORBIDDEN', address === null ? unnamedClient : otherNetwork);
};

const otherNetwork = 'The organization does not accept its tokens from this network.';
const unnamedClient =
  'The organization accepts its tokens from certain networks alone, and the request does not name the address of its client in a way that is trusted.';

const reasons = {
  DELETED: 'The organization is deleted: it accepts no tokens unless it is restored.',
  KIND_FORBIDDEN: 'The organization does not allow personal tokens now.',
  LIFE_TOO_LONG: 'This token was given a longer life than the organization allows now: rotate it.',
  PENDING: 'This token waits until the organization approves it.',
} as const satisfies Readonly<Record<NonNullable<MachineToken['withheld']>, string>>;

/**
 * The machine's authority now, read within a transaction.
 * @throws Refusal UNAUTHENTICATED: the token was revoked or has expired; FORBIDDEN: the organization does not accept it
 */
export const currentMachine = async (queryable: Pick<Queryable, 'maybeOne'>, actor: Actor): Promise<Actor> => {
  const row = await queryable.maybeOne(findMachine, [actor.credential.id]);
  if (row === null || row.revoked || row.expired) throw new Refusal('UNAUTHENTICATED', 'This token is not accepted.');
  const now = machineActorOf(actor.application, row);
  const withheld = now.machine?.withheld ?? null;
  if (withheld !== null) throw new Refusal('FORBIDDEN', reasons[withheld]);
  return now;
};
