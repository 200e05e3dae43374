/** Parameters of a GraphQL request, which error messages name and never quote, and content negotiation. */
import { parseJson } from '../kernel/attempts.ts';
import { isRecord } from '../kernel/records.ts';
import { malformed, type ShownError } from './error-format.ts';
import type { VariableValues } from './variables.ts';

interface RequestParameters {
  readonly query: string;
  readonly operationName: string | null;
  readonly variables: VariableValues;
}

/** The parameters, or an error in the request's shape. */
export type ReadParameters = RequestParameters | { readonly error: ShownError };

/** Reads the text of a POST body. */
export const readBody = (body: unknown): ReadParameters => {
  if (typeof body !== 'string' || body === '') return refuse('The body is missing: it must be a JSON object.');
  const parsed = parseJson(body);
  if (parsed === undefined) return refuse('The body is not valid JSON.');
  if (Array.isArray(parsed)) return refuse('Batches are not supported: the body must be one JSON object.');
  if (!isRecord(parsed)) return refuse('The body must be a JSON object.');
  const { query, operationName, variables, extensions } = parsed;
  return check(query, operationName, variables, extensions);
};

/** Reads the query string of a GET, where `variables` and `extensions` are JSON texts. */
export const readQueryString = (parameters: unknown): ReadParameters => {
  if (!isRecord(parameters)) return refuse('The query string is missing.');
  const variables = parseParameter(parameters['variables']);
  const extensions = parseParameter(parameters['extensions']);
  if (variables === undefined) return refuse('Parameter "variables" must be one JSON object.');
  if (extensions === undefined) return refuse('Parameter "extensions" must be one JSON object.');
  return check(parameters['query'], parameters['operationName'], variables, extensions);
};

const check = (query: unknown, operationName: unknown, variables: unknown, extensions: unknown): ReadParameters => {
  if (isAbsent(query)) return refuse('Parameter "query" is missing.');
  if (typeof query !== 'string') return refuse('Parameter "query" must be a string.');
  if (!isAbsent(operationName) && typeof operationName !== 'string') {
    return refuse('Parameter "operationName" must be a string.');
  }
  if (!isAbsent(variables) && !isRecord(variables)) return refuse('Parameter "variables" must be an object.');
  if (!isAbsent(extensions) && !isRecord(extensions)) return refuse('Parameter "extensions" must be an object.');
  return { query, operationName: operationName ?? null, variables: variables ?? none };
};

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

const none: VariableValues = Object.freeze({});

const refuse = (message: string): { readonly error: ShownError } => ({ error: malformed(message) });

/** Null for an absent or empty parameter; undefined for what is not JSON, and for a repeated one, which is an array. */
const parseParameter = (text: unknown): unknown => {
  if (text === undefined || text === '') return null;
  return typeof text === 'string' ? parseJson(text) : undefined;
};

// Content negotiation of GraphQL over HTTP: the response media type, and which request bodies are read.

export const graphqlResponse = 'application/graphql-response+json';
const plainJson = 'application/json';

export type ResponseType = typeof graphqlResponse | typeof plainJson;

/** The preferred type of an Accept header. A header that cannot be satisfied is ignored, and JSON is sent. */
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

/** Whether a client requests an HTML page, as browser navigation does and a fetch does not. */
export const wantsPage = (accept: string | undefined): boolean =>
  accept?.split(',').some((range) => parseRange(range).type === 'text/html' && parseRange(range).quality > 0) ?? false;

const parseRange = (range: string): { readonly type: string; readonly quality: number } => {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
  const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = given === undefined ? 1 : Number(given);
  return { type, quality: Number.isFinite(quality) ? quality : 0 };
};
