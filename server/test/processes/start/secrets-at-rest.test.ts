/** Plays a whole journey on a process with debug logs, and searches for its secrets in everything left behind. */
import { expect, it } from 'vitest';
import { exchangeHashOf } from '../../../src/domain/external-sign-in/open-exchange.ts';
import { sha256 } from '../../../src/kernel/secrets.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { until } from '../../support/checks/concurrency.ts';
import { dumpOf, filesBelow, findSecrets, type Haystack, tablesAsText } from '../../support/checks/secret-scan.ts';
import { type Answer, Browser, operations, post, type Tokens, tokensOf } from '../../support/clients/clients.ts';
import { ProviderBrowser, signInAtProvider } from '../../support/clients/provider-browser.ts';
import { RawConnection } from '../../support/clients/raw-http.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { sqlOn } from '../../support/database/sql.ts';
import { environmentFor, processSecret, type Serving, serve } from '../../support/gatehouse/gatehouse-process.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { type HostileIssuer, startHostileIssuer } from '../../support/servers/hostile-issuer.ts';
import { type SmtpService, startSmtp } from '../../support/servers/smtp.ts';

const password = 'Canary.password1';
const email = 'journey@example.com';
const late = 'late@example.com';
const unknownToken = `gate_r_${'Q'.repeat(49)}`;

/** Label → secret; every secret that this test handles. */
class Secrets extends Map<string, string> {
  keep(label: string, secret: string): string {
    this.set(`${label} #${this.size}`, secret);
    return secret;
  }

  keepTokens(label: string, answer: Answer): Tokens {
    const tokens = tokensOf(answer);
    this.keep(`${label}: access token`, tokens.accessToken);
    this.keep(`${label}: refresh token`, tokens.refreshToken);
    return tokens;
  }
}

const verificationToken = (smtp: SmtpService, address: string): string => {
  const mail = smtp.mails.find(({ to, text }) => to.includes(address) && text.includes('/verify/'));
  return /\/verify\/([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1] ?? '';
};

const untilMailTo = async (smtp: SmtpService, address: string): Promise<void> =>
  until(`${address} has mail`, async () => smtp.mails.some(({ to }) => to.includes(address)));

const authorize = ({ accessToken }: Tokens) => ({ authorization: `Bearer ${accessToken}` });

const opaqueJourney = async ({ url }: Serving, secrets: Secrets): Promise<void> => {
  const wrong = secrets.keep('wrong password', 'Canary.wrong-password2');
  for (const [address, tried] of [
    [email, wrong],
    ['nobody@example.com', wrong],
    [late, password],
    [email, secrets.keep('password with NUL', 'Canary.nul3\u0000word')],
    [email, secrets.keep('long password', `Canary.long4${'x'.repeat(500)}`)],
  ]) {
    expect((await post(url, operations.signIn, { input: { email: address, password: tried } })).status).toBeGreaterThan(
      400,
    );
  }
  const first = secrets.keepTokens('sign-in', await post(url, operations.signIn, { input: { email, password } }));
  expect((await post(url, operations.me, {}, authorize(first))).code).toBeNull();
  const second = secrets.keepTokens('refresh', await post(url, operations.refresh, { ...first }));
  expect((await post(url, operations.refresh, { ...first })).code).toBe('REFRESH_SUPERSEDED');
  await post(url, operations.refresh, { ...second, refreshToken: secrets.keep('unknown token', unknownToken) });
  expect((await post(url, operations.signOut, {}, authorize(second))).code).toBeNull();
  expect((await post(url, operations.me, {}, authorize(second))).code).toBe('UNAUTHENTICATED');
};

const portalJourney = async (service: Serving, secrets: Secrets): Promise<void> => {
  const browser = new Browser(service);
  const keepCookies = (label: string): void => {
    for (const [name, value] of browser.cookies) secrets.keep(`${label}: cookie ${name}`, value);
  };
  for (const ending of [operations.signOut, operations.signOutEverywhere]) {
    await browser.run(operations.signIn, { input: { email, password } });
    keepCookies('sign-in');
    await browser.run(operations.me);
    expect((await browser.run(operations.refreshByCookie)).code).toBeNull();
    keepCookies('refresh');
    expect((await browser.run(ending)).code).toBeNull();
  }
};

/** Wrong requests, each with a secret in the wrong place. */
const malformedJourney = async ({ url }: Serving, secrets: Secrets, token: string): Promise<void> => {
  const secret = secrets.keep('misplaced secret', 'Canary.misplaced5');
  const json = { 'content-type': 'application/json' };
  const send = (path: string, options: RequestInit = {}) => fetch(`${url}${path}`, options);
  const bodies = [
    `{"query":"mutation { signInWithPassword(input: { email: \\"a@b.example\\", password: \\"${secret}\\" }) { accessToken } }"}`,
    `{"query":"mutation { signInWithPassword(password: \\"${secret}\\") { accessToken } }"}`,
    `{"query":"mutation { ${secret} }"}`,
    `{"query":"{ me { id } }","operationName":"${secret}"}`,
    `{"query":"{ me { id } }","variables":"${secret}"}`,
    `{"query":"{ me { id } }","extensions":{"secret":"${secret}"}}`,
    `[{"query":"{ me { id } }","password":"${secret}"}]`,
    `{"password":"${secret}"`,
    `{"password":"${secret}","x":"${'x'.repeat(200_000)}"}`,
  ];
  for (const body of bodies) await send('/graphql', { method: 'POST', headers: json, body });
  for (const input of [
    { email: secret, password: secret },
    { email, password: [secret] },
    { email, password: { secret } },
    { email, password, [secret]: secret },
    secret,
  ]) {
    await post(url, operations.signIn, { input });
    await post(url, operations.signUp, { input });
  }
  await post(url, operations.validate, { token: secret });
  await post(url, operations.validate, { token: [secret] });
  await post(url, operations.refresh, { refreshToken: secret, accessToken: secret });
  for (const authorization of [`Basic ${btoa(`a:${secret}`)}`, `Bearer ${secret}`, secret]) {
    await post(url, operations.me, {}, { authorization });
  }
  await post(url, operations.me, {}, { cookie: `auth_access=${secret}; auth_refresh=${secret}`, origin: url });
  await send(`/graphql?query=${encodeURIComponent(`{ me(password: "${secret}") }`)}`);
  await send('/graphql', { method: 'POST', body: new URLSearchParams({ password: secret }) });
  await send('/signin', { method: 'POST', headers: json, body: `{"password":"${secret}"` });
  for (const path of [`/verify/${token}`, `/verify/${token}?redirect=/x`, `/auth/${token}`, `/graphql/${token}`]) {
    await send(path);
  }
  const connection = await RawConnection.open(url);
  connection.write(`GET /verify/${token}% HTTP/1.1\r\nHost: gatehouse\r\nConnection: close\r\n\r\n`);
  await connection.closed();
};

/** External sign-ins: a complete one, a refused one, and two that the end of the process interrupts. */
const externalJourney = async ({ url }: Serving, issuer: HostileIssuer, secrets: Secrets): Promise<void> => {
  const service = { url, portalUrl: url };
  const start = `${url}/auth/google?redirect=%2Fsettings`;
  const keepHelper = (browser: ProviderBrowser): void => {
    const [id = '', signature = ''] = browser.valueOf('helper_session')?.split('.') ?? [];
    secrets.keep('helper session', id);
    secrets.keep('signature of a helper session', signature);
  };
  /** A user of whom nothing must be cached before they are authenticated. */
  const comeBackAs = async (browser: ProviderBrowser, label: string): Promise<string> => {
    const person = {
      sub: `${label}-subject`,
      email: `${label}@outside.example`,
      name: `${label} of the external sign-in`,
    };
    issuer.behave({ claims: (good) => ({ ...good, ...person }) });
    const callback = await signInAtProvider(browser, start, issuer.subject);
    const { location } = await browser.get(callback);
    keepHelper(browser);
    return location ?? '';
  };

  const whole = new ProviderBrowser();
  expect(await comeBackAs(whole, 'whole')).toContain('oauth_exchange=1');
  secrets.keep('exchange secret', whole.valueOf('auth_exchange') ?? '');
  expect((await whole.run(service, operations.exchangeAuthTokens)).code).toBeNull();
  for (const name of ['auth_access', 'auth_refresh']) secrets.keep(`exchange: ${name}`, whole.valueOf(name) ?? '');
  await whole.get(`${url}/auth/google/prepare-link?redirect=%2Fsettings`);
  secrets.keep('link cookie', whole.valueOf('oauth_link') ?? '');

  const waiting = new ProviderBrowser();
  expect(await comeBackAs(waiting, 'waiting')).toContain('oauth_exchange=1');
  secrets.keep('waiting exchange secret', waiting.valueOf('auth_exchange') ?? '');
  secrets.keep('marker of the waiting exchange', waiting.valueOf('exchange_marker') ?? '');
  for (const part of ['subject', '@outside.example', ' of the outside']) {
    secrets.keep('pending external sign-in', part.startsWith('subject') ? `waiting-${part}` : `waiting${part}`);
  }

  issuer.behave({ claims: (good) => ({ ...good, nonce: 'another', email: 'refused@outside.example' }) });
  const refused = new ProviderBrowser();
  const callback = await signInAtProvider(refused, start, issuer.subject);
  expect((await refused.get(callback)).location).toContain('error=PROVIDER_REFUSED');
  keepHelper(refused);
  secrets.keep('address of a refused person', 'refused@outside.example');

  issuer.behave();
  const away = new ProviderBrowser();
  await signInAtProvider(away, start, issuer.subject);
  keepHelper(away);
};

/** State, nonce, code and verifier of each attempt, and the tokens. */
const keepProviderSecrets = (issuer: HostileIssuer, secrets: Secrets): void => {
  secrets.keep('GOOGLE_CLIENT_SECRET', issuer.clientSecret);
  for (const secret of issuer.secrets) {
    secrets.keep('secret at the provider', secret);
    const [, claims, signature] = secret.split('.');
    if (claims !== undefined) secrets.keep('claims of an id_token', claims);
    if (signature !== undefined) secrets.keep('signature of an id_token', signature);
  }
};

/** All data of the instance, once its process has ended. */
const remains = async (stored: TestDatabase, output: string): Promise<Haystack[]> => {
  const database = await openDatabase({ url: stored.url, dataDirectory: stored.dataDirectory, logger: silentLogger });
  try {
    const dump = stored.url === undefined ? null : await dumpOf(stored.url);
    return [
      { name: 'logs', bytes: Buffer.from(output, 'utf8') },
      ...(await tablesAsText(sqlOn(database))),
      ...(dump === null ? [] : [dump]),
      ...(await filesBelow(stored.dataDirectory)),
    ];
  } finally {
    await database.close();
  }
};

/** The first attempt has failed, and the next one is half a minute away. */
const makeMailsDue = async ({ url, dataDirectory }: TestDatabase): Promise<void> => {
  const database = await openDatabase({ url, dataDirectory, logger: silentLogger });
  await sqlOn(database)('UPDATE mail_outbox SET next_attempt_at = now()');
  await database.close();
};

/** The scan works: it finds known texts in the places where a secret could be. */
const expectSight = (haystacks: readonly Haystack[], tokens: ReadonlyMap<string, string>, onFiles: boolean): void => {
  const places = (bytes: Buffer): string[] =>
    haystacks.filter((haystack) => haystack.bytes.includes(bytes)).map(({ name }) => name);
  expect(places(Buffer.from(email))).toContain('table public.users');
  const hash = sha256([...tokens].find(([label]) => label.startsWith('sign-in: access'))?.[1] ?? '');
  expect(places(hash)).toContain('table public.credentials');
  expect(places(Buffer.from(hash.toString('hex')))).toContain('table public.credentials');
  expect(places(Buffer.from('whole@outside.example'))).toContain('table public.users');
  expect(places(Buffer.from('whole-subject'))).toContain('table public.external_identities');
  const labelled = (start: string): string => [...tokens].find(([label]) => label.startsWith(start))?.[1] ?? '';
  const waiting = { secret: labelled('waiting exchange secret'), marker: labelled('marker of the waiting exchange') };
  expect(places(exchangeHashOf(waiting))).toContain('table public.external_exchanges');
  if (onFiles) expect(places(hash).filter((name) => name.startsWith('file '))).not.toEqual([]);
};

// Contract: accounts#callback-of-the-provider — No secret of an external sign-in at rest
it('leaves no token, password, link or secret of an external sign-in in tables, files, dump or logs', async () => {
  const stored = await createTestDatabase();
  const smtp = await startSmtp();
  const issuer = await startHostileIssuer();
  const secrets = new Secrets();
  secrets.keep('password', password);
  secrets.keep('GATEHOUSE_SECRET', processSecret);
  const adminPassword = secrets.keep('SUPER_ADMIN_PASSWORD', 'Canary.admin6');
  const environment = {
    ...environmentFor(stored),
    ...issuer.environment(),
    LOG_LEVEL: 'trace',
    SMTP_URL: smtp.url.replace('//', `//mailer:${secrets.keep('SMTP password', 'Canary-smtp7')}@`),
    SUPER_ADMIN_EMAIL: 'root@example.com',
    SUPER_ADMIN_PASSWORD: adminPassword,
  };

  const service = await serve(environment);
  await post(service.url, operations.signUp, { input: { email, name: 'Journey', password } });
  await untilMailTo(smtp, email);
  const token = secrets.keep('verification token', verificationToken(smtp, email));
  expect((await post(service.url, operations.validate, { token })).data).toEqual({
    validateEmail: { status: 'VERIFIED' },
  });
  // A queued mail when the process ends.
  await smtp.down();
  await post(service.url, operations.signUp, { input: { email: late, name: 'Late', password } });
  await opaqueJourney(service, secrets);
  await portalJourney(service, secrets);
  await malformedJourney(service, secrets, token);
  await externalJourney(service, issuer, secrets);
  keepProviderSecrets(issuer, secrets);
  const root = { email: 'root@example.com', password: adminPassword };
  secrets.keepTokens('admin', await post(service.url, operations.signIn, { input: root }));
  const { code, output } = await service.stop();
  expect(code).toBe(0);
  const whileMailWaits = await remains(stored, output);

  // The next process sends it, so that its content is known.
  await smtp.up();
  await makeMailsDue(stored);
  const next = await serve(environment);
  await untilMailTo(smtp, late);
  secrets.keep('late verification token', verificationToken(smtp, late));
  const { output: nextOutput } = await next.stop();
  const afterwards = await remains(stored, nextOutput);

  expect(secrets.size).toBeGreaterThanOrEqual(25);
  for (const [label, secret] of secrets) expect(secret.length, label).toBeGreaterThan(10);
  expectSight(whileMailWaits, secrets, stored.url === undefined);
  expect(findSecrets(secrets, whileMailWaits)).toEqual([]);
  expect(findSecrets(secrets, afterwards)).toEqual([]);
  await smtp.down();
  await issuer.close();
  await stored.drop();
}, 120_000);
