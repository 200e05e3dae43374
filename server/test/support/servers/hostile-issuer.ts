/** An OpenID Connect issuer with any wrong behaviour; by default a correct one that signs in every person. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { type Json, newSigningKey, type SigningKey, signedWith } from './id-tokens.ts';
import { listen } from './listen.ts';

/** Replaces an answer of the issuer. `wrong-answers.ts` has them. */
export type WrongAnswer = (request: IncomingMessage, response: ServerResponse) => void;

type Change = (good: Json) => Json;

/** The faults. Omitted parts are correct. */
export interface Faults {
  readonly discovery?: WrongAnswer;
  readonly keys?: WrongAnswer;
  readonly token?: WrongAnswer;
  readonly metadata?: Change;
  readonly keySet?: Change;
  readonly tokenAnswer?: Change;
  /** Runs before a code is redeemed, and may wait. */
  readonly beforeToken?: () => Promise<void>;
  /** The only accepted client authentication; both without. */
  readonly onlyBy?: 'header' | 'body';
  readonly claims?: Change;
  readonly idToken?: (claims: Json, key: SigningKey) => string;
  /** The parameters with which a browser is redirected back. */
  readonly callback?: Change;
}

/** Of an attempt; all of it is secret. */
interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

export interface HostileIssuer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly key: SigningKey;
  readonly subject: string;
  /** Requested paths so far, in order. */
  readonly asked: readonly string[];
  /** Secrets that it handled, which must be found nowhere else: states, nonces, codes, verifiers, tokens. */
  readonly secrets: readonly string[];
  /** `redirect_uri` as the token endpoint received it, in order. */
  readonly redirectUris: readonly string[];
  environment(): Readonly<Record<string, string>>;
  /** From now on; earlier faults end. */
  behave(faults?: Faults): void;
  /** The redirect of a browser that opened this URL; for one that does not trust the certificate. */
  authorize(url: string): string;
  /** Only by https: from the next connection on. */
  renew(certificate: string): void;
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

export interface HostileIssuerOptions {
  /** Certificate and key, in one text. Absent: http. */
  readonly certificate?: string;
}

export const startHostileIssuer = async ({ certificate }: HostileIssuerOptions = {}): Promise<HostileIssuer> => {
  const server =
    certificate === undefined ? createServer() : createSecureServer({ cert: certificate, key: certificate });
  const { port, close } = await listen(server);
  const state = new IssuerState(`${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    state.answer(request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
    });
  });
  return {
    issuer: state.issuer,
    clientId: state.clientId,
    clientSecret: state.clientSecret,
    key: state.key,
    subject: state.subject,
    asked: state.asked,
    secrets: state.secrets,
    redirectUris: state.redirectUris,
    environment: () => ({
      GOOGLE_CLIENT_ID: state.clientId,
      GOOGLE_CLIENT_SECRET: state.clientSecret,
      GOOGLE_ISSUER: state.issuer,
    }),
    behave: (faults = {}) => {
      state.faults = faults;
    },
    authorize: (url) => state.authorize(new URL(url).searchParams),
    renew: (renewed) => {
      if (!('setSecureContext' in server)) throw new Error('This issuer has no certificate');
      server.setSecureContext({ cert: renewed, key: renewed });
    },
    down: close,
    up: async () => {
      await listen(server, port);
    },
    close,
  };
};

let madeKey: SigningKey | undefined;

/** One for all issuers of a process: generating one takes a tenth of a second. */
const signingKey = (): SigningKey => {
  madeKey ??= newSigningKey();
  return madeKey;
};

class IssuerState {
  readonly issuer: string;
  readonly clientId = 'gatehouse-of-the-tests';
  readonly clientSecret = randomBytes(32).toString('base64url');
  readonly key = signingKey();
  readonly subject = randomBytes(12).toString('hex');
  readonly asked: string[] = [];
  readonly secrets: string[] = [];
  readonly redirectUris: string[] = [];
  faults: Faults = {};
  readonly #attempts = new Map<string, Attempt>();

  constructor(issuer: string) {
    this.issuer = issuer;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    this.asked.push(url.pathname);
    const { faults } = this;
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        if (faults.discovery !== undefined) return faults.discovery(request, response);
        return send(response, 200, changed(this.#metadata(), faults.metadata));
      case '/keys':
        if (faults.keys !== undefined) return faults.keys(request, response);
        return send(response, 200, changed({ keys: [this.key.jwk] }, faults.keySet));
      case '/authorize':
        response.writeHead(302, { location: this.authorize(url.searchParams) }).end();
        return;
      case '/token':
        return this.#redeem(request, response);
      default:
        return send(response, 404, { error: 'not_found' });
    }
  }

  #metadata(): Json {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  authorize(query: URLSearchParams): string {
    const attempt = {
      state: query.get('state') ?? '',
      nonce: query.get('nonce') ?? '',
      challenge: query.get('code_challenge') ?? '',
      redirectUri: query.get('redirect_uri') ?? '',
    };
    const code = randomBytes(24).toString('base64url');
    this.#attempts.set(code, attempt);
    this.secrets.push(attempt.state, attempt.nonce, code);
    const callback = new URL(attempt.redirectUri);
    const parameters = changed({ code, state: attempt.state, iss: this.issuer }, this.faults.callback);
    for (const [name, value] of Object.entries(parameters)) callback.searchParams.set(name, String(value));
    return callback.href;
  }

  async #redeem(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const verifier = form.get('code_verifier') ?? '';
    this.secrets.push(verifier);
    this.redirectUris.push(form.get('redirect_uri') ?? '');
    const { faults } = this;
    await faults.beforeToken?.();
    if (faults.token !== undefined) return faults.token(request, response);
    if (!this.#isClient(request, form)) return send(response, 401, { error: 'invalid_client' });
    const code = form.get('code') ?? '';
    const attempt = this.#attempts.get(code);
    this.#attempts.delete(code);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    if (attempt?.challenge !== challenge || attempt.redirectUri !== form.get('redirect_uri')) {
      return send(response, 400, { error: 'invalid_grant', error_description: 'a text of the issuer' });
    }
    return send(response, 200, changed(this.#tokens(attempt), faults.tokenAnswer));
  }

  #isClient(request: IncomingMessage, form: URLSearchParams): boolean {
    const [, basic = ''] = request.headers.authorization?.split(' ') ?? [];
    const isInHeader = decodeURIComponent(atob(basic)) === `${this.clientId}:${this.clientSecret}`;
    const isInBody = form.get('client_id') === this.clientId && form.get('client_secret') === this.clientSecret;
    const { onlyBy } = this.faults;
    return (isInHeader && onlyBy !== 'body') || (isInBody && onlyBy !== 'header');
  }

  #tokens({ nonce }: Attempt): Json {
    const now = Math.floor(Date.now() / 1000);
    const claims = changed(
      {
        iss: this.issuer,
        aud: this.clientId,
        sub: this.subject,
        iat: now,
        exp: now + 3600,
        auth_time: now,
        nonce,
        email: `${this.subject}@example.com`,
        email_verified: true,
        name: 'Person at the Issuer',
      },
      this.faults.claims,
    );
    const idToken = this.faults.idToken?.(claims, this.key) ?? signedWith(this.key, claims);
    const accessToken = randomBytes(24).toString('base64url');
    this.secrets.push(idToken, accessToken);
    return { access_token: accessToken, token_type: 'Bearer', expires_in: 3600, id_token: idToken };
  }
}

const changed = (good: Json, change: Change | undefined): Json => change?.(good) ?? good;

const send = (response: ServerResponse, status: number, body: Json): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
