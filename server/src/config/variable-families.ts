/** Owns the families of environment variables, whose names the operator completes, and the shape of shared secrets. */
import { list } from './value-shapes.ts';
import { type VariableFamily, variable } from './variable.ts';

export const secrets = list.refine(
  (each) => each.length > 0 && each.every((secret) => Buffer.byteLength(secret) >= 32),
  { error: 'must be one or more secrets of at least 32 bytes each, separated by commas' },
);

/** Families of variables, by their prefix. */
export const variableFamilies = {
  RESOURCE_SECRET_: {
    ...variable(
      secrets,
      '',
      'Secret of a resource of the application (docs/identity.md), for `POST /auth/introspect`: the resource `notes` has `RESOURCE_SECRET_NOTES`. 32 bytes or more, sent as it stands; a comma-separated list rotates. Without it, the resource may not ask. One for a resource that the application does not have has no effect, and the start warns of it.',
      'all',
    ),
    names: /^[A-Z][A-Z0-9_]{0,31}$/,
    namesAdvice: 'must end in the name of a resource in capital letters, as RESOURCE_SECRET_NOTES does',
    placeholder: 'NAME',
  },
} as const satisfies Readonly<Record<string, VariableFamily<unknown>>>;
