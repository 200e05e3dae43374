/** The facts of a request that a credential remembers, and that limits count. */
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../domain/credentials/issue-pair.ts';
import { plainAddress } from '../kernel/network.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not reach the database or a log
const unprintable = /[\u0000-\u001f\u007f-\u009f]/g;

/** Of a peer that is gone by now: its connection does not tell any more. */
const unknownAddress = 'unknown';

/** The peer's address, or the one that a trusted proxy names (TRUST_PROXY), without a port. */
export const addressOf = ({ ip }: { readonly ip: string | undefined }): string => plainAddress(ip ?? unknownAddress);

export const callerOf = (request: FastifyRequest): Caller => ({
  ip: addressOf(request),
  userAgent: request.headers['user-agent']?.replaceAll(unprintable, '') ?? null,
});
