/**
 * Content negotiation of GraphQL over HTTP: which of the two response media types a client gets, and which request
 * bodies are read at all.
 */

export const graphqlResponse = 'application/graphql-response+json';
const plainJson = 'application/json';

export type ResponseType = typeof graphqlResponse | typeof plainJson;

/** The type preferred by an Accept header; what cannot be satisfied is disregarded, and JSON is sent. */
export const negotiate = (accept: string | undefined): ResponseType => {
  if (accept === undefined || !accept.includes('graphql-response')) return plainJson;
  if (accept === graphqlResponse) return graphqlResponse;
  const ranges = accept.toLowerCase().split(',').map(parseRange);
  const quality = (type: ResponseType): number => ranges.find((range) => range.type === type)?.quality ?? 0;
  const [graphql, json] = [quality(graphqlResponse), quality(plainJson)];
  if (graphql === 0 || graphql < json) return plainJson;
  if (graphql > json) return graphqlResponse;
  return ranges.find((range) => range.type === graphqlResponse || range.type === plainJson)?.type === plainJson
    ? plainJson
    : graphqlResponse;
};

/** Whether a client asks for a page: a browser's address bar, not a fetch. */
export const wantsPage = (accept: string | undefined): boolean =>
  accept?.split(',').some((range) => parseRange(range).type === 'text/html' && parseRange(range).quality > 0) ?? false;

/** JSON in UTF-8, which is what JSON is; fastify has matched the media type itself before. */
export const isReadableJson = (contentType: string | undefined, contentEncoding: string | undefined): boolean => {
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') return false;
  if (contentType === plainJson) return true;
  const [type, ...parameters] = (contentType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (type !== plainJson) return false;
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return charset === undefined || charset.replaceAll('"', '') === 'utf-8' || charset === 'utf8';
};

const parseRange = (range: string): { readonly type: string; readonly quality: number } => {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = given === undefined ? 1 : Number(given);
  return { type, quality: Number.isFinite(quality) ? quality : 0 };
};
