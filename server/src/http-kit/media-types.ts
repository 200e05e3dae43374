/** Owns what is read of a request's head: its query, and the media types of its headers (RFC 9110, section 8.3). */
import type { FastifyRequest } from 'fastify';

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
