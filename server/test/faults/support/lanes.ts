/**
 * Clients that go on while things break: each does one kind of thing again and again, asks once more when it was not
 * told what happened, and keeps its part of the history.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { newId, newPersonId } from '../../../src/kernel/ids.ts';
import { sha256 } from '../../../src/kernel/secrets.ts';
import {
  type Answer,
  bearer,
  goodPassword,
  newAddress,
  operations,
  type Tokens,
  tokensOf,
} from '../../support/clients.ts';
import { attempt, pauseUpTo } from '../../support/concurrency.ts';
import { preview } from '../../support/invitations.ts';
import { callTool, correlationIdOf, type McpAnswer, type McpClient, newMcpClient } from '../../support/mcp.ts';
import { addTo, inviteTo, newOwner, type Tenant } from '../../support/tenants.ts';
import { labelOf, type Question, type Told, toldBy } from './history.ts';
import type { Site } from './site.ts';

export interface Load {
  readonly site: Site;
  /** Where the next request goes. */
  readonly url: () => string;
  readonly isOver: () => boolean;
}

/** Between two requests of one client, at most. */
const pauseMillis = 20;
/** Before the same is asked once more. */
const retryMillis = 100;

export type Lane = (load: Load) => Promise<void>;

/** Repeats a step until the load is over. What a lane makes for itself needs the database, which may be away. */
const lane =
  (step: (load: Load) => Promise<void>): Lane =>
  async (load) => {
    while (!load.isOver()) {
      await step(load);
      await pauseUpTo(pauseMillis);
    }
  };

/** Makes what a step needs, past the service; tries until the database lets it, null when the load is over by then. */
const made = async <T>({ isOver }: Load, make: () => Promise<T>): Promise<T | null> => {
  while (!isOver()) {
    try {
      return await make();
    } catch {
      // The database is struck as well: what was made by half belongs to nobody's history.
      await sleep(retryMillis);
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
): Promise<Told & { readonly answer: Answer | null }> => {
  const headers = tokens === undefined ? {} : bearer(tokens);
  const answer = await site.history.ask(question, () => attempt(url(), query, variables, headers));
  const told = toldBy(answer);
  if (told.outcome === 'unknown') await pauseUpTo(retryMillis);
  return { ...told, answer };
};

/** Asks until it is told something; each attempt stands in the history. */
const insist = async (load: Load, once: () => Promise<Told>): Promise<void> => {
  while ((await once()).outcome === 'unknown' && !load.isOver());
};

const isTold = ({ answer, outcome }: Told & { readonly answer: Answer | null }): Answer | null =>
  outcome === 'ok' ? answer : null;

/** Uses a session that nobody ends. */
export const using =
  (tokens: Tokens): Lane =>
  (load) =>
    lane(async () => {
      await ask(load, { name: 'me', does: 'use', pair: labelOf(tokens) }, operations.me, {}, tokens);
    })(load);

/** Refreshes a session for ever; begins another one when the successor was lost with its answer. */
export const refreshing: Lane = async (load) => {
  let current: Tokens | null = null;
  const step = async (): Promise<void> => {
    current ??= (await made(load, () => newOwner(load.site)))?.tokens ?? null;
    if (current === null) return;
    const question: Question = { name: 'refresh', does: 'rotate', pair: labelOf(current) };
    const told = await ask(load, question, operations.refresh, { ...current });
    if (told.outcome !== 'unknown') current = nextPair(told);
  };
  await lane(step)(load);
};

const nextPair = (told: Told & { readonly answer: Answer | null }): Tokens | null => {
  const answer = isTold(told);
  return answer === null ? null : tokensOf(answer);
};

/** Somebody new each time, with a session to spend. */
const withPerson =
  (step: (load: Load, person: Tenant) => Promise<void>): Lane =>
  (load) =>
    lane(async () => {
      const person = await made(load, () => newOwner(load.site));
      if (person !== null) await step(load, person);
    })(load);

/** Signs out, and looks whether it counted. */
export const signingOut: Lane = withPerson(async (load, { tokens }) => {
  const pair = labelOf(tokens);
  await ask(load, { name: 'me', does: 'use', pair }, operations.me, {}, tokens);
  await insist(load, () => ask(load, { name: 'sign-out', does: 'end', pair }, operations.signOut, {}, tokens));
  await ask(load, { name: 'me', does: 'use', pair }, operations.me, {}, tokens);
});

export const signingUp: Lane = lane(async (load) => {
  const email = newAddress();
  const input = { email, name: 'Test Person', password: goodPassword };
  await ask(load, { name: 'sign-up', does: 'write', key: email }, operations.signUp, { input });
});

/** Goes to a second organization, and uses the pair that comes with it. */
export const switching: Lane = withPerson(async (load, person) => {
  const other = await made(load, async () => {
    const { organizationId } = await newOwner(load.site);
    await addTo(load.site, person.userId, organizationId);
    return organizationId;
  });
  if (other === null) return;
  const question: Question = { name: 'switch', does: 'rotate', pair: labelOf(person.tokens) };
  await insist(load, async () => {
    const told = await ask(load, question, operations.switchOrganization, { id: other }, person.tokens);
    const next = nextPair(told);
    if (next !== null) await ask(load, { name: 'me', does: 'use', pair: labelOf(next) }, operations.me, {}, next);
    return told;
  });
});

export const accepting: Lane = withPerson(async (load, { tokens, userId }) => {
  const token = await made(load, async () => inviteTo(load.site, userId, (await newOwner(load.site)).organizationId));
  if (token === null) return;
  // The stored hash is that of the id.
  const question: Question = { name: 'accept', does: 'write', pair: labelOf(tokens), key: token, isSilent: true };
  await insist(load, () => ask(load, question, operations.acceptInvitation, { token }, tokens));
});

/** Somebody of whom only the address is known completes a profile. */
export const completing: Lane = lane(async (load) => {
  const token = await made(load, () => inviteStranger(load.site));
  const vToken =
    token === null ? null : await made(load, async () => (await preview({ url: load.url() }, token))?.vToken);
  if (token === null || vToken === null || vToken === undefined) return;
  const input = { invitationToken: token, vToken, name: 'Invited Person', password: goodPassword };
  const question: Question = { name: 'complete', does: 'write', key: token, isSilent: true };
  await insist(load, () => ask(load, question, operations.completeInvitedProfile, { input }));
});

/** In one statement, so that none is ever there without an invitation. The stored hash is that of the id. */
const inviteStranger = async (site: Site): Promise<string> => {
  const { organizationId } = await newOwner(site);
  const [userId, memberId] = [newPersonId(), newId()];
  await site.sql(
    `WITH stranger AS (INSERT INTO users (id, email, name) VALUES ($1, $2, ''))
     INSERT INTO organization_members (id, user_id, organization_id, role, invitation_token_hash, invitation_expires_at)
     VALUES ($3, $1, $4, 'MEMBER', $5, now() + interval '7 days')`,
    [userId, newAddress(), memberId, organizationId, sha256(memberId)],
  );
  return memberId;
};

/** Calls a tool of Platform MCP. */
export const calling: Lane = async (load) => {
  const client = await made(load, () => newMcpClient(load.site));
  if (client === null) return;
  const question: Question = { name: 'tools/call', does: 'call', pair: labelOf(client.tokens) };
  await lane(async () => {
    const told = await load.site.history.observe(question, () => callOnce(load, client), toldByCall);
    if (told === null) await pauseUpTo(retryMillis);
  })(load);
};

const callOnce = async ({ url }: Load, client: McpClient): Promise<McpAnswer | null> => {
  try {
    return await callTool({ url: url() }, client, 'mcp_whoami');
  } catch (error) {
    // What fetch throws when the network failed.
    if (error instanceof TypeError) return null;
    throw error;
  }
};

/** Also a call that was denied or that failed is a row, once it was let in. */
const toldByCall = (answer: McpAnswer | null): Told => {
  if (answer === null) return { outcome: 'unknown', code: 'no answer' };
  const key = correlationIdOf(answer);
  if (key !== null && answer.status === 200) return { outcome: 'ok', code: 'OK', key };
  const outcome = answer.status >= 500 ? 'unknown' : 'refused';
  return { outcome, code: `status ${answer.status}`, ...(key === null ? {} : { key }) };
};
