/**
 * Owns what a request contains beside its path: the media types of its headers (RFC 9110, section 8.3), and the
 * parameters of its query or form (WHATWG URL). A value that is not UTF-8 is null.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { orNull } from '../kernel/attempts.ts';
import { type BodyBudget, readBodiesWithin } from './request-bodies.ts';

/** The raw query of a request's URL. */
export const queryOf = ({ url }: Pick<FastifyRequest, 'url'>): string => {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
};

/** The media type of a body without its parameters; empty when there is none. */
export const mediaTypeOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string =>
  partsOf(headers['content-type'] ?? '')[0] ?? '';

const json = 'application/json';

/** Whether a body is JSON in UTF-8 without content encoding. */
export const isReadableJson = (contentType: string | undefined, contentEncoding: string | undefined): boolean => {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') return false;
  if (contentType === json) return true;
  const [type, ...parameters] = partsOf(contentType ?? '');
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return type === json && (charset === undefined || /^"?utf-?8"?$/.test(charset));
};

/** False only for a client that rejects JSON; any other media type need not be accepted. */
export const takesJson = (accept: string | undefined): boolean => {
  if (accept === undefined || accept.trim() === '') return true;
  const ranges = accept.split(',').map(partsOf);
  const [best] = [json, 'application/*', '*/*'].flatMap((wanted) => ranges.filter(([type]) => type === wanted));
  return best !== undefined && !best.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
};

/** A media type or range, and its parameters, in lower case. */
const partsOf = (text: string): readonly string[] => text.split(';').map((part) => part.trim().toLowerCase());

// Parameters of queries and forms.

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

const decode = (text: string): string | null => orNull(() => decodeURIComponent(text.replaceAll('+', ' ')));

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
