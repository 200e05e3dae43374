/** The GraphQL type Acknowledgement: the answer of an operation that has nothing else to say. */
import { builder } from '../builder.ts';

export const acknowledged = { success: true } as const;

export const Acknowledgement = builder.objectRef<typeof acknowledged>('Acknowledgement').implement({
  fields: (t) => ({ success: t.exposeBoolean('success') }),
});
