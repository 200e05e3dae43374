/**
 * Verification of what authenticators answer (WebAuthn level 3, sections 7.1 and 7.2). Without the database: the caller
 * compares challenge, credential, user handle, signature counter and backup eligibility with what is stored.
 */
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { parseJson } from '../../kernel/attempts.ts';
import type { RelyingParty } from '../access/deps.ts';

/** Why an answer is refused; for the log. */
type VerificationFailure =
  /** It belongs to another ceremony. */
  | 'type'
  /** It was made in a frame of another origin. */
  | 'frame'
  | 'origin'
  /** A format of attestation that was not requested. */
  | 'attestation'
  /** A key that no signature can be verified with. */
  | 'key'
  /** Relying party, user presence, user verification or signature. */
  | 'authenticator';

export class VerificationFailed extends Error {
  override readonly name = 'VerificationFailed';
  readonly failure: VerificationFailure;

  constructor(failure: VerificationFailure, cause?: unknown) {
    super(`The answer of an authenticator was not verified: ${failure}`, { cause });
    this.failure = failure;
  }
}

/** ES256, EdDSA and RS256 (IANA COSE algorithms), in the order of preference. */
export const signatureAlgorithms = [-7, -8, -257] as const;

/** AuthenticatorTransport of WebAuthn level 3, section 5.8.4, with the older name of `hybrid`. */
const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
type Transport = (typeof transports)[number];

export const isTransport = (text: string): text is Transport => transports.some((transport) => transport === text);

const importVerifier = async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
});

let loaded: ReturnType<typeof importVerifier> | undefined;

/** Loaded on first use: it takes half a second and 27 MB, which most processes do not need. */
const loadVerifier = (): ReturnType<typeof importVerifier> => {
  loaded ??= importVerifier();
  return loaded;
};

/** Begins to load it, without waiting. A failure is that of the verification, which waits for the same promise. */
export const preloadVerifier = (): void => {
  loadVerifier().catch(() => undefined);
};

// The JSON texts, of which nothing is verified yet.

/** Four times an answer with an RSA key and the longest credential id (1,023 bytes). */
const maxTextLength = 16 * 1024;
const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);

const clientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.unknown().optional(),
  topOrigin: z.unknown().optional(),
});

const credential = { id: base64url, rawId: base64url, type: z.literal('public-key') };

const registrationShape = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string()).optional(),
  }),
});

const assertionShape = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
});

/** An answer with what the browser says of it. */
interface Answer<Shape extends z.ZodType> {
  readonly credential: z.output<Shape>;
  readonly clientData: z.output<typeof clientData>;
}

export type RegistrationAnswer = Answer<typeof registrationShape>;
export type AssertionAnswer = Answer<typeof assertionShape>;

/** Null for a text that is not RegistrationResponseJSON. */
export const readRegistration = (text: string): RegistrationAnswer | null => readAnswer(registrationShape, text);

/** Null for a text that is not AuthenticationResponseJSON. */
export const readAssertion = (text: string): AssertionAnswer | null => readAnswer(assertionShape, text);

const readAnswer = <Shape extends z.ZodType<{ readonly response: { readonly clientDataJSON: string } }>>(
  shape: Shape,
  text: string,
): Answer<Shape> | null => {
  if (text.length > maxTextLength) return null;
  const answer = shape.safeParse(parseJson(text)).data;
  if (answer === undefined) return null;
  const data = clientData.safeParse(
    parseJson(Buffer.from(answer.response.clientDataJSON, 'base64url').toString()),
  ).data;
  return data === undefined ? null : { credential: answer, clientData: data };
};

// Verification.

/** @throws VerificationFailed: the browser made the answer for another ceremony, or for another page */
const requireOwnPage = (type: string, { origins }: RelyingParty, data: Answer<z.ZodType>['clientData']): void => {
  if (data.type !== type) throw new VerificationFailed('type');
  const isFramed = (data.crossOrigin !== undefined && data.crossOrigin !== false) || data.topOrigin !== undefined;
  if (isFramed) throw new VerificationFailed('frame');
  if (!origins.includes(data.origin)) throw new VerificationFailed('origin');
};

/** The report of an assertion or registration, once it is verified. */
export interface VerifiedReport {
  readonly signatureCounter: number;
  readonly isBackupEligible: boolean;
  readonly isBackedUp: boolean;
}

/** A verified registration, as it is stored. */
export interface NewPasskey extends VerifiedReport {
  readonly credentialId: Buffer;
  /** COSE_Key (RFC 9052, section 7). */
  readonly publicKey: Buffer;
  readonly transports: readonly Transport[];
}

/** @throws VerificationFailed */
export const verifyRegistration = async (
  relyingParty: RelyingParty,
  answer: RegistrationAnswer,
): Promise<NewPasskey> => {
  requireOwnPage('webauthn.create', relyingParty, answer.clientData);
  const verifier = await loadVerifier();
  const { response } = answer.credential;
  const attestation = Buffer.from(response.attestationObject, 'base64url');
  requireOwnAttestation(await orFailed(() => mapOf(verifier.decodeAttestationObject(attestation))));
  const { registrationInfo: info } = await orFailed(() =>
    verifier.verifyRegistrationResponse({
      response: registrationJson(answer.credential),
      expectedChallenge: answer.clientData.challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...signatureAlgorithms],
    }),
  );
  if (info === undefined || info.credential.id !== answer.credential.id) throw new VerificationFailed('authenticator');
  const key = await orFailed(() => mapOf(verifier.decodeCredentialPublicKey(info.credential.publicKey)));
  if (!isUsableKey(key)) throw new VerificationFailed('key');
  return {
    credentialId: Buffer.from(info.credential.id, 'base64url'),
    publicKey: Buffer.from(info.credential.publicKey),
    signatureCounter: info.credential.counter,
    transports: [...new Set(response.transports)].filter(isTransport),
    isBackupEligible: info.credentialDeviceType === 'multiDevice',
    isBackedUp: info.credentialBackedUp,
  };
};

/**
 * All but challenge, user handle, signature counter and backup eligibility.
 * @param publicKey of the named credential
 * @throws VerificationFailed
 */
export const verifyAssertion = async (
  relyingParty: RelyingParty,
  answer: AssertionAnswer,
  publicKey: Buffer,
): Promise<VerifiedReport> => {
  requireOwnPage('webauthn.get', relyingParty, answer.clientData);
  const { verifyAuthenticationResponse } = await loadVerifier();
  const { verified, authenticationInfo: info } = await orFailed(() =>
    verifyAuthenticationResponse({
      response: assertionJson(answer.credential),
      expectedChallenge: answer.clientData.challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      // Zero accepts every counter: the stored one is compared where a use is noted.
      credential: { id: answer.credential.id, publicKey: new Uint8Array(publicKey), counter: 0 },
    }),
  );
  if (!verified) throw new VerificationFailed('authenticator');
  return {
    signatureCounter: info.newCounter,
    isBackupEligible: info.credentialDeviceType === 'multiDevice',
    isBackedUp: info.credentialBackedUp,
  };
};

const registrationJson = ({
  id,
  rawId,
  type,
  response,
}: RegistrationAnswer['credential']): RegistrationResponseJSON => ({
  id,
  rawId,
  type,
  response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
  clientExtensionResults: {},
});

const assertionJson = ({ id, rawId, type, response }: AssertionAnswer['credential']): AuthenticationResponseJSON => {
  const { clientDataJSON, authenticatorData, signature } = response;
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature }, clientExtensionResults: {} };
};

/** Whatever the library throws: it throws for every answer that it does not accept, and has one class for that. */
const orFailed = async <T>(work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw new VerificationFailed('authenticator', error);
  }
};

/** The decoder does not check that it has decoded a map. */
const mapOf = (decoded: unknown): ReadonlyMap<unknown, unknown> => {
  if (decoded instanceof Map) return decoded;
  throw new TypeError('The CBOR item is not a map');
};

/**
 * None, as requested, or self attestation, which browsers leave in (WebAuthn level 3, section 5.1.3, step 21). To
 * verify others would read certificates, and request revocation lists from addresses in them.
 */
const requireOwnAttestation = (attestation: ReadonlyMap<unknown, unknown>): void => {
  const format = attestation.get('fmt');
  const attested = attestation.get('attStmt');
  const isSelf = format === 'packed' && attested instanceof Map && !attested.has('x5c');
  if (format !== 'none' && !isSelf) throw new VerificationFailed('attestation');
};

const keyLabels = { type: 1, algorithm: 3, curve: -1, x: -2, y: -3, modulus: -1, exponent: -2 } as const;

/** Whether signatures can be verified with a COSE_Key. Without attestation, no signature has proved it yet. */
const isUsableKey = (key: ReadonlyMap<unknown, unknown>): boolean => {
  const jwk = jwkOf(key);
  if (jwk === null) return false;
  try {
    const { asymmetricKeyDetails } = createPublicKey({ key: jwk, format: 'jwk' });
    const bits = asymmetricKeyDetails?.modulusLength;
    return bits === undefined || (bits >= 2048 && bits <= 4096);
  } catch {
    return false;
  }
};

/** Null for a key that has not the type of its algorithm (RFC 9053, sections 2 and 7; RFC 8812, section 2). */
const jwkOf = (key: ReadonlyMap<unknown, unknown>): JsonWebKey | null => {
  const text = (label: number): string => {
    const value = key.get(label);
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : '';
  };
  const kind = [keyLabels.algorithm, keyLabels.type].map((label) => key.get(label)).join();
  const curve = key.get(keyLabels.curve);
  if (kind === '-7,2' && curve === 1) {
    return { kty: 'EC', crv: 'P-256', x: text(keyLabels.x), y: text(keyLabels.y) };
  }
  if (kind === '-8,1' && curve === 6) return { kty: 'OKP', crv: 'Ed25519', x: text(keyLabels.x) };
  if (kind === '-257,3') return { kty: 'RSA', n: text(keyLabels.modulus), e: text(keyLabels.exponent) };
  return null;
};
