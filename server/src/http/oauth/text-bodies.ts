/** Bodies as texts of whatever type: each endpoint reads them itself, and says in its own words what is wrong with one. */
import type { FastifyInstance } from 'fastify';

/** @param bodyLimit in bytes; a longer body is refused with 413 */
export const takeTexts = (scope: FastifyInstance, bodyLimit: number): void => {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit }, (_request, body, done) => done(null, body));
};
