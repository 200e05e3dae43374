/** Without JSON schemas: else Fastify loads its validator and its serializer, a hundred modules, at each start. */
import type { FastifyServerOptions } from 'fastify';

const refuse = (): never => {
  throw new Error(
    'A route of the service has a JSON schema, and this server compiles none (http-kit/without-schemas.ts)',
  );
};

export const withoutSchemas: Pick<FastifyServerOptions, 'schemaController'> = {
  schemaController: { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } },
};
