/** The Pothos builder on which every type and operation is declared, and its scalars. */
import SchemaBuilder from '@pothos/core';
import { GraphQLError } from 'graphql';
import type { GraphqlContext } from './context.ts';

interface OwnTypes {
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
  };
}

/** The builder's type parameters, for functions that take or return parts of the schema. */
export type SchemaTypes = PothosSchemaTypes.ExtendDefaultTypes<OwnTypes>;

export const builder = new SchemaBuilder<OwnTypes>({ defaultFieldNullability: false });

const instantShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

builder.scalarType('DateTime', {
  description: 'An instant, ISO 8601 in UTC with milliseconds, e.g. 2026-11-20T09:30:00.000Z.',
  serialize: (value) => value.toISOString(),
  parseValue: (value) => {
    const instant = typeof value === 'string' && instantShape.test(value) ? new Date(value) : null;
    if (instant === null || Number.isNaN(instant.getTime())) throw new GraphQLError('A DateTime is ISO 8601 text.');
    return instant;
  },
});
