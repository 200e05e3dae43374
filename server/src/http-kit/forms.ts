/**
 * Owns parameters of queries and forms (WHATWG URL, application/x-www-form-urlencoded), read without replacement
 * characters: a value that is not UTF-8 is null.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { mediaTypeOf } from './media-types.ts';
import { type BodyBudget, readBodiesWithin } from './request-bodies.ts';

/** Every value of each name, in order; null where a value is not UTF-8. */
export type Parameters = ReadonlyMap<string, readonly (string | null)[]>;

/** Text with escapes that are not UTF-8 becomes null: the platform's own parser would insert replacement characters. */
export const parseParameters = (text: string): Parameters => {
  const parameters = new Map<string, (string | null)[]>();
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const [name = '', ...value] = pair.split('=');
    const key = decode(name);
    if (key === null) continue;
    const values = parameters.get(key) ?? [];
    // Appends in place: a body has room to repeat one name fifty thousand times.
    values.push(decode(value.join('=')));
    parameters.set(key, values);
  }
  return parameters;
};

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // URIError is the only possible error.
    return null;
  }
};

/** The parameters of a form body, or null; query parameters are ignored (RFC 6749, section 3.2). */
export const readForm = (request: FastifyRequest): Parameters | null => {
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return null;
  return parseParameters(typeof request.body === 'string' ? request.body : '');
};

/** The value of a parameter, or null when it is missing, repeated, empty or not UTF-8. */
export const onlyValue = (parameters: Parameters, name: string): string | null => {
  const [value, ...others] = parameters.get(name) ?? [];
  return value === undefined || value === '' || others.length > 0 ? null : value;
};

/** @param maxBytes a longer body is rejected with 413 */
export const takeTexts = (scope: FastifyInstance, budget: BodyBudget, maxBytes: number): void =>
  readBodiesWithin(scope, { budget, maxBytes, contentType: '*', as: 'text' });
