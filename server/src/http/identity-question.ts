/**
 * The parameters of `/auth/identity` (contract, application.md): what a back end asks for beside the identity. A name
 * or a value that is not known is refused, so that a slip never asks for less.
 */
import type { Application } from '../domain/scopes/application.ts';
import { isPlatformScope } from '../domain/scopes/scopes.ts';
import { invalidInput } from '../kernel/errors.ts';

export interface IdentityQuestion {
  /** All of them must be held. */
  readonly scopes: readonly string[];
  /** Whether a membership is required. */
  readonly membership: boolean;
  /** The method of the original request; null when the parameter is absent. */
  readonly method: string | null;
  /** Whether a token of a machine is accepted. */
  readonly machines: boolean;
  /** Whether a browser that navigates is sent to the sign-in page in place of a 401. */
  readonly signin: boolean;
}

const nothing: IdentityQuestion = { scopes: [], membership: false, method: null, machines: false, signin: false };

/** RFC 9110, section 9.1: a token. */
const methodShape = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

/** Parameters with one possible value. */
const switches: Readonly<Record<string, string>> = { membership: 'required', machine: 'allowed', signin: 'true' };

/**
 * @param query of the URL, without its question mark
 * @throws Refusal BAD_USER_INPUT: a parameter, a value or a scope is unknown, or a parameter is repeated
 */
export const readQuestion = (query: string, application: Application): IdentityQuestion => {
  if (query === '') return nothing;
  const parameters = new URLSearchParams(query);
  for (const [name, value] of parameters) requireKnown(name, value, parameters, application);
  return {
    scopes: parameters.getAll('scope'),
    membership: parameters.has('membership'),
    method: parameters.get('method'),
    machines: parameters.has('machine'),
    signin: parameters.has('signin'),
  };
};

const requireKnown = (name: string, value: string, parameters: URLSearchParams, application: Application): void => {
  if (name === 'scope') {
    if (application.hasScope(value) || isPlatformScope(value)) return;
    throw invalidInput({ scope: 'There is no such scope.' });
  }
  if (name !== 'method' && !Object.hasOwn(switches, name)) {
    throw invalidInput({ parameters: 'The parameters are scope, membership, machine, method and signin.' });
  }
  if (parameters.getAll(name).length > 1) throw invalidInput({ [name]: 'It is given more than once.' });
  if (name === 'method' ? methodShape.test(value) : value === switches[name]) return;
  const advice = name === 'method' ? 'It must be the name of a method.' : `Its only value is ${switches[name]}.`;
  throw invalidInput({ [name]: advice });
};
