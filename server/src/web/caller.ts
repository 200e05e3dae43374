/** The facts of a request that a credential remembers. */
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../domain/credentials/issue-pair.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not reach the database or a log
const unprintable = /[\u0000-\u001f\u007f-\u009f]/g;

/** The address is the peer's, or the one a trusted proxy names (TRUST_PROXY). */
export const callerOf = (request: FastifyRequest): Caller => ({
  ip: request.ip,
  userAgent: request.headers['user-agent']?.replaceAll(unprintable, '') ?? null,
});
