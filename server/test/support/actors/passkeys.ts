/** People with passkeys, and the requests of their ceremonies. */
import { type Answer, operations, post, registerAndSignIn, type Tokens } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { Authenticator, type Forgery, optionsIn } from './authenticator.ts';
import { runAs } from './tenants.ts';

/** The settings of a service that has passkeys: at localhost, because an IP address has none. */
export const passkeySettings = { WEBAUTHN_RP_ID: 'localhost' } as const;

export const registerPasskey = async (
  service: Service,
  tokens: Tokens,
  authenticator: Authenticator,
  forgery: Forgery = {},
): Promise<Answer> => {
  const options = optionsIn(await runAs(service, { tokens }, operations.registerPasskeyOptions));
  const input = { name: 'Phone', response: authenticator.create(options, forgery) };
  return runAs(service, { tokens }, operations.registerPasskey, { input });
};

export interface PasskeyPerson {
  readonly email: string;
  readonly tokens: Tokens;
  readonly authenticator: Authenticator;
  readonly passkeyId: string;
}

/** A person with a password and a passkey. @param counter of the authenticator; 0 keeps none */
export const newPasskeyPerson = async (service: Service, counter = 0): Promise<PasskeyPerson> => {
  const { email, tokens } = await registerAndSignIn(service);
  const authenticator = new Authenticator(service.portalUrl);
  authenticator.counter = counter;
  const answer = await registerPasskey(service, tokens, authenticator);
  return { email, tokens, authenticator, passkeyId: passkeyIdIn(answer) };
};

export const passkeyIdIn = ({ text }: Answer): string =>
  (JSON.parse(text) as { data: { registerPasskey: { id: string } } }).data.registerPasskey.id;

/** The assertion that an authenticator makes for a sign-in. */
export const signInAssertion = async (
  service: Pick<Service, 'url'>,
  authenticator: Authenticator,
  forgery: Forgery = {},
): Promise<string> =>
  authenticator.get(optionsIn(await post(service.url, operations.signInWithPasskeyOptions)), forgery);

export const sendAssertion = (service: Pick<Service, 'url'>, response: string): Promise<Answer> =>
  post(service.url, operations.signInWithPasskey, { response });

export const signInWithPasskey = async (
  service: Pick<Service, 'url'>,
  authenticator: Authenticator,
  forgery: Forgery = {},
): Promise<Answer> => sendAssertion(service, await signInAssertion(service, authenticator, forgery));
