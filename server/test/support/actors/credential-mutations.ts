/** The seven mutations that mint, consume or check secrets, and the token endpoint, each with a retry. */
import { randomBytes } from 'node:crypto';
import { vTokenOf } from '../../../src/domain/invitations/invite-member.ts';
import { platformScopes } from '../../../src/domain/scopes/scopes.ts';
import { Keyring, sha256 } from '../../../src/kernel/secrets.ts';
import { createPasswordHasher } from '../../../src/platform/passwords/password-hasher.ts';
import {
  Browser,
  bearer,
  goodPassword,
  newAddress,
  operations,
  post,
  type Tokens,
  tokensOf,
  type Variables,
} from '../clients/clients.ts';
import { clientTokensOf, newClient, newCode, postForm, redemptionOf, refreshAs, refreshOf } from '../clients/oauth.ts';
import { exchange, newIdentity, newSecret, returningBrowser } from '../servers/external.ts';
import { seedPerson, seedSession } from './seeding.ts';
import { addTo, inviteTo, newOwner, type Stored } from './tenants.ts';

/** A service with a provider, and its database, reached directly. {@link placeOf} creates one. */
export interface Place extends Stored {
  readonly url: string;
  readonly secrets: readonly string[];
  /** Of {@link goodPassword}. */
  readonly passwordHash: string;
  readonly clientId: string;
  /** The organization to which people are invited. */
  readonly organizationId: string;
}

/** @param saltRounds the cost of a hash of the service */
export const placeOf = async (
  service: Pick<Place, 'url' | 'secrets' | 'database' | 'sql'>,
  saltRounds: number,
): Promise<Place> => {
  const passwords = createPasswordHasher(saltRounds, { threads: 1 });
  const passwordHash = await passwords.hash(goodPassword);
  await passwords.close();
  const { organizationId } = await newOwner(service);
  return { ...service, passwordHash, organizationId, clientId: await newClient(service) };
};

export interface Attempt {
  /** Sends it; may be called again. @returns whether it was answered; false is a 503, and every other refusal throws */
  readonly send: () => Promise<boolean>;
  /** Uses the returned tokens. Throws when they do not work. */
  readonly use: () => Promise<void>;
  /** Live pairs of the person or of the client: one, if the answer is one, and each has a known owner. */
  readonly livePairs: () => Promise<number>;
}

export interface CredentialMutation {
  readonly name: string;
  readonly statement: RegExp;
  /** Whether the statement commits by itself, outside a transaction. */
  readonly isAlone?: true;
  /** Creates what the client needs before. */
  readonly prepare: (place: Place) => Promise<Attempt>;
}

const user = 'user { id memberships { id organization { id name } } externalIdentity { linkedAt } }';
const pair = `{ accessToken refreshToken ${user} }`;

const queries = {
  signIn: `mutation ($input: SignInWithPasswordInput!) { signInWithPassword(input: $input) ${pair} }`,
  refresh: `mutation ($refreshToken: String, $accessToken: String) {
    refreshAccessToken(refreshToken: $refreshToken, accessToken: $accessToken) ${pair} }`,
  complete: `mutation ($input: CompleteInvitedProfileInput!) { completeInvitedProfile(input: $input) ${pair} }`,
  switch: `mutation ($id: ID!) { switchOrganization(organizationId: $id) ${pair} }`,
} as const;

const countLivePairs = async ({ sql }: Place, of: string, value: string): Promise<number> =>
  (await sql.value<number>(
    `SELECT count(DISTINCT pair_id)::integer AS live FROM credentials c JOIN users u ON u.id = c.user_id
     WHERE ${of} = $1 AND c.revoked_at IS NULL AND c.credentials_revision = u.credentials_revision`,
    [value],
  )) ?? 0;

interface Sent {
  readonly query: string;
  readonly variables: Variables;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A GraphQL mutation of a program, answered with a pair in the body. */
const pairInBody = (place: Place, userId: string, { query, variables, headers = {} }: Sent): Attempt => {
  let held: Tokens | null = null;
  return {
    send: async () => {
      const answer = await post(place.url, query, variables, headers);
      if (answer.code === 'UNAVAILABLE') return false;
      held = tokensOf(answer);
      return true;
    },
    use: async () => void tokensOf(await post(place.url, operations.refresh, { ...held })),
    livePairs: () => countLivePairs(place, 'c.user_id', userId),
  };
};

/** One that returns a status, and no tokens. */
const wordOnly = (place: Place, sent: Sent, word: string, use: () => Promise<void>): Attempt => ({
  send: async () => {
    const answer = await post(place.url, sent.query, sent.variables);
    if (answer.code === 'UNAVAILABLE') return false;
    if (!answer.text.includes(word)) throw new Error(`Answered ${answer.text}`);
    return true;
  },
  use,
  livePairs: async () => 1,
});

const requireRow = async ({ sql }: Place, query: string, values: readonly string[]): Promise<void> => {
  const rows = await sql(query, values);
  if (rows.length !== 1) throw new Error(`${rows.length} rows for ${query}`);
};

/** A form to the token endpoint, answered with a pair of a client. */
const pairOfClient = (place: Place, userId: string, form: Record<string, string>): Attempt => {
  const { clientId } = place;
  let held: { accessToken: string; refreshToken: string } | null = null;
  return {
    send: async () => {
      const answer = await postForm(place, 'token', form);
      if (answer.status === 503) return false;
      held = clientTokensOf(answer);
      return true;
    },
    use: async () => {
      if (held === null) throw new Error('Nothing was handed out');
      clientTokensOf(await refreshAs(place, { clientId, tokens: held }));
    },
    livePairs: () => countLivePairs(place, 'c.user_id', userId),
  };
};

const newPersonOfClient = async (place: Place): Promise<string> => {
  const userId = await seedPerson(place.database);
  const scoped = 'UPDATE users SET is_super_admin = true, platform_scopes = $2 WHERE id = $1';
  await place.sql(scoped, [userId, platformScopes]);
  return userId;
};

const mint = /credentials\.issue_pair/;

const signInWithPassword: CredentialMutation = {
  name: 'signInWithPassword',
  statement: mint,
  isAlone: true,
  prepare: async (place) => {
    const email = newAddress();
    const userId = await seedPerson(place.database, email);
    await place.sql('UPDATE users SET password_hash = $2 WHERE id = $1', [userId, place.passwordHash]);
    const variables = { input: { email, password: goodPassword } };
    return pairInBody(place, userId, { query: queries.signIn, variables });
  },
};

const refreshAccessToken: CredentialMutation = {
  name: 'refreshAccessToken',
  statement: /credentials\.rotate_pair/,
  isAlone: true,
  prepare: async (place) => {
    const userId = await seedPerson(place.database);
    const tokens = await seedSession(place.database, userId);
    return pairInBody(place, userId, { query: queries.refresh, variables: { ...tokens } });
  },
};

const switchOrganization: CredentialMutation = {
  name: 'switchOrganization',
  statement: /memberships\.switch/,
  isAlone: true,
  prepare: async (place) => {
    const userId = await seedPerson(place.database);
    const tokens = await seedSession(place.database, userId);
    const { organizationId } = place;
    await addTo(place, userId, organizationId);
    const sent = { query: queries.switch, variables: { id: organizationId }, headers: bearer(tokens) };
    return pairInBody(place, userId, sent);
  },
};

const completeInvitedProfile: CredentialMutation = {
  name: 'completeInvitedProfile',
  statement: mint,
  prepare: async (place) => {
    const userId = await seedPerson(place.database);
    // The token of such an invitation is its id.
    const invitationToken = await inviteTo(place, userId, place.organizationId);
    const vToken = vTokenOf(new Keyring(place.secrets), invitationToken);
    const input = { invitationToken, vToken, name: 'Invited Person', password: goodPassword };
    return pairInBody(place, userId, { query: queries.complete, variables: { input } });
  },
};

const exchangeAuthTokens: CredentialMutation = {
  name: 'exchangeAuthTokens',
  statement: mint,
  prepare: async (place) => {
    const identity = newIdentity();
    const secret = await newSecret({ database: place.database, config: place }, identity);
    const browser = returningBrowser(place, secret, new Browser(place));
    return {
      send: async () => {
        const answer = await exchange(browser);
        if (answer.code === 'UNAVAILABLE') {
          if (answer.setCookies.length > 0) throw new Error('Refused, and signed in');
          return false;
        }
        if (answer.code !== null) throw new Error(`Refused: ${answer.text}`);
        return true;
      },
      use: async () => {
        const answer = await browser.run(operations.refreshByCookie);
        if (answer.code !== null) throw new Error(`Refused: ${answer.text}`);
      },
      livePairs: () => countLivePairs(place, 'u.email', identity.email ?? ''),
    };
  },
};

const signUpWithPassword: CredentialMutation = {
  name: 'signUpWithPassword',
  statement: /users\.insert/,
  prepare: async (place) => {
    const email = newAddress();
    const variables = { input: { email, name: 'Test Person', password: goodPassword } };
    const use = () => requireRow(place, 'SELECT id FROM users WHERE email = $1', [email]);
    return wordOnly(place, { query: operations.signUp, variables }, '"success":true', use);
  },
};

const validateEmail: CredentialMutation = {
  name: 'validateEmail',
  statement: /users\.consume_validation_token/,
  prepare: async (place) => {
    const userId = await seedPerson(place.database);
    const token = randomBytes(32).toString('hex');
    await place.sql(
      `UPDATE users SET email_validated_at = NULL, email_validation_token_hash = $2,
         email_validation_expires_at = now() + interval '1 day' WHERE id = $1`,
      [userId, sha256(token)],
    );
    const verified = 'SELECT id FROM users WHERE id = $1 AND email_validated_at IS NOT NULL';
    const use = () => requireRow(place, verified, [userId]);
    return wordOnly(place, { query: operations.validate, variables: { token } }, '"VERIFIED"', use);
  },
};

const redeemCode: CredentialMutation = {
  name: 'token endpoint, code',
  statement: mint,
  prepare: async (place) => {
    const { clientId } = place;
    const userId = await newPersonOfClient(place);
    return pairOfClient(place, userId, redemptionOf(await newCode(place, { clientId, userId })));
  },
};

const refreshOfClient: CredentialMutation = {
  name: 'token endpoint, refresh token',
  statement: /credentials\.rotate_client_pair/,
  isAlone: true,
  prepare: async (place) => {
    const { clientId } = place;
    const userId = await newPersonOfClient(place);
    const { refreshToken } = await seedSession(place.database, userId, {
      clientId,
      scopes: platformScopes,
      bound: null,
    });
    return pairOfClient(place, userId, refreshOf(clientId, refreshToken));
  },
};

export const credentialMutations: readonly CredentialMutation[] = [
  signInWithPassword,
  refreshAccessToken,
  switchOrganization,
  completeInvitedProfile,
  exchangeAuthTokens,
  signUpWithPassword,
  validateEmail,
  redeemCode,
  refreshOfClient,
];
