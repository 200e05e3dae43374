/** Personal tokens, service accounts and the policy for them, through GraphQL. */
import { type Answer, post, type Tokens } from '../../clients/clients.ts';
import type { Service } from '../../gatehouse/gatehouse.ts';
import { runAs } from '../tenants.ts';

/** A person with a session. */
interface Person {
  readonly tokens: Tokens;
}

/** Where requests go: a service, or one process of a cluster. */
type Reached = Pick<Service, 'url'>;

export interface ShownToken {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly status: string;
  readonly organizationId: string;
  readonly userId: string | null;
  readonly userEmail: string | null;
  readonly credentialId: string;
  readonly lastCharacters: string;
  readonly expiresAt: string;
  readonly previousSecretEndsAt: string | null;
  readonly revokedAt: string | null;
  readonly rotatedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly serviceAccount: { readonly id: string } | null;
}

export interface Issued {
  readonly secret: string;
  readonly token: ShownToken;
}

const fields = `id kind name scopes status organizationId organizationName userId userEmail credentialId lastCharacters createdAt
  expiresAt previousSecretEndsAt revokedAt rotatedAt lastUsedAt lastUsedIp serviceAccount { id }`;
const accountFields = 'id name description scopes createdAt createdByEmail lastUsedAt liveTokens';
const policyFields = 'personalTokens maxTokenLifetimeDays allowedNetworks';

export const tokenOperations = {
  myTokens: `{ myTokens { ${fields} } }`,
  organizationTokens: `query ($first: Int, $after: String, $filter: MachineTokenFilter) {
    organizationTokens(first: $first, after: $after, filter: $filter) {
      totalCount pageInfo { hasNextPage endCursor } nodes { ${fields} } } }`,
  createPersonalToken: `mutation ($input: CreatePersonalTokenInput!) { createPersonalToken(input: $input) {
    secret token { ${fields} } } }`,
  createServiceToken: `mutation ($id: ID!, $expiresAt: DateTime!) {
    createServiceToken(serviceAccountId: $id, expiresAt: $expiresAt) { secret token { ${fields} } } }`,
  rotateToken: `mutation ($input: RotateTokenInput!) { rotateToken(input: $input) { secret token { ${fields} } } }`,
  revokeToken: 'mutation ($id: ID!) { revokeToken(tokenId: $id) { success revokedCredentials revokedAt } }',
  decideToken: `mutation ($id: ID!, $approve: Boolean!) { decideToken(tokenId: $id, approve: $approve) { ${fields} } }`,
  serviceAccounts: `{ serviceAccounts { ${accountFields} } }`,
  createServiceAccount: `mutation ($input: CreateServiceAccountInput!) { createServiceAccount(input: $input) {
    ${accountFields} } }`,
  updateServiceAccount: `mutation ($input: UpdateServiceAccountInput!) { updateServiceAccount(input: $input) {
    ${accountFields} } }`,
  deleteServiceAccount: `mutation ($id: ID!) { deleteServiceAccount(serviceAccountId: $id) {
    success revokedCredentials revokedAt } }`,
  tokenPolicy: `{ tokenPolicy { ${policyFields} } }`,
  setTokenPolicy: `mutation ($input: TokenPolicyInput!) { setTokenPolicy(input: $input) { ${policyFields} } }`,
};

const day = 86_400_000;

/** An instant so many days from now, as a client writes it. */
export const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();

/** The input of a token that every person who may see the members can create. */
export const plainToken = { name: 'Nightly export', scopes: ['MEMBERS_VIEW'], expiresAt: inDays(30) };

/** The value of one operation's field. @throws Error: the answer is a refusal */
export const dataOf = <Value>(answer: Answer): Value => {
  const [value] = Object.values((answer.data ?? {}) as Readonly<Record<string, unknown>>);
  if (value === null || value === undefined) throw new Error(`No data: ${answer.text}`);
  return value as Value;
};

type Input = Readonly<Record<string, unknown>>;

export const createPersonalToken = async (service: Reached, person: Person, input: Input = {}): Promise<Issued> =>
  dataOf(await runAs(service, person, tokenOperations.createPersonalToken, { input: { ...plainToken, ...input } }));

export const createServiceAccount = async (
  service: Reached,
  person: Person,
  input: Input = {},
): Promise<{ readonly id: string }> =>
  dataOf(
    await runAs(service, person, tokenOperations.createServiceAccount, {
      input: { name: 'Importer', scopes: ['MEMBERS_VIEW'], ...input },
    }),
  );

export const createServiceToken = async (service: Reached, person: Person, id: string): Promise<Issued> =>
  dataOf(await runAs(service, person, tokenOperations.createServiceToken, { id, expiresAt: inDays(30) }));

export const rotate = (service: Reached, person: Person, input: Input): Promise<Answer> =>
  runAs(service, person, tokenOperations.rotateToken, { input });

export const setPolicy = (service: Reached, person: Person, input: Input): Promise<Answer> =>
  runAs(service, person, tokenOperations.setTokenPolicy, { input });

/** A request of a machine. */
export const runWith = (
  service: Pick<Service, 'url'>,
  secret: string,
  query = '{ members { nodes { email } } }',
  variables: Input = {},
): Promise<Answer> => post(service.url, query, variables, { authorization: `Bearer ${secret}` });

/** Null for a token that is accepted, else the code of its refusal. */
export const refusalOf = async (service: Pick<Service, 'url'>, secret: string): Promise<string | null> =>
  (await runWith(service, secret)).code;
