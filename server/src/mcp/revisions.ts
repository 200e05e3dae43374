/** Revisions of the Model Context Protocol, all at one path, and the metadata and headers that each requires. */
import { orNull } from '../kernel/attempts.ts';
import { isRecord, type JsonRecord } from '../kernel/records.ts';
import { type MetaIssue, metaIssue, metaKeys, missingMeta } from './client-metadata.ts';
import { mismatchMessage, RpcRefusal, type RpcRequest, rpcCodes } from './json-rpc.ts';

/** The headers of the protocol. */
export interface ProtocolHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/** `handshake`: by a revision that starts with `initialize`; `request`: by one whose requests name their version. */
export type Mode = 'handshake' | 'request';

/** Revisions that start with `initialize`; the first answers a client that requests an unsupported one. */
export const handshakeVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** The revision in which each request names its version. */
const requestVersion = '2026-07-28';
const requestVersions: readonly string[] = [requestVersion];

/** All supported versions, newest first. */
export const servedVersions: readonly string[] = [...requestVersions, ...handshakeVersions];

// The version of a request.

/** The error requires `data.requested`: only text as short as a version, too short for a token, is echoed. */
const versionForm = /^[\w.-]{1,20}$/;

/**
 * The refusal for the version in the header or `_meta` of a request; null when it is supported. A handshake negotiates
 * it, so its header is not checked. Two different versions are a mismatch, whether or not either is supported
 * (2026-07-28, "Streamable HTTP").
 */
export const versionRefusal = (method: string, params: unknown, header: string | undefined): RpcRefusal | null => {
  if (method === 'initialize') return null;
  const [claimed, named] = [claimedVersion(params), header?.trim()];
  if (claimed !== null && named !== undefined && named !== claimed) return differing;
  if (claimed !== null && !requestVersions.includes(claimed)) return notServed(requestVersions, claimed);
  return named === undefined || servedVersions.includes(named) ? null : notServed(servedVersions, named);
};

const metaOf = (params: unknown): JsonRecord | null => {
  const meta = isRecord(params) ? params['_meta'] : null;
  return isRecord(meta) ? meta : null;
};

const claimedVersion = (params: unknown): string | null => {
  const version = metaOf(params)?.[metaKeys.version];
  return typeof version === 'string' ? version : null;
};

const differing = new RpcRefusal({ code: rpcCodes.headerMismatch, message: mismatchMessage, rule: 'protocol_version' });

const notServed = (supported: readonly string[], named: string): RpcRefusal => {
  const requested = versionForm.test(named) ? named : null;
  return new RpcRefusal({
    code: rpcCodes.unsupportedVersion,
    message: 'This version of the protocol is not supported.',
    data: { supported, ...(requested === null ? {} : { requested }) },
    rule: 'protocol_version',
    detail: requested,
  });
};

// The mode of a request, decided by its body; headers only confirm it.

/**
 * The mode of a request whose version is accepted, or the refusal of its metadata or headers. A request whose
 * `_meta` names a version is for that version; without one, a handshake preceded it.
 */
export const modeOf = ({ method, params }: RpcRequest, headers: ProtocolHeaders): Mode | RpcRefusal => {
  const meta = metaOf(params);
  const claims = meta !== null && metaKeys.version in meta;
  if (method === 'initialize' && !(claims && isRequestMeta(meta))) return initializeMode(headers);
  if (claims) return namedMode(method, params, meta, headers);
  return headers.version?.trim() === requestVersion ? absentMeta(meta) : 'handshake';
};

/** Versions are dates, so later ones are greater. */
const isRequestVersion = (version: string): boolean => version >= requestVersion;

/** Metadata that no handshake could have. */
const isRequestMeta = (meta: JsonRecord): boolean => {
  const version = meta[metaKeys.version];
  return typeof version === 'string' && isRequestVersion(version) && metaIssue(meta) === null;
};

const initializeMode = ({ version }: ProtocolHeaders): Mode | RpcRefusal =>
  version !== undefined && isRequestVersion(version.trim()) ? differing : 'handshake';

const namedMode = (method: string, params: unknown, meta: JsonRecord, headers: ProtocolHeaders): Mode | RpcRefusal => {
  const issue = metaIssue(meta);
  if (issue !== null) return invalidMeta(issue);
  const claimed = claimedVersion(params);
  if (claimed !== null && !requestVersions.includes(claimed) && isConfirmed(headers.version, claimed)) {
    return isConfirmed(headers.method, method) ? notServed(requestVersions, claimed) : differing;
  }
  return doHeadersAgree(method, params, headers) ? 'request' : differing;
};

/** Whether a header, if there is one, repeats what the body says. */
const isConfirmed = (header: string | undefined, said: string): boolean =>
  header === undefined || header.trim() === said;

const invalidMeta = ({ key, problem }: MetaIssue): RpcRefusal =>
  refusedMeta(`Invalid _meta envelope for protocol revision ${requestVersion}: ${key}: ${problem}`, { key, problem });

const absentMeta = (meta: JsonRecord | null): RpcRefusal => {
  const missing = meta === null ? ['_meta'] : missingMeta(meta);
  const names = missing.join(', ');
  return refusedMeta(
    `Invalid params: the MCP-Protocol-Version header names protocol revision ${requestVersion}, but the request is missing the required per-request envelope key(s): ${names}`,
    { missing },
  );
};

const refusedMeta = (message: string, envelope: JsonRecord): RpcRefusal =>
  new RpcRefusal({ code: rpcCodes.invalidParams, message, data: { envelope }, rule: 'message_malformed' });

// Standard headers of 2026-07-28 ("Streamable HTTP", "Standard Request Headers"): required, and equal to the body.

/** The member of params that `Mcp-Name` repeats. */
const namedBy: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

const doHeadersAgree = (method: string, params: unknown, headers: ProtocolHeaders): boolean =>
  headers.version?.trim() === requestVersion &&
  headers.method?.trim() === method &&
  doesNameAgree(method, params, headers.name?.trim());

const doesNameAgree = (method: string, params: unknown, header: string | undefined): boolean => {
  const field = namedBy.get(method);
  if (field === undefined) return true;
  const value = isRecord(params) ? params[field] : undefined;
  const name = typeof value === 'string' ? value : null;
  if (header === undefined) return name === null;
  const decoded = decodedHeader(header);
  return decoded !== null && (name === null || decoded === name);
};

const encoded = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The value of a header that may be written in Base64; null when it is no such text. */
const decodedHeader = (header: string): string | null => {
  if (!header.startsWith('=?base64?') || !header.endsWith('?=')) return header;
  const content = encoded.exec(header)?.[1];
  return content === undefined ? null : orNull(() => utf8.decode(Buffer.from(content, 'base64')));
};
