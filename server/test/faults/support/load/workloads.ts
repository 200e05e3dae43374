/** Clients that repeat one kind of operation during faults, retry unknown outcomes, and record their history. */
import { newId, newPersonId } from '../../../../src/kernel/ids.ts';
import { sha256 } from '../../../../src/kernel/secrets.ts';
import { preview } from '../../../support/actors/invitations.ts';
import { addTo, inviteTo, newMember, newOwner, newSuperAdmin, type Tenant } from '../../../support/actors/tenants.ts';
import { attempt, pauseUpTo } from '../../../support/checks/concurrency.ts';
import {
  type Answer,
  bearer,
  goodPassword,
  newAddress,
  operations,
  type Tokens,
  tokensOf,
} from '../../../support/clients/clients.ts';
import { callTool, type McpClient, newMcpClient } from '../../../support/clients/mcp.ts';
import { clientTokensOf, newCode, postForm, redemptionOf, refreshOf } from '../../../support/clients/oauth.ts';
import type { Site } from '../sites/site.ts';
import {
  labelOf,
  type PlainAnswer,
  type Question,
  type Reported,
  reportedBy,
  reportedByCall,
  reportedByOAuth,
} from '../verdicts/history.ts';

export interface Load {
  readonly site: Site;
  /** Where the next request goes. */
  readonly url: () => string;
  readonly isOver: () => boolean;
}

/** Maximum pause between two requests of one client. */
const pauseMillis = 20;
/** Maximum pause before a retry: clients in a tight loop would take the machine from the recovering server. */
const retryMillis = 500;

export type Workload = (load: Load) => Promise<void>;

/** Repeats a step until the load ends; its data needs the database, which may be unavailable. */
const workload =
  (step: (load: Load) => Promise<void>): Workload =>
  async (load) => {
    while (!load.isOver()) {
      await step(load);
      await pauseUpTo(pauseMillis);
    }
  };

/**
 * Creates the data of a step directly in the database; retries until it answers; null when the load has ended by then.
 */
const made = async <T>({ isOver }: Load, make: () => Promise<T>): Promise<T | null> => {
  while (!isOver()) {
    try {
      return await make();
    } catch {
      // The database has faults as well: half-created data belongs to no history.
      await pauseUpTo(retryMillis);
    }
  }
  return null;
};

const ask = async (
  { site, url }: Load,
  question: Question,
  query: string,
  variables: Readonly<Record<string, unknown>>,
  tokens?: Tokens,
): Promise<Reported & { readonly answer: Answer | null }> => {
  const headers = tokens === undefined ? {} : bearer(tokens);
  const answer = await site.history.ask(question, () => attempt(url(), query, variables, headers));
  const reported = reportedBy(answer);
  if (reported.outcome === 'unknown') await pauseUpTo(retryMillis);
  return { ...reported, answer };
};

/** Sends until it is answered; each attempt is in the history. */
const insist = async <T extends Reported>(load: Load, once: () => Promise<T>): Promise<T> => {
  let reported = await once();
  while (reported.outcome === 'unknown' && !load.isOver()) reported = await once();
  return reported;
};

const isReported = ({ answer, outcome }: Reported & { readonly answer: Answer | null }): Answer | null =>
  outcome === 'ok' ? answer : null;

/** Queries the signed-in user. @param organization the expected one, if known */
const askMe = async (load: Load, tokens: Tokens, organization?: string): Promise<void> => {
  const where = organization === undefined ? {} : { organization };
  await ask(load, { name: 'me', does: 'use', pair: labelOf(tokens), ...where }, operations.me, {}, tokens);
};

export const using =
  (tokens: Tokens): Workload =>
  (load) =>
    workload(() => askMe(load, tokens))(load);

/** The same with a session of its own. */
export const usingOne: Workload = async (load) => {
  const person = await made(load, () => newOwner(load.site));
  if (person !== null) await using(person.tokens)(load);
};

/** Runs a workload repeatedly from its beginning: as another user, before their access token or a limit expires. */
export const inTurns =
  (seconds: number, each: Workload): Workload =>
  async (load) => {
    while (!load.isOver()) {
      const end = performance.now() + seconds * 1000;
      await each({ ...load, isOver: () => load.isOver() || performance.now() >= end });
    }
  };

/** Refreshes a session repeatedly; starts another one when the successor was lost with its answer. */
export const refreshing: Workload = async (load) => {
  let current: Tokens | null = null;
  const step = async (): Promise<void> => {
    current ??= (await made(load, () => newOwner(load.site)))?.tokens ?? null;
    if (current === null) return;
    const question: Question = { name: 'refresh', does: 'rotate', pair: labelOf(current) };
    const reported = await ask(load, question, operations.refresh, { ...current });
    if (reported.outcome !== 'unknown') current = nextPair(reported);
  };
  await workload(step)(load);
};

const nextPair = (reported: Reported & { readonly answer: Answer | null }): Tokens | null => {
  const answer = isReported(reported);
  return answer === null ? null : tokensOf(answer);
};

/** A new user each time, with a session to use up. */
const withPerson =
  (step: (load: Load, person: Tenant) => Promise<void>): Workload =>
  (load) =>
    workload(async () => {
      const person = await made(load, () => newOwner(load.site));
      if (person !== null) await step(load, person);
    })(load);

/** Signs out, and checks the effect. */
export const signingOut: Workload = withPerson(async (load, { tokens }) => {
  const pair = labelOf(tokens);
  await askMe(load, tokens);
  await insist(load, () => ask(load, { name: 'sign-out', does: 'end', pair }, operations.signOut, {}, tokens));
  await askMe(load, tokens);
});

export const signingUp: Workload = workload(async (load) => {
  const email = newAddress();
  const input = { email, name: 'Test Person', password: goodPassword };
  await ask(load, { name: 'sign-up', does: 'write', key: email }, operations.signUp, { input });
});

/** Switches to a second organization, and uses the returned pair. */
export const switching: Workload = withPerson(async (load, person) => {
  const other = await made(load, async () => {
    const { organizationId } = await newOwner(load.site);
    await addTo(load.site, person.userId, organizationId);
    return organizationId;
  });
  if (other === null) return;
  const question: Question = { name: 'switch', does: 'rotate', pair: labelOf(person.tokens), organization: other };
  await insist(load, async () => {
    const reported = await ask(load, question, operations.switchOrganization, { id: other }, person.tokens);
    const next = nextPair(reported);
    if (next !== null) await askMe(load, next, other);
    return reported;
  });
});

export const accepting: Workload = withPerson(async (load, { tokens, userId }) => {
  const token = await made(load, async () => inviteTo(load.site, userId, (await newOwner(load.site)).organizationId));
  if (token === null) return;
  // The stored hash is that of the id.
  const question: Question = { name: 'accept', does: 'write', pair: labelOf(tokens), key: token, isSilent: true };
  await insist(load, () => ask(load, question, operations.acceptInvitation, { token }, tokens));
});

/** A user with only a known address completes a profile. */
export const completing: Workload = workload(async (load) => {
  const invited = await made(load, () => inviteOutsider(load.site));
  if (invited === null) return;
  const { token, userId } = invited;
  const vToken = await made(load, async () => (await preview({ url: load.url() }, token))?.vToken);
  if (vToken === null || vToken === undefined) return;
  const input = { invitationToken: token, vToken, name: 'Invited Person', password: goodPassword };
  const question: Question = { name: 'complete', does: 'write', who: userId, key: token, isSilent: true };
  await insist(load, () => ask(load, question, operations.completeInvitedProfile, { input }));
});

/** In one statement, so that the user never exists without an invitation. The stored hash is that of the id. */
const inviteOutsider = async (site: Site): Promise<{ readonly token: string; readonly userId: string }> => {
  const { organizationId } = await newOwner(site);
  const [userId, memberId] = [newPersonId(), newId()];
  await site.sql(
    `WITH stranger AS (INSERT INTO users (id, email, name) VALUES ($1, $2, ''))
     INSERT INTO organization_members (id, user_id, organization_id, role, invitation_token_hash, invitation_expires_at)
     VALUES ($3, $1, $4, 'MEMBER', $5, now() + interval '7 days')`,
    [userId, newAddress(), memberId, organizationId, sha256(memberId)],
  );
  return { token: memberId, userId };
};

export const calling: Workload = async (load) => {
  const client = await made(load, () => newMcpClient(load.site));
  if (client !== null) await workload(async () => void (await callOnce(load, client)))(load);
};

const askPlainly = async <Whole extends PlainAnswer>(
  { site }: Load,
  question: Question,
  send: () => Promise<Whole>,
  read: (answer: Whole | null) => Reported,
): Promise<Reported & { readonly answer: Whole | null }> => {
  const answer = await site.history.observe(question, () => orNull(send), read);
  const reported = read(answer);
  if (reported.outcome === 'unknown') await pauseUpTo(retryMillis);
  return { ...reported, answer };
};

const orNull = async <T>(send: () => Promise<T>): Promise<T | null> => {
  try {
    return await send();
  } catch (error) {
    // The error that fetch throws when the network failed.
    if (error instanceof TypeError) return null;
    throw error;
  }
};

const callOnce = (load: Load, client: Pick<McpClient, 'tokens'>): Promise<Reported> => {
  const question: Question = { name: 'tools/call', does: 'call', pair: labelOf(client.tokens) };
  return askPlainly(load, question, () => callTool({ url: load.url() }, client, 'mcp_whoami'), reportedByCall);
};

/** Posts a form to an endpoint of OAuth; returns also the tokens of the answer, or null. */
const askOAuth = async (
  load: Load,
  question: Question,
  path: 'token' | 'revoke',
  form: Readonly<Record<string, string>>,
): Promise<Reported & { readonly tokens: Tokens | null }> => {
  const reported = await askPlainly(load, question, () => postForm({ url: load.url() }, path, form), reportedByOAuth);
  return {
    ...reported,
    tokens: reported.gave === undefined || reported.answer === null ? null : clientTokensOf(reported.answer),
  };
};

/** A client that refreshes repeatedly and calls with the result; continues like {@link refreshing}. */
export const refreshingClient: Workload = async (load) => {
  let client: McpClient | null = null;
  const step = async (): Promise<void> => {
    client ??= await made(load, () => newMcpClient(load.site));
    if (client === null) return;
    const { clientId, tokens } = client;
    const question: Question = { name: 'token', does: 'rotate', pair: labelOf(tokens) };
    const reported = await askOAuth(load, question, 'token', refreshOf(clientId, tokens.refreshToken));
    if (reported.outcome === 'unknown') return;
    client = reported.tokens === null ? null : { ...client, tokens: reported.tokens };
    if (client !== null) await callOnce(load, client);
  };
  await workload(step)(load);
};

/** A client that redeems a code, calls with the token, revokes it, and checks the effect. */
export const connecting: Workload = async (load) => {
  const client = await made(load, () => newMcpClient(load.site));
  if (client === null) return;
  const { clientId, person } = client;
  const step = async (): Promise<void> => {
    const code = await made(load, () => newCode(load.site, { clientId, userId: person.userId }));
    if (code === null) return;
    const key = sha256(code.code).toString('hex');
    const redeem: Question = { name: 'code', does: 'write', who: person.userId, key, isSilent: true };
    const { tokens } = await insist(load, () => askOAuth(load, redeem, 'token', redemptionOf(code)));
    if (tokens === null) return;
    await callOnce(load, { tokens });
    const revoke: Question = { name: 'revoke', does: 'end', pair: labelOf(tokens) };
    const form = { client_id: clientId, token: tokens.refreshToken };
    await insist(load, () => askOAuth(load, revoke, 'revoke', form));
    await callOnce(load, { tokens });
  };
  await workload(step)(load);
};

/** A way to end sessions by another session, which checks the effect. */
type Ending = (load: Load) => Promise<void>;

const signOutEverywhere: Ending = async (load) => {
  const client = await made(load, () => newMcpClient(load.site));
  if (client === null) return;
  const { person } = client;
  const ends = [labelOf(person.tokens), labelOf(client.tokens)];
  const question: Question = { name: 'sign-out-everywhere', does: 'end', pair: labelOf(person.tokens), ends };
  await insist(load, () => ask(load, question, operations.signOutEverywhere, {}, person.tokens));
  await askMe(load, person.tokens);
  await callOnce(load, client);
};

const revokeUser: Ending = async (load) => {
  const [client, admin] = await Promise.all([
    made(load, () => newMcpClient(load.site)),
    made(load, () => newSuperAdmin(load.site)),
  ]);
  if (client === null || admin === null) return;
  const { person } = client;
  const ends = [labelOf(person.tokens), labelOf(client.tokens)];
  const question: Question = { name: 'revoke-user', does: 'end', pair: labelOf(admin.tokens), ends };
  await insist(load, () => ask(load, question, operations.revokeUserSessions, { id: person.userId }, admin.tokens));
  await askMe(load, person.tokens);
  await callOnce(load, client);
  await askMe(load, admin.tokens);
};

const removeMember: Ending = async (load) => {
  const owner = await made(load, () => newOwner(load.site));
  if (owner === null) return;
  const member = await made(load, () => newMember(load.site, owner.organizationId));
  if (member === null) return;
  const { memberId: key, tokens } = member;
  const ends = [labelOf(tokens)];
  const question: Question = { name: 'remove-member', does: 'end', pair: labelOf(owner.tokens), key, ends };
  await insist(load, () => ask(load, question, operations.removeMember, { id: key }, owner.tokens));
  await askMe(load, tokens);
  await askMe(load, owner.tokens);
};

export const endingOthers: Workload = workload(async (load) => {
  for (const end of [signOutEverywhere, revokeUser, removeMember]) {
    if (!load.isOver()) await end(load);
  }
});
