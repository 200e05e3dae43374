/**
 * The ceremonies of WebAuthn in this browser: from the options that the server gives to the answer that it takes, both
 * as JSON text. The browser's own conversions are not used: they are newer than passkeys are.
 */

/** Why a ceremony ended without an answer. */
type CeremonyProblem =
  /** The person cancelled, or took too long: browsers do not tell which. */
  | 'cancelled'
  /** The authenticator has a passkey of this account already. */
  | 'registered'
  /** The page is not below the relying party id. */
  | 'wrongAddress'
  /** The authenticator cannot make what is asked for. */
  | 'unsupported';

const problems: Readonly<Record<string, CeremonyProblem>> = {
  NotAllowedError: 'cancelled',
  AbortError: 'cancelled',
  InvalidStateError: 'registered',
  SecurityError: 'wrongAddress',
  NotSupportedError: 'unsupported',
  ConstraintError: 'unsupported',
};

/** Undefined for an error that is not of the ceremony. */
export const ceremonyProblemOf = (error: unknown): CeremonyProblem | undefined =>
  error instanceof DOMException ? problems[error.name] : undefined;

/** Whether the browser has WebAuthn; it has none on pages without https. */
export const hasWebAuthn = (): boolean => typeof PublicKeyCredential === 'function';

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

type Descriptor = Omit<PublicKeyCredentialDescriptor, 'id'> & { readonly id: string };

const withBytes = (descriptor: Descriptor): PublicKeyCredentialDescriptor => ({
  ...descriptor,
  id: bytesOf(descriptor.id),
});

interface CreationOptions
  extends Omit<PublicKeyCredentialCreationOptions, 'challenge' | 'user' | 'excludeCredentials'> {
  readonly challenge: string;
  readonly user: Omit<PublicKeyCredentialUserEntity, 'id'> & { readonly id: string };
  readonly excludeCredentials: readonly Descriptor[];
}

/**
 * @param text JSON of PublicKeyCredentialCreationOptionsJSON
 * @returns JSON of RegistrationResponseJSON
 * @throws DOMException: {@link ceremonyProblemOf}
 */
export const createPasskey = async (text: string): Promise<string> => {
  const options = JSON.parse(text) as CreationOptions;
  const publicKey = {
    ...options,
    challenge: bytesOf(options.challenge),
    user: { ...options.user, id: bytesOf(options.user.id) },
    excludeCredentials: options.excludeCredentials.map(withBytes),
  };
  const credential = credentialOf(await navigator.credentials.create({ publicKey }));
  if (!(credential.response instanceof AuthenticatorAttestationResponse)) throw noAnswer();
  const { response } = credential;
  return answerOf(credential, {
    clientDataJSON: textOf(response.clientDataJSON),
    attestationObject: textOf(response.attestationObject),
    transports: response.getTransports(),
  });
};

interface RequestOptions extends Omit<PublicKeyCredentialRequestOptions, 'challenge' | 'allowCredentials'> {
  readonly challenge: string;
  readonly allowCredentials: readonly Descriptor[];
}

/**
 * @param text JSON of PublicKeyCredentialRequestOptionsJSON
 * @param request `mediation: 'conditional'` waits for the person to choose a passkey in the autofill of a field
 * @returns JSON of AuthenticationResponseJSON
 * @throws DOMException: {@link ceremonyProblemOf}; whatever the signal was aborted with
 */
export const answerWithPasskey = async (
  text: string,
  request: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<string> => {
  const options = JSON.parse(text) as RequestOptions;
  const publicKey = {
    ...options,
    challenge: bytesOf(options.challenge),
    allowCredentials: options.allowCredentials.map(withBytes),
  };
  const credential = credentialOf(await navigator.credentials.get({ ...request, publicKey }));
  if (!(credential.response instanceof AuthenticatorAssertionResponse)) throw noAnswer();
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
  return answerOf(credential, {
    clientDataJSON: textOf(clientDataJSON),
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
    ...(userHandle === null ? {} : { userHandle: textOf(userHandle) }),
  });
};

const noAnswer = (): DOMException => new DOMException('The authenticator gave no answer.', 'NotAllowedError');

const credentialOf = (credential: Credential | null): PublicKeyCredential => {
  if (credential instanceof PublicKeyCredential) return credential;
  throw noAnswer();
};

const answerOf = ({ id, type }: PublicKeyCredential, response: object): string =>
  JSON.stringify({ id, rawId: id, type, response, clientExtensionResults: {} });
