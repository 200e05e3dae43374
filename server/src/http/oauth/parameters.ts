/** Parameters as a query or a form writes them (WHATWG URL, application/x-www-form-urlencoded), with nothing made up. */
import type { FastifyRequest } from 'fastify';
import type { RequestParameters } from '../../domain/oauth/authorization-parameters.ts';
import { readOnce } from '../../domain/oauth/authorization-parameters.ts';
import { OAuthRefusal } from '../../domain/oauth/oauth-refusal.ts';
import { isId } from '../../kernel/ids.ts';

/** A text whose escapes are no UTF-8 is null: the platform's own parser would put other characters in their place. */
export const parseParameters = (text: string): RequestParameters => {
  const parameters = new Map<string, (string | null)[]>();
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const [name = '', ...value] = pair.split('=');
    const key = decode(name);
    if (key === null) continue;
    const values = parameters.get(key) ?? [];
    // Into the list that is there: a body has room to repeat one name fifty thousand times.
    values.push(decode(value.join('=')));
    parameters.set(key, values);
  }
  return parameters;
};

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // URIError, the one way in which it fails.
    return null;
  }
};

/** The query of a request's address as it came. */
export const queryOf = ({ url }: FastifyRequest): string => {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
};

/** Of a Content-Type, without its parameters; empty when there is none. */
export const mediaTypeOf = ({ headers }: FastifyRequest): string => {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return type.trim().toLowerCase();
};

/** The parameters of a form body, or null; those of the query do not count (RFC 6749, section 3.2). */
export const readForm = (request: FastifyRequest): RequestParameters | null => {
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return null;
  return parseParameters(typeof request.body === 'string' ? request.body : '');
};

/** The client that a form names, for the record of connections: null when it is none by its text. */
export const clientNamedIn = (form: RequestParameters | null): string | null => {
  const [clientId] = form?.get('client_id') ?? [];
  return clientId !== undefined && clientId !== null && isId(clientId) ? clientId : null;
};

const secrets = ['client_secret', 'client_assertion', 'client_assertion_type'];

/**
 * A form of a client that says who it is, and proves nothing: no client has anything to prove it by.
 * @throws OAuthRefusal invalid_request when there is no form, or it repeats a parameter; invalid_client when the client
 *   tries to authenticate
 */
export const requireFormOfPublicClient = (
  request: FastifyRequest,
  form: RequestParameters | null,
): RequestParameters => {
  if (form === null) throw malformed('The body must be application/x-www-form-urlencoded.');
  const hasSecret = secrets.some((name) => readOnce(form, name) !== null);
  const isBasic = /^basic(?: |$)/i.test(request.headers.authorization ?? '');
  if (!hasSecret && !isBasic) return form;
  throw new OAuthRefusal(
    'invalid_client',
    'request_malformed',
    'Clients have no secret here: name the client_id in the body and send nothing to prove it.',
  );
};

/** @throws OAuthRefusal invalid_request when the parameter is missing, repeated or no text */
export const readRequired = (parameters: RequestParameters, name: string): string => {
  const value = readOnce(parameters, name);
  if (value === null) throw malformed(`The parameter ${name} is missing.`);
  return value;
};

const malformed = (message: string): OAuthRefusal => new OAuthRefusal('invalid_request', 'request_malformed', message);
