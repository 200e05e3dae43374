/**
 * The question before a destructive call: clients that can ask their person, clients that cannot, and forged states.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { argumentDigest } from '../../src/domain/audit/tool-audits.ts';
import { newId } from '../../src/kernel/ids.ts';
import { Keyring } from '../../src/kernel/secrets.ts';
import { Confirmations } from '../../src/mcp/confirmation.ts';
import { actorWith } from '../support/actors/actor.ts';
import { inviteByMail } from '../support/actors/invitations.ts';
import { newOwner, type Tenant } from '../support/actors/tenants.ts';
import { newAddress } from '../support/clients/clients.ts';
import {
  type AuditRow,
  authorization,
  callTool,
  correlationIdOf,
  type McpAnswer,
  type McpClient,
  newMcpClient,
  rowsOf,
  send,
} from '../support/clients/mcp.ts';
import { refreshAs } from '../support/clients/oauth.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { actorOf, toolNamed } from '../tools/tool-caller.ts';

const service = serviceFixture();
const client = fixture(() => newMcpClient(service));
const keyring = () => new Keyring(service.config.secrets);

type Given = Readonly<Record<string, unknown>>;

const version = '2026-07-28';

/** Every row but those that say that there was a call. */
const storedBesidesCalls = async (): Promise<readonly string[]> =>
  (await everythingStored(service)).filter((line) => !/^(mcp_tool_audits|rate_limits) /.test(line));

interface Recorded<T> {
  readonly result: T;
  readonly rows: readonly AuditRow[];
}

/** Runs calls that must change nothing, and are recorded. */
const changingNothing = async <T>(work: () => Promise<T>): Promise<Recorded<T>> => {
  const before = await storedBesidesCalls();
  const recorded = await rowsOf(service, work);
  expect(await storedBesidesCalls()).toEqual(before);
  return recorded;
};

const outcomesOf = ({ rows }: Recorded<unknown>): readonly string[] => rows.map(({ outcome }) => outcome);

const liveCredentials = async ({ userId }: Tenant): Promise<number> =>
  (await service.sql('SELECT FROM credentials WHERE user_id = $1 AND revoked_at IS NULL', [userId])).length;

const confirmed = { action: 'accept', content: { confirm: true } } as const;

interface Asked {
  readonly message: string;
  readonly requestedSchema: unknown;
}

type Mode = 'auto' | 'legacy';

/** Works with an unmodified client of SDK 2 that answers each question so; null for one without the capability. */
const withSdk = async <T>(
  answer: Readonly<Record<string, unknown>> | null,
  work: (sdk: Client, asked: readonly Asked[]) => Promise<T>,
  mode: Mode = 'auto',
): Promise<T> => {
  const capabilities = answer === null ? {} : { elicitation: { form: {} } };
  const sdk = new Client({ name: 'tests', version: '1' }, { capabilities, versionNegotiation: { mode } });
  const asked: Asked[] = [];
  if (answer !== null) {
    sdk.setRequestHandler('elicitation/create', ({ params }) => {
      if (!('requestedSchema' in params)) throw new Error('This is no form');
      asked.push({ message: params.message, requestedSchema: params.requestedSchema });
      return answer as { action: 'accept' };
    });
  }
  const requestInit = { headers: { ...authorization(client) } };
  await sdk.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
  try {
    return await work(sdk, asked);
  } finally {
    await sdk.close();
  }
};

describe('A client of SDK 2 with elicitation', () => {
  // Contract: platform-mcp#confirmation-by-the-person — A person confirms a destructive call where their client can ask
  it('asks its person in the words of the dry run, and the call runs when they accept', async () => {
    const person = await newOwner(service);
    const given = { userId: person.userId };
    const recorded = await rowsOf(service, () =>
      withSdk(confirmed, async (sdk, asked) => {
        const answer = await sdk.callTool({ name: 'sessions_revoke_user', arguments: given });
        expect(answer.structuredContent).toMatchObject({ dryRun: false, revokedCredentials: 2 });
        return asked;
      }),
    );
    expect(recorded.result).toEqual([
      {
        message: `Sign a person out everywhere: 2 credentials of ${person.email} would be revoked. Nothing has been changed yet.\nArguments: ${JSON.stringify(given)}`,
        requestedSchema: {
          type: 'object',
          properties: {
            confirm: { type: 'boolean', title: 'Make this change', description: 'Otherwise nothing is changed.' },
          },
          required: ['confirm'],
        },
      },
    ]);
    expect(await liveCredentials(person)).toBe(0);
    // The question is on the record as the dry run that it was.
    expect(outcomesOf(recorded)).toEqual(['success', 'success']);
    expect(recorded.rows.map(({ digest }) => digest)).toEqual(
      [{ ...given, dryRun: true }, given].map((args) => argumentDigest(keyring(), args)),
    );
    expect(new Set(recorded.rows.map(({ correlation }) => correlation)).size).toBe(2);
  });

  it.each([{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: { confirm: false } }])(
    'changes nothing when its person answers %j',
    async (answer) => {
      const person = await newOwner(service);
      const recorded = await changingNothing(() =>
        withSdk(answer, async (sdk, asked) => {
          const declined = await sdk.callTool({ name: 'sessions_revoke_user', arguments: { userId: person.userId } });
          return { declined, questions: asked.length };
        }),
      );
      const { declined, questions } = recorded.result;
      expect(questions).toBe(1);
      expect(declined).toMatchObject({ isError: true });
      expect(JSON.stringify(declined.content)).toContain('DECLINED: The person did not confirm this call');
      expect(outcomesOf(recorded)).toEqual(['success', 'deny']);
      expect(await liveCredentials(person)).toBe(2);
    },
  );

  it('is not asked about a dry run, nor about a tool that is not destructive', async () => {
    const person = await newOwner(service);
    const recorded = await changingNothing(() =>
      withSdk(confirmed, async (sdk, asked) => {
        const { userId } = person;
        await sdk.callTool({ name: 'sessions_revoke_user', arguments: { userId, dryRun: true } });
        await sdk.callTool({ name: 'users_search', arguments: { query: person.email } });
        await sdk.callTool({ name: 'user_reinstate', arguments: { userId } });
        return asked.length;
      }),
    );
    expect(recorded.result).toBe(0);
    expect(outcomesOf(recorded)).toEqual(['success', 'success', 'success']);
  });

  it('is refused without a question what would be refused after it', async () => {
    const { userId } = await newOwner(service);
    const refused: readonly (readonly [tool: string, given: Given, words: string])[] = [
      ['sessions_revoke_user', { userId: newId() }, 'NOT_FOUND'],
      ['sessions_revoke_user', { userId, dryRun: 'no' }, '- dryRun:'],
      ['sessions_revoke_user', { userId, other: 1 }, '- other:'],
      ['sessions_revoke_many', { expectedCount: 1 }, 'BAD_USER_INPUT'],
      ['sessions_revoke_many', { userId }, '- expectedCount:'],
      ['sessions_revoke_many', { userId, expectedCount: 5 }, 'CONFLICT'],
      ['user_suspend', { userId, reason: '' }, '- reason:'],
    ];
    const recorded = await changingNothing(() =>
      withSdk(confirmed, async (sdk, asked) => {
        for (const [name, given, words] of refused) {
          const answer = await sdk.callTool({ name, arguments: given });
          expect([name, answer.isError, JSON.stringify(answer.content)]).toEqual([
            name,
            true,
            expect.stringContaining(words),
          ]);
        }
        await expect(sdk.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toMatchObject({ code: -32602 });
        return asked.length;
      }),
    );
    expect(recorded.result).toBe(0);
    expect(outcomesOf(recorded)).toEqual([...refused.map(() => 'error'), 'deny']);
  });

  it('names in each question what would change', async () => {
    const owner = await newOwner(service);
    const { memberId } = await inviteByMail(service, owner.tokens, newAddress());
    const other = await newMcpClient(service);
    const { userId, organizationId } = owner;
    const questions: readonly (readonly [tool: string, given: Given, words: string])[] = [
      ['user_suspend', { userId, reason: 'Sells accounts' }, `${owner.email} would be suspended`],
      ['client_revoke', { clientId: other.clientId }, 'the client “Client of the tests” and 2 credentials'],
      ['organization_revoke', { organizationId }, '1 session in “'],
      ['sessions_revoke_many', { userId, expectedCount: 1 }, '1 session with 2 credentials would end.'],
      ['sessions_revoke_many', { userAgent: 'no\u202Ebody', userId, expectedCount: 0 }, '0 sessions'],
      ['invitation_cancel', { memberId }, 'would be cancelled.'],
      ['invitation_reset', { memberId }, 'the old link would stop working.'],
    ];
    const { result } = await changingNothing(() =>
      withSdk({ action: 'decline' }, async (sdk, asked) => {
        for (const [name, given] of questions) await sdk.callTool({ name, arguments: given });
        return asked;
      }),
    );
    expect(result.map(({ message }) => message)).toEqual(
      questions.map(([, , words]) => expect.stringContaining(words) as unknown),
    );
    expect(result.map(({ message }) => message).join()).not.toMatch(/\u202E|Dry run/);
  });
});

describe('A client that cannot ask', () => {
  const ends = async (work: (given: Given) => Promise<unknown>): Promise<void> => {
    const person = await newOwner(service);
    const recorded = await rowsOf(service, () => work({ userId: person.userId }));
    expect(recorded.result).toMatchObject({ structuredContent: { dryRun: false, revokedCredentials: 2 } });
    expect(outcomesOf(recorded)).toEqual(['success']);
    expect(await liveCredentials(person)).toBe(0);
  };
  const name = 'sessions_revoke_user';

  // Contract: platform-mcp#confirmation-by-the-person — Without elicitation the dry run stands in
  it('runs the call at once without the capability', () =>
    ends((given) => withSdk(null, (sdk) => sdk.callTool({ name, arguments: given }))));

  it('runs the call at once in a revision with a handshake, whatever its capabilities: SDK 2', () =>
    ends((given) => withSdk(confirmed, (sdk) => sdk.callTool({ name, arguments: given }), 'legacy')));

  it('runs the call at once in a revision with a handshake, whatever its capabilities: SDK 1', () =>
    ends(async (given) => {
      const sdk = new OldClient({ name: 'tests', version: '1' }, { capabilities: { elicitation: {} } });
      sdk.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }));
      const requestInit = { headers: { ...authorization(client) } };
      await sdk.connect(new OldTransport(new URL(`${service.url}/mcp`), { requestInit }));
      try {
        return await sdk.callTool({ name, arguments: given }, CallToolResultSchema);
      } finally {
        await sdk.close();
      }
    }));

  it.each([{}, { elicitation: { url: {} } }, { sampling: {} }])('runs the call at once with %j', (capabilities) =>
    ends(async (given) => resultOf(await call({ given, capabilities }))),
  );
});

interface RawCall {
  readonly who?: Pick<McpClient, 'tokens'>;
  readonly name?: string;
  readonly given: Given;
  readonly state?: unknown;
  readonly responses?: unknown;
  readonly capabilities?: object;
}

/** One call over HTTP, by default of a client with elicitation. */
const call = ({ who = client, name = 'sessions_revoke_user', given, ...rest }: RawCall): Promise<McpAnswer> => {
  const { state, responses, capabilities = { elicitation: {} } } = rest;
  const retry = {
    ...(state === undefined ? {} : { requestState: state }),
    ...(responses === undefined ? {} : { inputResponses: responses }),
  };
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': capabilities };
  return send(
    service,
    who,
    { id: 1, method: 'tools/call', params: { name, arguments: given, ...retry, _meta } },
    version,
  );
};

const resultOf = ({ body }: McpAnswer): Readonly<Record<string, unknown>> =>
  (body as { result?: Record<string, unknown> }).result ?? {};

/** The state of a question about a call. */
const stateFor = async (raw: RawCall): Promise<string> => {
  const answer = resultOf(await call(raw));
  expect(answer['resultType']).toBe('input_required');
  return String(answer['requestState']);
};

const accepted = { confirm: confirmed };

describe('A question', () => {
  it('is a result with the id of its row, and a state that can be read by the server alone', async () => {
    const { userId, email } = await newOwner(service);
    const { result, rows } = await changingNothing(() => call({ given: { userId } }));
    const { resultType, inputRequests, requestState, ...rest } = resultOf(result);
    expect([result.status, resultType, Object.keys(rest)]).toEqual([200, 'input_required', ['_meta']]);
    expect(inputRequests).toMatchObject({ confirm: { method: 'elicitation/create', params: { mode: 'form' } } });
    expect(rows.map(({ correlation }) => correlation)).toEqual([correlationIdOf(result)]);
    const read = Buffer.from(String(requestState), 'base64url').toString('latin1');
    for (const fact of [userId, email, client.person.userId, 'sessions_revoke_user']) expect(read).not.toContain(fact);
  });

  it('is asked again while it has no answer, and an answer counts only with its state', async () => {
    const { userId } = await newOwner(service);
    const state = await stateFor({ given: { userId } });
    const unanswered: readonly Omit<RawCall, 'given'>[] = [
      { responses: accepted },
      { state },
      { state, responses: {} },
      { state, responses: { other: confirmed } },
      { state, responses: { confirm: { action: 'accept' } } },
      { state, responses: { confirm: { action: 'accept', content: { confirm: 'true' } } } },
      { state, responses: { confirm: { method: 'elicitation/create', result: confirmed } } },
    ];
    const recorded = await changingNothing(async () => {
      for (const each of unanswered) {
        const { status, text } = await call({ given: { userId }, ...each });
        expect([each.responses, status, text]).toEqual([
          each.responses,
          200,
          expect.stringContaining('"resultType":"input_required"'),
        ]);
      }
    });
    expect(outcomesOf(recorded)).toEqual(unanswered.map(() => 'success'));
  });

  it('may be answered with the next token of the same session, which the client fetched meanwhile', async () => {
    const owner = await newMcpClient(service);
    const person = await newOwner(service);
    const given = { userId: person.userId };
    const state = await stateFor({ who: owner, given });
    const { body } = await refreshAs(service, owner);
    const next = { tokens: { ...owner.tokens, accessToken: String(body['access_token']) } };
    expect(resultOf(await call({ who: next, given, state, responses: accepted }))).toMatchObject({
      structuredContent: { revokedCredentials: 2 },
    });
    expect(await liveCredentials(person)).toBe(0);
  });

  it('is not answered for a person who has lost the scope meanwhile', async () => {
    const owner = await newMcpClient(service);
    const given = { userId: (await newOwner(service)).userId };
    const state = await stateFor({ who: owner, given });
    await service.sql(`UPDATE users SET platform_scopes = '{sessions:view}' WHERE id = $1`, [owner.person.userId]);
    const recorded = await changingNothing(() => call({ who: owner, given, state, responses: accepted }));
    expect(recorded.result.body).toMatchObject({ error: { code: -32602 } });
    expect(outcomesOf(recorded)).toEqual(['deny']);
  });
});

describe('A state', () => {
  /** A state that the service would have issued at this instant. */
  const sealedAt = async (at: number, given: Given): Promise<string> => {
    const caller = { ...client.person, clientId: client.clientId, mcpTokens: client.tokens };
    const facts = { tool: toolNamed('sessions_revoke_user'), arguments: given };
    const digest = argumentDigest(keyring(), given);
    const actor = await actorOf(service, caller);
    return new Confirmations(keyring(), () => at).stateFor({ actor, ...facts, argumentDigest: digest });
  };

  // Contract: platform-mcp#confirmation-by-the-person — Forged, foreign and expired states are refused, with nothing
  //   changed
  it.each<{
    title: string;
    raw: (given: { readonly userId: string }) => Promise<Omit<RawCall, 'given'> & Partial<RawCall>>;
  }>([
    { title: 'is not text', raw: async () => ({ state: 5 }) },
    { title: 'is empty', raw: async () => ({ state: '' }) },
    { title: 'is forged', raw: async () => ({ state: Buffer.alloc(60, 7).toString('base64url') }) },
    {
      title: 'is changed',
      raw: async (given) => {
        const state = await stateFor({ given });
        return { state: `${state.slice(0, 20)}${state[20] === 'A' ? 'B' : 'A'}${state.slice(21)}` };
      },
    },
    {
      title: 'is sealed under another secret',
      raw: async (given) => {
        const other = new Keyring(['another secret of the tests that has thirty-two bytes and more']);
        const actor = await actorOf(service, { ...client.person, clientId: '', mcpTokens: client.tokens });
        const digest = argumentDigest(keyring(), given);
        const facts = { actor, tool: toolNamed('sessions_revoke_user'), arguments: given, argumentDigest: digest };
        return { state: new Confirmations(other).stateFor(facts) };
      },
    },
    {
      title: 'is of another person',
      raw: async (given) => ({ state: await stateFor({ who: await newMcpClient(service), given }) }),
    },
    {
      title: 'is of another session of the same person',
      raw: async (given) => ({
        state: await stateFor({ who: await newMcpClient(service, undefined, client.person), given }),
      }),
    },
    {
      title: 'is of other arguments',
      raw: async () => ({ state: await stateFor({ given: { userId: (await newOwner(service)).userId } }) }),
    },
    {
      title: 'is of the dry run',
      raw: async (given) => ({ state: await stateFor({ given }), given: { ...given, dryRun: true } }),
    },
    {
      title: 'is of another tool',
      raw: async (given) => ({
        state: await stateFor({ name: 'sessions_revoke_many', given: { ...given, expectedCount: 1 } }),
      }),
    },
    {
      title: 'is given with a tool that only reads',
      raw: async (given) => ({ state: await stateFor({ given }), name: 'mcp_whoami', given: {} }),
    },
    {
      title: 'is expired',
      raw: async (given) => ({ state: await sealedAt(Date.now() - 10 * 60 * 1000, given) }),
    },
    {
      title: 'is given by a client that cannot ask',
      raw: async () => ({ state: 'forged', capabilities: {} }),
    },
  ])('that $title is refused', async ({ raw }) => {
    const person = await newOwner(service);
    const given = { userId: person.userId };
    const attempt = await raw(given);
    const recorded = await changingNothing(() => call({ given, responses: accepted, ...attempt }));
    expect(recorded.result.status).toBe(200);
    expect(recorded.result.body).toMatchObject({
      error: { code: -32602, message: 'Invalid or expired requestState', data: { reason: 'invalid_request_state' } },
    });
    expect(outcomesOf(recorded)).toEqual(['error']);
    expect(await liveCredentials(person)).toBe(2);
  });

  it('that the service would have issued nine minutes ago is accepted', async () => {
    const person = await newOwner(service);
    const given = { userId: person.userId };
    const state = await sealedAt(Date.now() - 9 * 60 * 1000, given);
    expect(resultOf(await call({ given, state, responses: accepted }))).toMatchObject({
      structuredContent: { revokedCredentials: 2 },
    });
  });

  it('expires after exactly ten minutes', () => {
    const facts = { actor: actorWith(), tool: toolNamed('sessions_revoke_user'), arguments: {}, argumentDigest: 'd' };
    let now = 1_000_000;
    const confirmations = new Confirmations(
      new Keyring(['a secret of the tests that has thirty-two bytes']),
      () => now,
    );
    const params = { requestState: confirmations.stateFor(facts), inputResponses: accepted };
    now += 10 * 60 * 1000 - 1;
    expect(confirmations.nextStep(facts, params, true)).toBe('run');
    now += 1;
    expect(confirmations.nextStep(facts, params, true)).toBe('wrong_state');
  });

  it('may be used again: the call is checked and recorded as a new one', async () => {
    const person = await newOwner(service);
    const given = { userId: person.userId };
    const state = await stateFor({ given });
    await call({ given, state, responses: accepted });
    const recorded = await rowsOf(service, () => call({ given, state, responses: accepted }));
    expect(resultOf(recorded.result)).toMatchObject({ structuredContent: { revokedCredentials: 0 } });
    expect(outcomesOf(recorded)).toEqual(['success']);
  });
});

it('A call without a question is served as before in every older revision', async () => {
  const person = await newOwner(service);
  const answer = await callTool(service, client, 'sessions_revoke_user', { userId: person.userId }, '2025-11-25');
  expect(resultOf(answer)).toMatchObject({ structuredContent: { revokedCredentials: 2 } });
  expect(resultOf(answer)).not.toHaveProperty('resultType');
});
