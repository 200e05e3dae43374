/** Parameters of `/auth/identity` (contract/application.md#unknown-parameters); unknown ones are refused. */
import type { Application } from '../domain/scopes/application.ts';
import { isPlatformScope } from '../domain/scopes/scopes.ts';
import { invalidInput } from '../kernel/errors.ts';
import { storableAddress } from '../kernel/network.ts';

export interface IdentityQuestion {
  /** All of them must be held. */
  readonly scopes: readonly string[];
  /** Whether a membership is required. */
  readonly membership: boolean;
  /** The method of the original request; null when the parameter is absent. */
  readonly method: string | null;
  /** The client's address as a back end names it; `unknown` where it cannot; null when the parameter is absent. */
  readonly clientIp: string | null;
  /** Whether a token of a machine is accepted. */
  readonly machines: boolean;
  /** Whether a browser that navigates is sent to the sign-in page in place of a 401. */
  readonly signin: boolean;
}

const nothing: IdentityQuestion = {
  scopes: [],
  membership: false,
  method: null,
  clientIp: null,
  machines: false,
  signin: false,
};

/** In place of an address (RFC 7239, section 6.2): who asks does not know that of its client. */
export const unknownClient = 'unknown';

/** RFC 9110, section 9.1: a token. */
const methodShape = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;

interface Rule {
  readonly accepts: (value: string) => boolean;
  readonly advice: string;
}

const only = (one: string): Rule => ({ accepts: (value) => value === one, advice: `Its only value is ${one}.` });

/** The values of the parameters that are given once. */
const rules: Readonly<Record<string, Rule>> = {
  membership: only('required'),
  machine: only('allowed'),
  method: { accepts: (value) => methodShape.test(value), advice: 'It must be the name of a method.' },
  signin: only('true'),
  client_ip: {
    accepts: (value) => value === unknownClient || storableAddress(value) !== null,
    advice: 'It must be an address, or unknown.',
  },
};

/** @throws Refusal BAD_USER_INPUT: a parameter, a value or a scope is unknown, or a parameter is repeated */
export const readQuestion = (query: string, application: Application): IdentityQuestion => {
  if (query === '') return nothing;
  const parameters = new URLSearchParams(query);
  for (const [name, value] of parameters) requireKnown(name, value, parameters, application);
  return {
    scopes: parameters.getAll('scope'),
    membership: parameters.has('membership'),
    method: parameters.get('method'),
    clientIp: parameters.get('client_ip'),
    machines: parameters.has('machine'),
    signin: parameters.has('signin'),
  };
};

const requireKnown = (name: string, value: string, parameters: URLSearchParams, application: Application): void => {
  if (name === 'scope') {
    if (application.hasScope(value) || isPlatformScope(value)) return;
    throw invalidInput({ scope: 'There is no such scope.' });
  }
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined) {
    throw invalidInput({ parameters: `The parameters are scope, ${Object.keys(rules).join(', ')}.` });
  }
  if (parameters.getAll(name).length > 1) throw invalidInput({ [name]: 'It is given more than once.' });
  if (!rule.accepts(value)) throw invalidInput({ [name]: rule.advice });
};
