/**
 * How the service proves itself at the issuer's token endpoint (RFC 6749, section 2.3.1): by its secret in the body, or in
 * the header. Issuers list what they can, and some hold each client to the one way that it was registered for, which no
 * metadata tells. So a refusal of the client has the other way tried, and what worked is kept.
 */
import type { ClientAuth, ServerMetadata } from 'openid-client';

type Library = Pick<typeof import('openid-client'), 'ClientSecretBasic' | 'ClientSecretPost'>;
type Way = 'client_secret_post' | 'client_secret_basic';

const ways: readonly Way[] = ['client_secret_post', 'client_secret_basic'];

export class ClientAuthentication {
  readonly #secret: string;
  /** The last one that was tried; null before the first refusal. */
  #way: Way | null = null;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** For the library, which asks at each request. */
  presentedBy(library: Library): ClientAuth {
    const [inBody, inHeader] = [library.ClientSecretPost(this.#secret), library.ClientSecretBasic(this.#secret)];
    return (server, client, body, headers) =>
      (this.#wayAt(server) === 'client_secret_post' ? inBody : inHeader)(server, client, body, headers);
  }

  /**
   * Does the work once more in the other way, where the issuer takes both, when it did not know the client. A code outlives
   * that: the client is looked at before it.
   */
  async proving<T>(server: Readonly<ServerMetadata>, work: () => Promise<T>): Promise<T> {
    const first = this.#wayAt(server);
    try {
      return await work();
    } catch (error) {
      const other = waysOf(server).find((way) => way !== first);
      if (other === undefined || !isUnknownClient(error)) throw error;
      this.#way = other;
      return work();
    }
  }

  /** In the body where there is a choice: in the header, issuers disagree on how a secret is encoded. */
  #wayAt(server: Readonly<ServerMetadata>): Way {
    const possible = waysOf(server);
    return possible.find((way) => way === this.#way) ?? possible[0] ?? 'client_secret_basic';
  }
}

/** An issuer that lists nothing takes the header (RFC 8414, section 2). */
const waysOf = ({ token_endpoint_auth_methods_supported: listed = [] }: Readonly<ServerMetadata>): readonly Way[] =>
  ways.filter((way) => listed.includes(way));

/** RFC 6749, section 5.2; with a challenge where the header was used. */
const isUnknownClient = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, 'code');
  const said: unknown = Reflect.get(error, 'error');
  const isRefusal = code === 'OAUTH_RESPONSE_BODY_ERROR' && said === 'invalid_client';
  return isRefusal || code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE';
};
