/** An authenticator in software (WebAuthn level 3, section 6), and a browser around it: ES256 keys, no attestation. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { Answer } from '../clients/clients.ts';

/** The origin of FRONTEND_URL where the service is at localhost, without its port. */
type Origin = string;

/** What a test changes of an honest answer. */
export interface Forgery {
  readonly origin?: Origin;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly isUserVerified?: boolean;
  readonly isUserPresent?: boolean;
  /** By default, as of a passkey that a platform copies to other devices. */
  readonly isBackupEligible?: boolean;
  readonly isBackedUp?: boolean;
  /** Of clientDataJSON, on top of the honest members. */
  readonly clientData?: Readonly<Record<string, unknown>>;
  readonly signatureCounter?: number;
  readonly userHandle?: string | null;
  /** Signs other bytes than those that it sends. */
  readonly isSignatureWrong?: boolean;
  /** The attestation statement format and statement of a registration. */
  readonly attestation?: readonly [format: string, statement: Map<string, unknown>];
  /** The registration is signed by the new key itself, as some browsers leave it. */
  readonly isSelfAttested?: boolean;
  /** COSE_Key of a registration, in place of the authenticator's. */
  readonly coseKey?: Map<number, number | Uint8Array>;
}

interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

const flagBits = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 };

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url');
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const hashOf = (content: string | Uint8Array): Buffer => createHash('sha256').update(content).digest();

/** The options in the answer of an operation. */
export const optionsIn = ({ text }: Answer): Options => {
  const { data } = JSON.parse(text) as { data: Record<string, { publicKey: string }> };
  return JSON.parse(Object.values(data)[0]?.publicKey ?? '') as Options;
};

const attestationOf = ({ attestation }: Forgery): readonly [string, Map<string, unknown>] =>
  attestation ?? ['none', new Map()];

/** One passkey, on a device of its own. */
export class Authenticator {
  readonly #origin: Origin;
  readonly #privateKey: KeyObject;
  readonly #coseKey: Map<number, number | Uint8Array>;
  readonly credentialId = randomBytes(32).toString('base64url');
  #userHandle: string | null = null;
  #rpId = '';
  /** 0 stays 0: the authenticator keeps no counter. */
  counter = 0;

  /** @param origin of the page that it is used on */
  constructor(origin: Origin) {
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#privateKey = privateKey;
    this.#coseKey = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(bytesOf(x))],
      [-3, new Uint8Array(bytesOf(y))],
    ]);
  }

  /** RegistrationResponseJSON as JSON text. */
  create(options: Options, forgery: Forgery = {}): string {
    this.#userHandle = options.user?.id ?? null;
    this.#rpId = options.rp?.id ?? '';
    const id = bytesOf(this.credentialId);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const key = isoCBOR.encode(forgery.coseKey ?? this.#coseKey);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, key]);
    const authData = this.#authenticatorData(forgery, flagBits.attested, attested);
    const clientDataJSON = this.#clientData('webauthn.create', options, forgery);
    const [format, statement] =
      forgery.isSelfAttested === true ? this.#selfAttestation(authData, clientDataJSON) : attestationOf(forgery);
    const attestationObject = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', new Uint8Array(authData)],
      ]) as Parameters<typeof isoCBOR.encode>[0],
    );
    return this.#answer({
      clientDataJSON: textOf(clientDataJSON),
      attestationObject: textOf(attestationObject),
      transports: ['internal', 'hybrid', 'made up'],
    });
  }

  /** AuthenticationResponseJSON as JSON text. */
  get(options: Options, forgery: Forgery = {}): string {
    if (this.counter > 0) this.counter += 1;
    const clientDataJSON = this.#clientData('webauthn.get', options, forgery);
    const authenticatorData = this.#authenticatorData(forgery, 0, Buffer.alloc(0));
    const signed = Buffer.concat([authenticatorData, hashOf(clientDataJSON)]);
    if (forgery.isSignatureWrong === true) signed.writeUInt8(signed.readUInt8(0) ^ 1, 0);
    const handle = forgery.userHandle === undefined ? this.#userHandle : forgery.userHandle;
    return this.#answer({
      clientDataJSON: textOf(clientDataJSON),
      authenticatorData: textOf(authenticatorData),
      signature: textOf(sign('sha256', signed, this.#privateKey)),
      ...(handle === null ? {} : { userHandle: handle }),
    });
  }

  /** WebAuthn level 3, section 8.2. */
  #selfAttestation(authData: Buffer, clientDataJSON: Buffer): readonly [string, Map<string, unknown>] {
    const signature = sign('sha256', Buffer.concat([authData, hashOf(clientDataJSON)]), this.#privateKey);
    return [
      'packed',
      new Map<string, unknown>([
        ['alg', -7],
        ['sig', new Uint8Array(signature)],
      ]),
    ];
  }

  #answer(response: object): string {
    const { credentialId: id } = this;
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
  }

  #clientData(type: string, { challenge }: Options, forgery: Forgery): Buffer {
    const honest = { type, challenge, origin: this.#origin, crossOrigin: false };
    const { origin = honest.origin, clientData = {} } = forgery;
    const said = { ...honest, type: forgery.type ?? type, challenge: forgery.challenge ?? challenge, origin };
    return Buffer.from(JSON.stringify({ ...said, ...clientData }));
  }

  #authenticatorData(forgery: Forgery, moreFlags: number, rest: Buffer): Buffer {
    const { isUserPresent = true, isUserVerified = true, isBackupEligible = true, isBackedUp = false } = forgery;
    const flags =
      (isUserPresent ? flagBits.userPresent : 0) |
      (isUserVerified ? flagBits.userVerified : 0) |
      (isBackupEligible ? flagBits.backupEligible : 0) |
      (isBackedUp ? flagBits.backedUp : 0) |
      moreFlags;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(forgery.signatureCounter ?? this.counter);
    return Buffer.concat([hashOf(forgery.rpId ?? this.#rpId), Buffer.from([flags]), counter, rest]);
  }
}
