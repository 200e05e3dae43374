/** Sign-ins in two requests: by a passkey in software, and by a password with a one-time code. */
import { createHash, sign } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { origin } from '../servers/settings.ts';
import type { CodeHolder, PasskeyHolder, RequestText } from './job.ts';
import { bytesOf, type NextRequest } from './request-bytes.ts';

const pair = '{ accessToken refreshToken accessTokenExpiresAt refreshTokenExpiresAt }';

/** The connections of a job take the people in turn; the second request of a sign-in needs the answer to the first. */
export const twoSteps = <Person>(
  people: readonly Person[],
  first: (person: Person) => RequestText,
  second: (person: Person, answer: string) => RequestText,
): (() => NextRequest) => {
  let begun = 0;
  return () => {
    let waiting: Person | null = null;
    return (answer) => {
      const person: Person | null = waiting;
      waiting = null;
      if (person !== null && answer !== null) return bytesOf(second(person, answer.toString()));
      const next = people[begun % people.length];
      if (next === undefined) throw new Error('Nobody signs in');
      begun += 1;
      waiting = next;
      return bytesOf(first(next));
    };
  };
};

// Passkeys.

const optionsMutation = 'mutation Options { signInWithPasskeyOptions { publicKey } }';
const passkeyMutation = `mutation SignIn($response: String!) { signInWithPasskey(response: $response) ${pair} }`;

export const passkeyOptions = ({ from }: PasskeyHolder): RequestText => ({
  path: '/graphql',
  body: JSON.stringify({ query: optionsMutation }),
  token: null,
  from,
});

export const passkeySignIn = (holder: PasskeyHolder, answer: string): RequestText => {
  const { data } = JSON.parse(answer) as { data: { signInWithPasskeyOptions: { publicKey: string } } };
  const { challenge } = JSON.parse(data.signInWithPasskeyOptions.publicKey) as { challenge: string };
  const variables = { response: assertion(holder, challenge) };
  return {
    path: '/graphql',
    body: JSON.stringify({ query: passkeyMutation, variables }),
    token: null,
    from: holder.from,
  };
};

const hashOf = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** The user is present and verified; the authenticator keeps no counter (WebAuthn level 3, section 6.1). */
const authenticatorData = Buffer.concat([hashOf(new URL(origin).hostname), Buffer.from([0x05, 0, 0, 0, 0])]);

/** AuthenticationResponseJSON as JSON text. */
const assertion = ({ credentialId: id, userHandle, privateKey }: PasskeyHolder, challenge: string): string => {
  const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }));
  const signed = Buffer.concat([authenticatorData, hashOf(clientData)]);
  const response = {
    clientDataJSON: clientData.toString('base64url'),
    authenticatorData: authenticatorData.toString('base64url'),
    signature: sign('sha256', signed, { key: privateKey, format: 'jwk' }).toString('base64url'),
    userHandle,
  };
  return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
};

// One-time codes.

const passwordMutation = `mutation SignIn($input: SignInWithPasswordInput!) {
  signInWithPassword(input: $input) ${pair} }`;
const codeMutation = `mutation Complete($input: CompleteSecondFactorInput!) {
  completeSecondFactor(input: $input) ${pair} }`;

export const passwordOfCodes = ({ email, password, from }: CodeHolder): RequestText => ({
  path: '/graphql',
  body: JSON.stringify({ query: passwordMutation, variables: { input: { email, password } } }),
  token: null,
  from,
  // The refusal is no failure of the load: with this media type its status is 200.
  accept: 'application/json',
});

const periodSeconds = 30;

/**
 * @returns the second request; the service accepts each time step once, and one before and after the current one, which
 *   may be over when the request arrives
 */
export const codeRequests = (): ((holder: CodeHolder, answer: string) => RequestText) => {
  const lastSteps = new Map<string, number>();
  return ({ email, secret, from }, answer) => {
    const challenge = /"challenge":"([^"]+)"/.exec(answer)?.[1];
    if (challenge === undefined) throw new Error(`No challenge in ${answer.slice(0, 500)}`);
    const step = Math.max(Math.floor(Date.now() / 1000 / periodSeconds), (lastSteps.get(email) ?? 0) + 1);
    lastSteps.set(email, step);
    const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: step * periodSeconds * 1000 });
    const variables = { input: { challenge, code } };
    return { path: '/graphql', body: JSON.stringify({ query: codeMutation, variables }), token: null, from };
  };
};
