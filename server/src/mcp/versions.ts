/** The revisions of the Model Context Protocol that are served at the one path. */
import { isRecord } from '../kernel/records.ts';
import { mismatchMessage, RpcRefusal, rpcCodes } from './rpc.ts';

/** Of clients that begin with `initialize`; what they ask for in vain is answered with the first. */
export const handshakeVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** Of clients that name their version in each request. */
const requestVersions: readonly string[] = ['2026-07-28'];

/** Where a request names its version, in `_meta` of its params (MCP 2026-07-28). */
const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** The newest first. */
export const servedVersions: readonly string[] = [...requestVersions, ...handshakeVersions];

/**
 * `data.requested` is required of this error, but anybody can send anything in place of a version: what is given back is
 * as short as one and has no room for a token.
 */
const versionForm = /^[\w.-]{1,20}$/;

/**
 * Why a request cannot be served in the version that it names, in its header or in its `_meta`; null when it can. A
 * handshake is not held to its header: it is there to find a version. Two versions in one request are a mismatch, whether
 * or not one of them is served (2026-07-28, "Streamable HTTP").
 */
export const versionRefusal = (method: string, params: unknown, header: string | undefined): RpcRefusal | null => {
  if (method === 'initialize') return null;
  const [claimed, named] = [claimedVersion(params), header?.trim()];
  if (claimed !== null && named !== undefined && named !== claimed) return differing;
  if (claimed !== null && !requestVersions.includes(claimed)) return notServed(requestVersions, claimed);
  return named === undefined || servedVersions.includes(named) ? null : notServed(servedVersions, named);
};

const claimedVersion = (params: unknown): string | null => {
  const meta = isRecord(params) ? params['_meta'] : null;
  const version = isRecord(meta) ? meta[versionKey] : null;
  return typeof version === 'string' ? version : null;
};

const differing = new RpcRefusal({ code: rpcCodes.headerMismatch, message: mismatchMessage, rule: 'protocol_version' });

const notServed = (supported: readonly string[], named: string): RpcRefusal => {
  const requested = versionForm.test(named) ? named : null;
  return new RpcRefusal({
    code: rpcCodes.unsupportedVersion,
    message: 'This version of the protocol is not served here.',
    data: { supported, ...(requested === null ? {} : { requested }) },
    rule: 'protocol_version',
    detail: requested,
  });
};
