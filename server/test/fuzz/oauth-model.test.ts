/**
 * Sequences of all operations of clients, people and super admins at the authorization server against a small model:
 * which requests are pending, which codes and pairs are valid, and what each step must answer and store. Half of the
 * steps have one fault, and a refusal changes no row. A failing sequence is shrunk to the shortest one.
 */
import * as fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { hashesOfTokens } from '../../src/domain/credentials/token.ts';
import { catalogue } from '../../src/domain/tools/catalogue.ts';
import { newId } from '../../src/kernel/ids.ts';
import { seedSession } from '../support/actors/seeding.ts';
import { newSuperAdmin, runAs, type Tenant } from '../support/actors/tenants.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import {
  answerIn,
  authorizationQuery,
  csrfTokenIn,
  PageBrowser,
  type Query,
} from '../support/clients/authorization.ts';
import { operations, post } from '../support/clients/clients.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import { listedNames, send } from '../support/clients/mcp.ts';
import {
  type ClientTokens,
  challengeOf,
  clientTokensOf,
  expectOAuthRefusal,
  loopbackUri,
  type OAuthAnswer,
  postForm,
  redemptionOf,
  refreshOf,
  register,
} from '../support/clients/oauth.ts';
import { fixture } from '../support/fixture.ts';
import { expectCleanLog, expectOften, expectValidAnswer, tries, wireAnswerOf } from '../support/random/fuzz.ts';
import { startFuzzWorld } from '../support/random/fuzz-world.ts';
import { at, step } from '../support/random/model.ts';

let people: readonly Tenant[];
const secrets = new Set<string>();
/** By name: how often a step succeeded, so that the model is known to have been exercised. */
const successes = new Map<string, number>();

const world = fixture(startFuzzWorld);
const service = fixture(() => world.service);
beforeAll(async () => {
  people = [await newSuperAdmin(service), await newSuperAdmin(service)];
});

const allScopes = ['mcp:whoami', 'users:view', 'sessions:revoke'] as const;
type Scope = (typeof allScopes)[number];

interface Client {
  readonly id: string;
  isRevoked: boolean;
}

interface Person {
  readonly tenant: Tenant;
  isSuperAdmin: boolean;
  held: readonly Scope[];
  /** Of the portal; null while they are signed out. */
  session: string | null;
  revision: number;
}

interface Asked {
  readonly client: Client;
  readonly person: Person;
  /** Null requests everything. */
  readonly scopes: readonly Scope[] | null;
  readonly browser: PageBrowser;
  readonly path: string;
  readonly cookie: string;
  readonly verifier: string;
  readonly state: string;
  stage: 'open' | 'decided' | 'expired';
  page: { readonly csrf: string; readonly session: string; readonly scopes: readonly Scope[] } | null;
}

interface Code {
  readonly text: string;
  readonly request: Asked;
  readonly scopes: readonly Scope[];
  readonly revision: number;
  stage: 'live' | 'redeemed' | 'expired';
  grant: Grant | null;
}

interface Grant {
  readonly client: Client;
  readonly person: Person;
  readonly scopes: readonly Scope[];
  isLive: boolean;
}

interface Pair {
  readonly grant: Grant;
  readonly tokens: ClientTokens;
  readonly scopes: readonly Scope[];
  stage: 'newest' | 'just rotated' | 'rotated long ago';
}

interface Model {
  readonly clients: Client[];
  readonly people: readonly Person[];
  readonly requests: Asked[];
  readonly codes: Code[];
  readonly pairs: Pair[];
}

type Step = fc.AsyncCommand<Model, null>;

/** Counted from the last one back: most steps use the newest. */
const latest = <T>(items: readonly T[], index: number): T => at(items.toReversed(), index);

const both = (left: readonly Scope[], right: readonly Scope[]): readonly Scope[] =>
  left.filter((scope) => right.includes(scope));

const succeeded = (name: string): void => {
  successes.set(name, (successes.get(name) ?? 0) + 1);
};

const stepWith = (name: string, needs: readonly (keyof Model)[], run: (model: Model) => Promise<void>): Step =>
  step(name, (model) => needs.every((kind) => model[kind].length > 0), run);

const otherClient = ({ clients }: Model, than: Client): string => clients.find((each) => each !== than)?.id ?? newId();

/** A signed-in person has the portal's cookie in each of their browsers. */
const signedInAs = ({ browser, person, cookie, path }: Asked): PageBrowser => {
  browser.keep({ name: 'mcp_request', value: cookie, path });
  if (person.session === null) browser.drop('auth_access', '/');
  else browser.keep({ name: 'auth_access', value: person.session, path: '/' });
  return browser;
};

const expectValidPage = (page: PageAnswer): void => expectValidAnswer(wireAnswerOf(page), [...secrets]);

/** A page that explains why nothing was decided, and nothing changed. */
const expectRefusedPage = async (act: () => Promise<PageAnswer>, status: number): Promise<void> => {
  const page = await expectNothingStored(service, act);
  expectValidPage(page);
  expect([page.status, page.location, page.text]).toEqual([status, null, page.text]);
};

const expectDetour = async (act: () => Promise<PageAnswer>, { path }: Asked): Promise<void> => {
  const page = await expectNothingStored(service, act);
  expectValidPage(page);
  expect(page.location).toBe(`${service.portalUrl}/signin?redirect=${path}`);
};

/** The client is redirected with the result of its request, which ends it. */
const expectReported = (page: PageAnswer, request: Asked, error: string): void => {
  expectValidPage(page);
  expect(page.location).toMatch(loopbackUri);
  expect(answerIn(page.location)).toMatchObject({ error, state: request.state, iss: service.url });
  request.stage = 'decided';
};

/** Why the request can no longer be answered; null while it can. */
const closedStatus = ({ stage, client }: Asked): number | null => {
  if (stage !== 'open') return 410;
  return client.isRevoked ? 400 : null;
};

const registerClient = (isWrong: boolean): Step =>
  stepWith(isWrong ? 'register with a redirect URI that is no list' : 'register', [], async ({ clients }) => {
    const metadata = { client_name: 'A client', redirect_uris: isWrong ? loopbackUri : [loopbackUri] };
    if (isWrong) {
      const answer = await expectNothingStored(service, () => register(service, metadata));
      expect(answer.status).toBe(400);
      return;
    }
    const { status, body } = await register(service, metadata);
    expect(status).toBe(201);
    clients.push({ id: String(body['client_id']), isRevoked: false });
  });

const wrongAuthorizations: Readonly<Record<string, (model: Model) => Query>> = {
  'an unknown client': () => ({ client_id: newId() }),
  'another redirect URI': () => ({ redirect_uri: 'http://127.0.0.1:43117/elsewhere' }),
  'no challenge': () => ({ code_challenge: null }),
  'a plain challenge': () => ({ code_challenge_method: 'plain' }),
  'another response type': () => ({ response_type: 'token' }),
  'a scope of another resource': () => ({ scope: 'MEMBERS_VIEW' }),
  'another resource': () => ({ resource: 'https://elsewhere.example/' }),
  'a state given twice': () => ({ state: ['one', 'two'] }),
};

let counter = 0;

const begin = (
  clientAt: number,
  personAt: number,
  scopes: readonly Scope[] | null,
  wrong: keyof typeof wrongAuthorizations | null,
): Step =>
  stepWith(
    `client ${clientAt} asks person ${personAt} for ${scopes?.join(' ') ?? 'all'}, ${wrong ?? 'rightly'}`,
    ['clients'],
    async (model) => {
      const [client, person] = [latest(model.clients, clientAt), at(model.people, personAt)];
      const browser = new PageBrowser(service);
      if (person.session !== null) browser.keep({ name: 'auth_access', value: person.session, path: '/' });
      counter += 1;
      const verifier = `verifier-of-a-client-in-the-model-of-the-tests-${counter}`;
      const state = `state ${counter}`;
      const right = {
        redirect_uri: loopbackUri,
        code_challenge: challengeOf(verifier),
        state,
        scope: scopes === null ? null : scopes.join(' '),
      };
      const query = authorizationQuery(client.id, {
        ...right,
        ...(wrong === null ? {} : wrongAuthorizations[wrong]?.(model)),
      });
      const ask = (): Promise<PageAnswer> => browser.get(`/auth/mcp/authorize?${query}`);
      if (wrong !== null || client.isRevoked) {
        const page = await expectNothingStored(service, ask);
        expectValidPage(page);
        expect([page.status >= 400 || 'error' in answerIn(page.location), page.text]).toEqual([true, page.text]);
        return;
      }
      const page = await ask();
      const path = /\/auth\/mcp\/continue\/[0-9a-f-]{36}$/.exec(page.location ?? '')?.[0] ?? '';
      expect(page.location).toBe(
        person.session === null ? `${service.portalUrl}/signin?redirect=${path}` : `${service.url}${path}`,
      );
      const cookie = browser.valueOf('mcp_request') ?? '';
      model.requests.push({
        client,
        person,
        scopes,
        browser,
        path,
        cookie,
        verifier,
        state,
        stage: 'open',
        page: null,
      });
    },
  );

const look = (index: number): Step =>
  stepWith(`look at request ${index}`, ['requests'], async (model) => {
    const request = latest(model.requests, index);
    const { person, path } = request;
    const get = (): Promise<PageAnswer> => signedInAs(request).get(path);
    const closed = closedStatus(request);
    if (closed !== null) return expectRefusedPage(get, closed);
    if (person.session === null) return expectDetour(get, request);
    // A person who is not a super admin sees no scope, and may use another account.
    const shown = person.isSuperAdmin ? both(request.scopes ?? allScopes, person.held) : [];
    if (person.isSuperAdmin && shown.length === 0) return expectReported(await get(), request, 'invalid_scope');
    const page = await expectNothingStored(service, get);
    expectValidPage(page);
    request.page = { csrf: csrfTokenIn(page), session: person.session, scopes: shown };
    for (const scope of allScopes) expect(page.text.includes(scope)).toBe(shown.includes(scope));
  });

const wrongAnswers = [
  'of another request',
  'forged',
  'from elsewhere',
  'in another browser',
  'neither “Allow” nor “Refuse”',
] as const;
type WrongAnswer = (typeof wrongAnswers)[number];

/** The page that refuses the answer, 'detour' to the portal when signed out; null if the answer counts. */
const refusalOfAnswer = (request: Asked, wrong: WrongAnswer | null): number | 'detour' | null => {
  const { person, page } = request;
  if (wrong === 'from elsewhere' || wrong === 'in another browser') return 403;
  const closed = closedStatus(request);
  if (closed !== null) return closed;
  if (person.session === null) return 'detour';
  if (wrong === 'of another request' || wrong === 'forged' || page?.session !== person.session) return 403;
  return wrong === 'neither “Allow” nor “Refuse”' ? 400 : null;
};

const csrfFor = ({ requests }: Model, request: Asked, wrong: WrongAnswer | null): string => {
  const own = request.page?.csrf ?? 'none';
  const another = requests.findLast(
    ({ page, person }) => page !== null && page !== request.page && person === request.person,
  );
  if (wrong === 'of another request') return another?.page?.csrf ?? 'none';
  return wrong === 'forged' ? `${own}.users:view` : own;
};

/** For a counting answer: what the client gets instead of a code; null where it gets one. */
const refusalOfClient = (person: Person, decision: 'approve' | 'deny', scopes: readonly Scope[]): string | null => {
  if (!person.isSuperAdmin || decision === 'deny') return 'access_denied';
  return scopes.length === 0 ? 'invalid_scope' : null;
};

const expectCode = (model: Model, request: Asked, scopes: readonly Scope[], reported: PageAnswer): void => {
  expectValidPage(reported);
  const { code = '', state } = answerIn(reported.location);
  expect([reported.status, state, code.length]).toEqual([303, request.state, 43]);
  request.stage = 'decided';
  secrets.add(code);
  const { revision } = request.person;
  model.codes.push({ text: code, request, scopes, revision, stage: 'live', grant: null });
  succeeded('consent');
};

const decide = (index: number, decision: 'approve' | 'deny', wrong: WrongAnswer | null): Step =>
  stepWith(`${decision} request ${index}${wrong === null ? '' : `, ${wrong}`}`, ['requests'], async (model) => {
    const request = latest(model.requests, index);
    const { path } = request;
    const browser = signedInAs(request);
    if (wrong === 'in another browser') browser.keep({ name: 'mcp_request', value: 'A'.repeat(43), path });
    const form = {
      csrf_token: csrfFor(model, request, wrong),
      decision: wrong === 'neither “Allow” nor “Refuse”' ? 'perhaps' : decision,
    };
    const headers: Readonly<Record<string, string>> =
      wrong === 'from elsewhere' ? { origin: 'https://evil.example' } : {};
    const answer = (): Promise<PageAnswer> => browser.post(path, form, headers);
    const refusal = refusalOfAnswer(request, wrong);
    if (refusal === 'detour') return expectDetour(answer, request);
    if (refusal !== null) return expectRefusedPage(answer, refusal);
    const scopes = both(request.page?.scopes ?? [], request.person.held);
    const error = refusalOfClient(request.person, decision, scopes);
    const reported = await answer();
    if (error === null) expectCode(model, request, scopes, reported);
    else expectReported(reported, request, error);
    return undefined;
  });

/** Only a successful answer of the token endpoint contains a secret. */
const refuse = async (error: string, act: () => Promise<OAuthAnswer>): Promise<void> => {
  const answer = await expectOAuthRefusal(service, error, act);
  expectValidAnswer(wireAnswerOf(answer), [...secrets]);
};

type Change<Subject> = (model: Model, subject: Subject) => Readonly<Record<string, string>>;
type Wrongs<Subject> = Readonly<Record<string, readonly [error: string, change: Change<Subject>]>>;

const wrongRedemptions: Wrongs<Code> = {
  'by another client': ['invalid_grant', (model, { request }) => ({ client_id: otherClient(model, request.client) })],
  'with another redirect URI': ['invalid_grant', () => ({ redirect_uri: `${loopbackUri}/` })],
  'with another verifier': ['invalid_grant', () => ({ code_verifier: 'v'.repeat(43) })],
  'with another code': ['invalid_grant', () => ({ code: 'c'.repeat(43) })],
  'for another resource': ['invalid_target', () => ({ resource: 'https://elsewhere.example/mcp' })],
  'with a secret': ['invalid_client', () => ({ client_secret: 'a secret of the client' })],
  'with another grant type': ['unsupported_grant_type', () => ({ grant_type: 'password' })],
};

const asItIs = ['invalid_grant', () => ({})] as const;

/** An unknown or revoked client is refused before anything else of the grant. */
const errorFor = ({ clients }: Model, error: string, clientId: string): string =>
  error !== 'invalid_grant' || clients.some(({ id, isRevoked }) => id === clientId && !isRevoked)
    ? error
    : 'invalid_client';

const addPair = (model: Model, grant: Grant, answer: OAuthAnswer, scopes: readonly Scope[]): void => {
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  expect(String(answer.body['scope']).split(' ').toSorted()).toEqual([...scopes].toSorted());
  const tokens = clientTokensOf(answer);
  secrets.add(tokens.accessToken).add(tokens.refreshToken);
  model.pairs.push({ grant, tokens, scopes, stage: 'newest' });
};

const redeem = (index: number, wrong: keyof typeof wrongRedemptions | null): Step =>
  stepWith(`redeem code ${index}${wrong === null ? '' : ` ${wrong}`}`, ['codes'], async (model) => {
    const code = latest(model.codes, index);
    const { client, person, verifier } = code.request;
    const right = redemptionOf({ code: code.text, clientId: client.id, redirectUri: loopbackUri, verifier });
    const [error, change] = wrongRedemptions[wrong ?? ''] ?? asItIs;
    const form: Readonly<Record<string, string>> = { ...right, ...change(model, code) };
    const present = (): Promise<OAuthAnswer> => postForm(service, 'token', form);
    if (wrong !== null) return refuse(errorFor(model, error, form['client_id'] ?? ''), present);
    if (client.isRevoked) return refuse('invalid_client', present);
    if (code.stage === 'redeemed' && code.grant?.isLive === true) {
      // A replayed code: its pairs are revoked.
      const answer = await present();
      expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_grant']);
      code.grant.isLive = false;
      succeeded('replay of a code');
      return;
    }
    const isGood = code.stage === 'live' && code.revision === person.revision;
    const isAllowed = person.isSuperAdmin && both(code.scopes, person.held).length > 0;
    if (!isGood || !isAllowed) return refuse('invalid_grant', present);
    const grant: Grant = { client, person, scopes: code.scopes, isLive: true };
    addPair(model, grant, await present(), code.scopes);
    code.stage = 'redeemed';
    code.grant = grant;
    succeeded('redemption');
  });

const wrongRefreshes: Wrongs<Pair> = {
  'by another client': ['invalid_grant', (model, { grant }) => ({ client_id: otherClient(model, grant.client) })],
  'with the access token': ['invalid_grant', (_model, { tokens }) => ({ refresh_token: tokens.accessToken })],
  'for another resource': ['invalid_target', () => ({ resource: 'https://elsewhere.example/mcp' })],
  'for an invalid scope': ['invalid_scope', () => ({ scope: '"' })],
};

/** 'theft': the presented pair was rotated long ago, and its session ends; null where the pair is rotated. */
const refusalOfRefresh = ({ grant, stage }: Pair, scopes: readonly Scope[]): string | null => {
  const { client, person } = grant;
  if (client.isRevoked) return 'invalid_client';
  if (!grant.isLive || stage === 'just rotated') return 'invalid_grant';
  if (stage === 'rotated long ago') return 'theft';
  if (both(scopes, grant.scopes).length < scopes.length) return 'invalid_scope';
  return person.isSuperAdmin && both(scopes, person.held).length > 0 ? null : 'invalid_grant';
};

const refresh = (index: number, asked: readonly Scope[] | null, wrong: keyof typeof wrongRefreshes | null): Step =>
  stepWith(
    `refresh pair ${index} for ${asked?.join(' ') ?? 'all'}${wrong === null ? '' : ` ${wrong}`}`,
    ['pairs'],
    async (model) => {
      const pair = latest(model.pairs, index);
      const { grant, tokens } = pair;
      const [error, change] = wrongRefreshes[wrong ?? ''] ?? asItIs;
      const form: Readonly<Record<string, string>> = {
        ...refreshOf(grant.client.id, tokens.refreshToken),
        ...(asked === null ? {} : { scope: asked.join(' ') }),
        ...change(model, pair),
      };
      const present = (): Promise<OAuthAnswer> => postForm(service, 'token', form);
      if (wrong !== null) return refuse(errorFor(model, error, form['client_id'] ?? ''), present);
      const scopes = asked ?? grant.scopes;
      const refusal = refusalOfRefresh(pair, scopes);
      if (refusal !== null && refusal !== 'theft') return refuse(refusal, present);
      const answer = await present();
      if (refusal === null) {
        addPair(model, grant, answer, scopes);
        pair.stage = 'just rotated';
        await service.sql(
          `UPDATE credentials SET revoked_at = now() + interval '10 seconds' WHERE token_hash = ANY ($1)`,
          [hashesOfTokens([tokens.accessToken, tokens.refreshToken])],
        );
        return succeeded('refresh');
      }
      expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_grant']);
      grant.isLive = false;
      return succeeded('replay of a refresh token');
    },
  );

const revoke = (index: number, kind: keyof ClientTokens, wrong: 'by another client' | 'by no client' | null): Step =>
  stepWith(`revoke the ${kind} of pair ${index}${wrong === null ? '' : ` ${wrong}`}`, ['pairs'], async (model) => {
    const { grant, tokens, stage } = latest(model.pairs, index);
    const other = wrong === 'by another client' ? otherClient(model, grant.client) : newId();
    const clientId = wrong === null ? grant.client.id : other;
    const present = (): Promise<OAuthAnswer> =>
      postForm(service, 'revoke', { token: tokens[kind], client_id: clientId });
    if (errorFor(model, 'invalid_grant', clientId) === 'invalid_client') return refuse('invalid_client', present);
    const isEnding = wrong === null && grant.isLive && stage === 'newest';
    const answer = isEnding ? await present() : await expectNothingStored(service, present);
    expect([answer.status, answer.text]).toEqual([200, '']);
    if (!isEnding) return;
    grant.isLive = false;
    succeeded('revocation');
  });

const call = (index: number): Step =>
  stepWith(`list the tools with pair ${index}`, ['pairs'], async (model) => {
    const { grant, tokens, scopes, stage } = latest(model.pairs, index);
    const list = () => send(service, { tokens }, { id: 1, method: 'tools/list' });
    // The first use of a pair is recorded.
    await list();
    const answer = await expectNothingStored(service, list);
    expectValidAnswer(wireAnswerOf(answer), [...secrets]);
    if (!grant.isLive || stage !== 'newest') {
      expect(answer.status).toBe(401);
      return;
    }
    expect(answer.status).toBe(200);
    const may: readonly string[] = grant.person.isSuperAdmin ? both(scopes, grant.person.held) : [];
    const expected = catalogue.filter(({ requiredScopes }) => requiredScopes.every((scope) => may.includes(scope)));
    expect(listedNames(answer).toSorted()).toEqual(expected.map(({ name }) => name).toSorted());
    succeeded('call');
  });

const revokeClient = (index: number): Step =>
  stepWith(`a super admin revokes client ${index}`, ['clients'], async (model) => {
    const client = latest(model.clients, index);
    const ending = model.pairs.filter(
      ({ grant, stage }) => grant.client === client && grant.isLive && stage === 'newest',
    );
    const answer = await runAs(service, world.superAdmin, operations.revokeMcpClient, { id: client.id });
    expect(answer.data).toMatchObject({ revokeMcpClient: { revokedCredentials: ending.length * 2 } });
    client.isRevoked = true;
    for (const { grant } of ending) grant.isLive = false;
  });

const signIn = async (person: Person): Promise<void> => {
  const { accessToken } = await seedSession(service.database, person.tenant.userId);
  secrets.add(accessToken);
  person.session = accessToken;
};

const signInAgain = (index: number): Step =>
  stepWith(`person ${index} signs in`, [], (model) => signIn(at(model.people, index)));

const signOutEverywhere = (index: number): Step =>
  stepWith(`person ${index} signs out everywhere`, [], async (model) => {
    const person = at(model.people, index);
    if (person.session === null) return;
    const headers = { authorization: `Bearer ${person.session}` };
    expect((await post(service.url, operations.signOutEverywhere, {}, headers)).code).toBeNull();
    person.session = null;
    person.revision += 1;
    for (const { grant } of model.pairs) if (grant.person === person) grant.isLive = false;
  });

const authorities = [
  { isSuperAdmin: true, held: allScopes },
  { isSuperAdmin: true, held: ['mcp:whoami'] },
  { isSuperAdmin: true, held: [] },
  { isSuperAdmin: false, held: [] },
] as const;

const setAuthority = async (person: Person, { isSuperAdmin, held }: (typeof authorities)[number]): Promise<void> => {
  await service.sql('UPDATE users SET is_super_admin = $2, platform_scopes = $3 WHERE id = $1', [
    person.tenant.userId,
    isSuperAdmin,
    held,
  ]);
  person.isSuperAdmin = isSuperAdmin;
  person.held = held;
};

const authorize = (index: number, which: number): Step =>
  stepWith(`person ${index} comes to be ${JSON.stringify(at(authorities, which))}`, [], (model) =>
    setAuthority(at(model.people, index), at(authorities, which)),
  );

/**
 * Longer than an answer with a new pair can count as lost, for which a busy machine would need the model of a clock.
 */
const wait = stepWith('wait for two minutes', ['pairs'], async ({ pairs }) => {
  await service.sql(
    "UPDATE credentials SET revoked_at = revoked_at - interval '2 minutes' WHERE revoked_at IS NOT NULL",
  );
  for (const pair of pairs) if (pair.stage === 'just rotated') pair.stage = 'rotated long ago';
});

const expire = stepWith('wait until every request and code is over', ['requests'], async ({ requests, codes }) => {
  await service.sql("UPDATE oauth_codes SET expires_at = now() - interval '1 second'");
  await service.sql("UPDATE oauth_requests SET expires_at = now() - interval '1 second'");
  for (const request of requests) if (request.stage === 'open') request.stage = 'expired';
  for (const code of codes) if (code.stage === 'live') code.stage = 'expired';
});

/** Several steps as one, so that sequences go further; each follows the model, after any history. */
const inTurn = (name: string, needs: keyof Model, steps_: readonly Step[]): Step =>
  stepWith(name, [needs], async (model) => {
    for (const each of steps_) if (each.check(model)) await each.run(model, null);
  });

const letIn = (clientAt: number, personAt: number): Step =>
  inTurn(`person ${personAt} lets client ${clientAt} in`, 'clients', [
    begin(clientAt, personAt, null, null),
    look(0),
    decide(0, 'approve', null),
    redeem(0, null),
  ]);

const swapPages = (clientAt: number, personAt: number): Step =>
  inTurn(`person ${personAt} is asked twice by client ${clientAt}, and answers on the other page`, 'clients', [
    begin(clientAt, personAt, null, null),
    look(0),
    begin(clientAt, personAt, null, null),
    look(0),
    decide(0, 'approve', 'of another request'),
  ]);

const replayLate = (index: number): Step =>
  inTurn(`refresh pair ${index}, and again with the old one after a while`, 'pairs', [
    refresh(index, null, null),
    wait,
    refresh(index + 1, null, null),
  ]);

/** The database equals the model, after any requests. */
const audit = stepWith('compare with the database', [], async ({ requests, codes, pairs }) => {
  const [stored] = await service.sql<Record<string, number>>(
    `SELECT (SELECT count(*) FROM credentials c JOIN users u ON u.id = c.user_id WHERE c.audience = 'mcp'
         AND c.user_id = ANY ($1) AND c.revoked_at IS NULL
         AND c.credentials_revision = u.credentials_revision)::integer AS live,
       (SELECT count(*) FROM credentials WHERE audience = 'mcp' AND user_id = ANY ($1))::integer AS issued,
       (SELECT count(*) FROM oauth_codes)::integer AS codes,
       (SELECT count(*) FROM oauth_codes WHERE consumed_at IS NOT NULL)::integer AS redeemed,
       (SELECT count(*) FROM oauth_requests WHERE decided_at IS NOT NULL)::integer AS decided,
       (SELECT count(*) FROM oauth_requests)::integer AS requests`,
    [people.map(({ userId }) => userId)],
  );
  expect(stored).toEqual({
    live: 2 * pairs.filter(({ grant, stage }) => grant.isLive && stage === 'newest').length,
    issued: 2 * pairs.length,
    codes: codes.length,
    redeemed: codes.filter(({ stage }) => stage === 'redeemed').length,
    decided: requests.filter(({ stage }) => stage === 'decided').length,
    requests: requests.length,
  });
});

/** Both may decide, and one has approved a client. */
const newModel = async (): Promise<Model> => {
  const ids = people.map(({ userId }) => userId);
  await service.sql('DELETE FROM oauth_codes');
  await service.sql('DELETE FROM oauth_requests');
  await service.sql('DELETE FROM credentials WHERE user_id = ANY ($1)', [ids]);
  // The clients of the world, which other people approved, stay.
  await service.sql('DELETE FROM oauth_clients c WHERE NOT EXISTS (SELECT FROM credentials WHERE client_id = c.id)');
  const model: Model = {
    clients: [],
    people: people.map((tenant) => ({ tenant, isSuperAdmin: true, held: allScopes, session: null, revision: 0 })),
    requests: [],
    codes: [],
    pairs: [],
  };
  for (const person of model.people) {
    await setAuthority(person, authorities[0]);
    await signIn(person);
  }
  for (const each of [registerClient(false), letIn(0, 0)]) await each.run(model, null);
  return model;
};

const which = fc.nat(5);
const newest = fc.constantFrom(0, 0, 1, 2, 3);
const scopeSets = fc.constantFrom<readonly Scope[] | null>(
  null,
  ['mcp:whoami'],
  ['mcp:whoami', 'users:view'],
  ['sessions:revoke'],
);
const rightOr = <T extends string>(wrongs: readonly T[]): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 2, arbitrary: fc.constantFrom(...wrongs) });

const steps = fc.oneof(
  { weight: 3, arbitrary: fc.boolean().map((isWrong) => registerClient(isWrong)) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(which, which, scopeSets, rightOr(Object.keys(wrongAuthorizations)))
      .map((drawn) => begin(...drawn)),
  },
  { weight: 4, arbitrary: fc.tuple(which, which).map((drawn) => letIn(...drawn)) },
  { weight: 2, arbitrary: fc.tuple(which, which).map((drawn) => swapPages(...drawn)) },
  { weight: 6, arbitrary: newest.map(replayLate) },
  { weight: 7, arbitrary: newest.map(look) },
  {
    weight: 9,
    arbitrary: fc
      .tuple(newest, fc.constantFrom('approve', 'approve', 'approve', 'deny'), rightOr(wrongAnswers))
      .map((drawn) => decide(...drawn)),
  },
  { weight: 8, arbitrary: fc.tuple(newest, rightOr(Object.keys(wrongRedemptions))).map((drawn) => redeem(...drawn)) },
  {
    weight: 8,
    arbitrary: fc.tuple(newest, scopeSets, rightOr(Object.keys(wrongRefreshes))).map((drawn) => refresh(...drawn)),
  },
  {
    weight: 24,
    arbitrary: fc
      .tuple(
        newest,
        fc.constantFrom('accessToken', 'refreshToken'),
        rightOr(['by another client', 'by another client', 'by no client'] as const),
      )
      .map((drawn) => revoke(...drawn)),
  },
  { weight: 12, arbitrary: newest.map(call) },
  { weight: 1, arbitrary: which.map(revokeClient) },
  { weight: 2, arbitrary: which.map(signInAgain) },
  { weight: 1, arbitrary: which.map(signOutEverywhere) },
  { weight: 2, arbitrary: fc.tuple(which, fc.constantFrom(0, 0, 1, 2, 3)).map((drawn) => authorize(...drawn)) },
  { weight: 2, arbitrary: fc.constant(wait) },
  { weight: 1, arbitrary: fc.constant(expire) },
  { weight: 2, arbitrary: fc.constant(audit) },
);

// Contract: requests#any-order-of-requests — Sequences of register, authorize, consent, redeem, refresh, replay and
//   revoke against a model
it('The authorization server answers and stores as in the model, for any requests in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands([steps], { maxCommands: 60, size: 'max' }), async (commands) => {
      const model = await newModel();
      await fc.asyncModelRun(() => ({ model, real: null }), commands);
      await audit.run(model, null);
    }),
    tries(70),
  );
  for (const name of ['consent', 'redemption', 'refresh', 'call', 'revocation']) {
    expectOften(successes.get(name) ?? 0, 5);
  }
  for (const name of ['replay of a code', 'replay of a refresh token']) expectOften(successes.get(name) ?? 0, 0);
  expectCleanLog(service.logs, [...secrets]);
});
