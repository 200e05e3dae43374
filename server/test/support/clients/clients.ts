/** The clients of the tests: an opaque client with tokens, and a portal in a browser with cookies. Both speak HTTP. */
import { hash } from 'bcrypt';
import { createAccount } from '../../../src/domain/accounts/create-account.ts';
import { normalizeEmail } from '../../../src/domain/users/text-rules.ts';
import { Keyring } from '../../../src/kernel/secrets.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { type PlainResponse, postLikeFetch } from './plain-http.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly data: Record<string, unknown> | null;
  readonly code: string | null;
  /** `extensions` of the first error; empty without one. */
  readonly extensions: Record<string, unknown>;
  readonly setCookies: readonly string[];
  /** Every text of the request in variables, cookies and bearer: a refusal must not echo any of it. */
  readonly sent: readonly string[];
}

export type Variables = Readonly<Record<string, unknown>>;
type Headers_ = Readonly<Record<string, string>>;

/** Headers of an answer that differ between two of the same content. */
export const headersOfOneAnswer: ReadonlySet<string> = new Set(['content-length', 'date', 'x-correlation-id']);

/** POSTs one operation with exactly these headers and the content type. */
export const post = async (
  url: string,
  query: string,
  variables: Variables = {},
  headers: Headers_ = {},
): Promise<Answer> => {
  const response = await postLikeFetch(
    `${url}/graphql`,
    { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...headers },
    JSON.stringify({ query, variables }),
  );
  return readAnswer(response, [...textsIn(variables), ...secretsIn(headers)]);
};

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const secretsIn = ({ authorization = '', cookie = '' }: Headers_): readonly string[] => [
  authorization.replace(/^Bearer /, ''),
  ...cookie.split('; ').map((pair) => pair.slice(pair.indexOf('=') + 1)),
];

interface WireError {
  readonly extensions?: Record<string, unknown>;
}

/** Reads a received answer, for requests that `post` cannot make. */
export const readAnswer = async (response: PlainResponse, sent: readonly string[] = []): Promise<Answer> => {
  const text = await response.text();
  const body = JSON.parse(text) as { data?: Record<string, unknown> | null; errors?: readonly WireError[] };
  const extensions = body.errors?.[0]?.extensions ?? {};
  return {
    status: response.status,
    headers: response.headers,
    text,
    data: body.data ?? null,
    code: typeof extensions['code'] === 'string' ? extensions['code'] : null,
    extensions,
    setCookies: response.headers.getSetCookie(),
    sent,
  };
};

const member = 'id userId email name role joinedAt invitation { status expiresAt acceptedAt }';

const platformUser =
  'id email name emailValidatedAt isSuperAdmin hasPassword hasExternalIdentity createdAt suspendedAt';
const signIns = `totalCount totalCountIsCapped unlistedRefusals pageInfo { hasNextPage endCursor }
  nodes { id at userId userEmail method outcome ip userAgent sessionFamilyId }`;
const platformOrganization = `id name createdAt subscription { status product currentPeriodEndsAt } memberCount
  unreadSubscription openInvitationCount expiredInvitationCount`;

export const operations = {
  signUp: `mutation ($input: SignUpWithPasswordInput!) { signUpWithPassword(input: $input) { success verificationRequired } }`,
  validate: `mutation ($token: String!) { validateEmail(token: $token) { status } }`,
  signIn: `mutation ($input: SignInWithPasswordInput!) { signInWithPassword(input: $input) {
    accessToken refreshToken accessTokenExpiresAt refreshTokenExpiresAt user { id email } } }`,
  refresh: `mutation ($refreshToken: String, $accessToken: String) {
    refreshAccessToken(refreshToken: $refreshToken, accessToken: $accessToken) {
      accessToken refreshToken accessTokenExpiresAt refreshTokenExpiresAt } }`,
  refreshByCookie: `mutation { refreshAccessToken { accessToken refreshToken accessTokenExpiresAt } }`,
  signOut: 'mutation { signOut { success } }',
  signOutEverywhere: 'mutation { signOutEverywhere { success revokedCredentials revokedAt } }',
  revokeMySession: `mutation ($family: ID!) { revokeMySession(sessionFamilyId: $family) {
    success revokedCredentials revokedAt } }`,
  changeName: 'mutation ($name: String!) { changeName(name: $name) { id name } }',
  setLanguage: 'mutation ($language: String) { setLanguage(language: $language) { language } }',
  mySecondFactor:
    '{ mySecondFactor { hasOneTimeCodes isFresh methods passkeys provedAt recoveryCodesLeft sessionHasSecondFactor } }',
  reauthenticate:
    'mutation ($input: ReauthenticateInput!) { reauthenticate(input: $input) { freshUntil sessionHasSecondFactor } }',
  beginTotp: 'mutation { beginTotp { expiresAt secret uri } }',
  confirmTotp: 'mutation ($code: String!) { confirmTotp(code: $code) { codes } }',
  disableTotp: 'mutation { disableTotp { success } }',
  regenerateRecoveryCodes: 'mutation { regenerateRecoveryCodes { codes } }',
  completeSecondFactor: `mutation ($input: CompleteSecondFactorInput!) { completeSecondFactor(input: $input) {
    accessToken refreshToken accessTokenExpiresAt refreshTokenExpiresAt user { id email } } }`,
  signInWithPasskeyOptions: 'mutation { signInWithPasskeyOptions { expiresAt publicKey } }',
  signInWithPasskey: `mutation ($response: String!) { signInWithPasskey(response: $response) {
    accessToken refreshToken accessTokenExpiresAt refreshTokenExpiresAt user { id email } } }`,
  registerPasskeyOptions: 'mutation { registerPasskeyOptions { expiresAt publicKey } }',
  registerPasskey: `mutation ($input: RegisterPasskeyInput!) { registerPasskey(input: $input) {
    id name createdAt lastUsedAt isBackedUp relyingPartyId } }`,
  myPasskeys: '{ myPasskeys { id name createdAt lastUsedAt isBackedUp relyingPartyId } }',
  renamePasskey: 'mutation ($id: ID!, $name: String!) { renamePasskey(id: $id, name: $name) { id name } }',
  removePasskey: 'mutation ($id: ID!) { removePasskey(id: $id) { success } }',
  reauthenticateOptions: 'mutation { reauthenticateOptions { expiresAt publicKey } }',
  exportMyData: 'mutation { exportMyData { createdAt json } }',
  deleteAccount: 'mutation ($email: String!) { deleteAccount(email: $email) { success } }',
  changePassword: 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { id hasPassword } }',
  requestEmailChange: 'mutation ($newEmail: String!) { requestEmailChange(newEmail: $newEmail) { success } }',
  confirmEmailChange: 'mutation ($token: String!) { confirmEmailChange(token: $token) { id email emailValidatedAt } }',
  undoEmailChange: 'mutation ($token: String!) { undoEmailChange(token: $token) { success } }',
  createCheckoutSession: 'mutation ($product: String!) { createCheckoutSession(product: $product) { url } }',
  createBillingPortalSession: 'mutation { createBillingPortalSession { url } }',
  mySessions: '{ mySessions { id sessionFamilyId kind audience authMethod isCurrent issuedAt expiresAt } }',
  activeSessions: `query ($first: Int, $after: String, $filter: SessionFilter) {
    activeSessions(first: $first, after: $after, filter: $filter) { totalCount totalCountIsCapped pageInfo { hasNextPage endCursor }
      nodes { id sessionFamilyId kind audience authMethod userId userEmail organizationId organizationName clientName
        scopes issuedAt expiresAt issueIp issueUserAgent lastSeenAt lastSeenIp isCurrent actorKind hasSecondFactor
        tokenName } } }`,
  mcpConnections: `query ($first: Int, $after: String, $filter: McpConnectionFilter) {
    mcpConnections(first: $first, after: $after, filter: $filter) { totalCount totalCountIsCapped pageInfo { hasNextPage endCursor }
      nodes { id clientId clientName ip userAgent beganAt lastStepAt status
        firstRefusal { step at lastAt count rule detail explanation mend }
        steps { step at lastAt count rule detail explanation mend } } } }`,
  mcpToolAuditsCsv: `query ($filter: McpToolAuditFilter) { mcpToolAuditsCsv(filter: $filter) { csv rows isCut } }`,
  mcpToolAudits: `query ($first: Int, $after: String, $filter: McpToolAuditFilter) {
    mcpToolAudits(first: $first, after: $after, filter: $filter) { totalCount totalCountIsCapped pageInfo { hasNextPage endCursor }
      nodes { id actorUserId actorEmail credentialId clientId clientName tool outcome correlationId argumentDigest
        createdAt } } }`,
  organizationAuditCsv: `query ($filter: OrganizationAuditFilter) {
    organizationAuditCsv(filter: $filter) { csv rows isCut } }`,
  organizationAudit: `query ($first: Int, $after: String, $filter: OrganizationAuditFilter) {
    organizationAudit(first: $first, after: $after, filter: $filter) {
      totalCount totalCountIsCapped pageInfo { hasNextPage endCursor }
      nodes { id position event outcome actorId actorKind actorEmail credentialId subjectId clientId tool correlationId
        createdAt details } } }`,
  platformMcpCatalog: `{ platformMcpCatalog {
    name title description requiredScopes inputSchema readOnly destructive } }`,
  mcpToolOutcomes: `query ($from: DateTime, $to: DateTime) {
    mcpToolOutcomes(from: $from, to: $to) { startsAt endsAt success deny error } }`,
  platformMcpUsers: `query ($first: Int, $after: String, $search: String) {
    platformMcpUsers(first: $first, after: $after, search: $search) { totalCount totalCountIsCapped pageInfo { hasNextPage endCursor }
      nodes { userId email name scopes activeCredentials lastUsedAt } } }`,
  sessionFamilies: `query ($first: Int, $after: String, $filter: SessionFilter, $orderBy: SessionOrder, $direction: SortDirection) {
    sessionFamilies(first: $first, after: $after, filter: $filter, orderBy: $orderBy, direction: $direction) {
      totalCount totalCountIsCapped pageInfo { hasNextPage endCursor }
      nodes { sessionFamilyId userId userEmail organizationId organizationName clientName audience authMethod credentials
        firstIssuedAt issueIp issueUserAgent lastSeenAt lastSeenIp expiresAt isCurrent actorKind tokenName } } }`,
  revokeSessions: `mutation ($filter: SessionFilter!, $expectedCount: Int, $dryRun: Boolean) {
    revokeSessions(filter: $filter, expectedCount: $expectedCount, dryRun: $dryRun) {
      dryRun sessions revokedCredentials revokedAt endsOwnSession } }`,
  revokeSessionFamilies: `mutation ($ids: [ID!]!, $dryRun: Boolean) {
    revokeSessionFamilies(sessionFamilyIds: $ids, dryRun: $dryRun) {
      dryRun sessions revokedCredentials revokedAt endsOwnSession } }`,
  revokeOrganizationSessions: `mutation ($id: ID!, $dryRun: Boolean) {
    revokeOrganizationSessions(organizationId: $id, dryRun: $dryRun) {
      dryRun sessions revokedCredentials revokedAt endsOwnSession } }`,
  revokeSession: 'mutation ($id: ID!) { revokeSession(credentialId: $id) { success revokedCredentials revokedAt } }',
  revokeUserSessions: `mutation ($id: ID!) { revokeUserSessions(userId: $id) {
    success revokedCredentials revokedAt } }`,
  mcpClients: `query ($first: Int, $after: String, $search: String) {
    mcpClients(first: $first, after: $after, search: $search) { totalCount totalCountIsCapped pageInfo { hasNextPage endCursor }
      nodes { id name redirectUris registeredAt registeredIp lastAuthorizedAt lastUsedAt activeCredentials
        revokedAt metadataUrl } } }`,
  revokeMcpClient: 'mutation ($id: ID!) { revokeMcpClient(clientId: $id) { success revokedCredentials revokedAt } }',
  createOrganization: `mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) {
    id name subscription { status product } } }`,
  setSecondFactorPolicy:
    'mutation ($required: Boolean!) { setSecondFactorPolicy(required: $required) { id requireSecondFactor } }',
  renameOrganization: 'mutation ($name: String!) { renameOrganization(name: $name) { id name } }',
  deleteOrganization: `mutation ($input: DeleteOrganizationInput!) { deleteOrganization(input: $input) {
    id name deletesAt } }`,
  restoreOrganization: `mutation ($id: ID!) { restoreOrganization(organizationId: $id) {
    id deletesAt subscription { status product } } }`,
  switchOrganization: `mutation ($id: ID!) { switchOrganization(organizationId: $id) {
    accessToken refreshToken accessTokenExpiresAt refreshTokenExpiresAt
    user { id currentMembership { role organization { id name } } } } }`,
  seats: 'query { seats { limit members openInvitations } }',
  members: `query ($first: Int, $after: String, $search: String, $role: Role, $status: MemberStatus) {
    members(first: $first, after: $after, search: $search, role: $role, status: $status) { totalCount totalCountIsCapped pageInfo { hasNextPage endCursor }
      nodes { ${member} } } }`,
  changeMemberRole: 'mutation ($id: ID!, $role: Role!) { changeMemberRole(memberId: $id, role: $role) { id role } }',
  removeMember: 'mutation ($id: ID!) { removeMember(memberId: $id) }',
  explainScope: 'query ($scope: String!) { explainScope(scope: $scope) { scope granted reasons } }',
  invitation: `query ($token: String!) { invitation(token: $token) {
    organizationName role status expiresAt vToken isYours } }`,
  inviteMembers: `mutation ($input: InviteMembersInput!, $dryRun: Boolean) {
    inviteMembers(input: $input, dryRun: $dryRun) { dryRun reports { position email outcome } } }`,
  inviteMember: `mutation ($input: InviteMemberInput!) { inviteMember(input: $input) {
    ${member} } }`,
  resetInvitation: `mutation ($memberId: ID!) { resetInvitation(memberId: $memberId) {
    ${member} } }`,
  cancelInvitation: 'mutation ($memberId: ID!) { cancelInvitation(memberId: $memberId) }',
  acceptInvitation: `mutation ($token: String!) { acceptInvitation(token: $token) {
    ${member} } }`,
  platformUsers: `query ($first: Int, $after: String, $search: String) {
    platformUsers(first: $first, after: $after, search: $search) { totalCount totalCountIsCapped pageInfo { hasNextPage endCursor }
      nodes { ${platformUser} } } }`,
  platformUser: `query ($id: ID!) { platformUser(userId: $id) { user { ${platformUser} }
    memberships { memberId organizationId organizationName role joinedAt invitationStatus invitationExpiresAt }
    suspensions { id suspendedAt suspendedBy suspendedByEmail reason reinstatedAt reinstatedBy reinstatedByEmail }
    membershipCount activeSessions activeCredentials } }`,
  suspendUser: `mutation ($id: ID!, $reason: String!, $dryRun: Boolean) {
    suspendUser(userId: $id, reason: $reason, dryRun: $dryRun) {
      userId isSuspended suspendedAt revokedCredentials } }`,
  reinstateUser: `mutation ($id: ID!) { reinstateUser(userId: $id) {
    userId isSuspended suspendedAt revokedCredentials } }`,
  signIns: `query ($first: Int, $after: String, $filter: SignInFilter) {
    signIns(first: $first, after: $after, filter: $filter) { ${signIns} } }`,
  mySignIns: `query ($first: Int, $after: String) { mySignIns(first: $first, after: $after) { ${signIns} } }`,
  platformOrganizations: `query ($first: Int, $after: String, $search: String) {
    platformOrganizations(first: $first, after: $after, search: $search) { totalCount totalCountIsCapped
      pageInfo { hasNextPage endCursor } nodes { ${platformOrganization} } } }`,
  platformOrganization: `query ($id: ID!) { platformOrganization(organizationId: $id) {
    organization { ${platformOrganization} } members { ${member} } invitations { ${member} } } }`,
  platformOverview: `query ($period: OverviewPeriod) { platformOverview(period: $period) {
    activity { startsAt endsAt signIns refusedSignIns endedSessions } historySince activeSessions activeSessionsAreCapped waitingMails
    oldestMailSeconds failingJobs } }`,
  platformSearch:
    'query ($search: String!) { platformSearch(search: $search) { hits { kind id title detail userId } missingScopes } }',
  platformResetInvitation: `mutation ($memberId: ID!) { platformResetInvitation(memberId: $memberId) { ${member} } }`,
  platformCancelInvitation: 'mutation ($memberId: ID!) { platformCancelInvitation(memberId: $memberId) }',
  resendVerification: `mutation ($email: String!) { resendVerification(email: $email) { success verificationRequired } }`,
  verificationLink: 'query ($token: String!) { verificationLink(token: $token) { status email isEarlierSignUp } }',
  rejectSignUp: 'mutation ($token: String!) { rejectSignUp(token: $token) }',
  confirmSignUp: `mutation ($input: ConfirmSignUpInput!) { confirmSignUp(input: $input) { status auth {
    accessToken refreshToken accessTokenExpiresAt refreshTokenExpiresAt user { id email } } } }`,
  reviewPassword: `mutation ($keep: Boolean!) { reviewPassword(keep: $keep) { id hasPassword hasPasswordToReview } }`,
  exchangeAuthTokens: `mutation { exchangeAuthTokens { accessToken refreshToken accessTokenExpiresAt
    refreshTokenExpiresAt user { id email name hasPassword hasExternalIdentity emailValidatedAt isSuperAdmin
      memberships { role } externalIdentity { email linkedAt } } } }`,
  unlinkExternalIdentity: `mutation { unlinkExternalIdentity {
    id hasPassword hasExternalIdentity externalIdentity { email linkedAt } } }`,
  completeInvitedProfile: `mutation ($input: CompleteInvitedProfileInput!) { completeInvitedProfile(input: $input) {
    accessToken refreshToken accessTokenExpiresAt refreshTokenExpiresAt user { id email name } } }`,
  visitor: '{ visitor { analyticsConsent anonymousId } }',
  recordConsent: `mutation ($analytics: Boolean!) { recordConsent(analytics: $analytics) {
    analyticsConsent anonymousId } }`,
  me: `query FetchMe { me { id email name emailValidatedAt isSuperAdmin hasPassword hasExternalIdentity
    currentMembership { id role scopes organization { id name subscription { status product } } }
    memberships { id role } } }`,
  actor: '{ actor { credentialId email id kind name organization { id name } role scopes } }',
} as const;

export const goodPassword = 'Correct.horse7';

let counter = 0;
/** An address that no other test of this run uses. */
export const newAddress = (): string => {
  counter += 1;
  return `person-${process.pid}-${counter}-${Math.random().toString(36).slice(2, 8)}@example.com`;
};

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** The tokens in an answer of signInWithPassword or refreshAccessToken. Throws when there are none. */
export const tokensOf = (answer: Answer): Tokens => {
  const [payload] = Object.values(answer.data ?? {});
  if (typeof payload === 'object' && payload !== null && 'accessToken' in payload && 'refreshToken' in payload) {
    const { accessToken, refreshToken } = payload;
    if (typeof accessToken === 'string' && typeof refreshToken === 'string') return { accessToken, refreshToken };
  }
  throw new Error(`No tokens in ${answer.text}`);
};

export const bearer = (tokens: Tokens): Headers_ => ({ authorization: `Bearer ${tokens.accessToken}` });

/** Signs up and returns the raw verification token of the mail. */
export const signUp = async (service: Service, email: string, password = goodPassword): Promise<string> => {
  await post(service.url, operations.signUp, { input: { email, name: 'Test Person', password } });
  return newestVerificationToken(service, email);
};

export const newestVerificationToken = async (service: Service, email: string): Promise<string> => {
  const [mail] = await service.mailsTo(email);
  const token = /\/verify\/([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1];
  if (token === undefined) throw new Error(`No verification mail to ${email}`);
  return token;
};

/** A person who has signed up and confirmed the address by the link of the mail, not signed in. */
export const registerByMail = async (
  service: Service,
  email = newAddress(),
  password = goodPassword,
): Promise<string> => {
  await post(service.url, operations.validate, { token: await signUp(service, email, password) });
  return email;
};

/** A verified person with an organization of their own, without a sign-up; returns the user's id. */
export const createPerson = async (
  database: Database,
  deps: Parameters<typeof createAccount>[0],
  { email, passwordHash }: { readonly email: string; readonly passwordHash: string | null },
): Promise<string> => {
  const account = { email: normalizeEmail(email), name: 'Test Person', passwordHash, validationTokenHash: null };
  const created = await database.transaction((transaction) =>
    createAccount(deps, transaction, { ...account, redirect: null, browserHash: null }),
  );
  if (created === null) throw new Error(`${email} is taken`);
  return created.id;
};

/**
 * A verified person, not signed in: the account alone, in a fifth of the time of a sign-up, without its mail and its
 * lines in the log. `registered-person.test.ts` compares the rows of both.
 */
export const register = async (service: Service, email = newAddress(), password = goodPassword): Promise<string> => {
  const { config, database } = service;
  const deps = { keyring: new Keyring(config.secrets), settings: config };
  await createPerson(database, deps, { email, passwordHash: await hash(password, config.saltRounds) });
  return email;
};

export const signIn = async (service: Service, email: string, password = goodPassword): Promise<Tokens> =>
  tokensOf(await post(service.url, operations.signIn, { input: { email, password } }));

/** A verified person, signed in as an opaque client. */
export const registerAndSignIn = async (service: Service): Promise<{ email: string; tokens: Tokens }> => {
  const email = await register(service);
  return { email, tokens: await signIn(service, email) };
};

/** A browser on the portal: sends Origin and its cookies, and stores those of answers. */
export class Browser {
  readonly #url: string;
  readonly cookies = new Map<string, string>();

  constructor(service: Pick<Service, 'url'>) {
    this.#url = service.url;
  }

  async run(query: string, variables: Variables = {}, headers: Headers_ = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await post(this.#url, query, variables, {
      origin: this.#url,
      ...(cookie === '' ? {} : { cookie }),
      ...headers,
    });
    for (const line of answer.setCookies) this.#keep(line);
    return answer;
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split('=');
    const isGone = attributes.some((attribute) => /^(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute));
    if (isGone) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
