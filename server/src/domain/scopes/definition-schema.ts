/** The fields of a definition (contract/application.md#faults-of-a-definition), and their JSON Schema. */
import { z } from 'zod';
import { isPrintable } from '../../kernel/printable.ts';

const text = (longest: number) =>
  z
    .string({ error: 'must be text' })
    .min(1, `must have 1 to ${longest} characters`)
    .max(longest, `must have 1 to ${longest} characters`)
    .refine(isPrintable, 'must not have line breaks, control or text-direction characters');
const words = text(200);
const names = z.array(z.string({ error: 'must be the name of a scope' }), {
  error: 'must be a list of names of scopes',
});
const fields = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) });
const record = <Value extends z.ZodType>(value: Value) =>
  z.record(z.string(), value, { error: 'must be an object, by name' });
const link = z.string({ error: 'must be a URL' });
const maxSeats = 1_000_000;
const seats = `must be a whole number from 1 to ${maxSeats}`;

const role = fields({
  title: text(60).optional().describe('The role in words. Required for a role of your own.'),
  scopes: names.describe('Scopes that the role holds; of ADMIN and MEMBER, those beside the built-in ones.'),
});

const product = fields({
  title: text(60).optional().describe('The product in words. Default: its name.'),
  scopes: z
    .union([z.literal('*'), names], { error: "must be a list of names of scopes, or '*'" })
    .default([])
    .describe("Scopes of your own that the product grants; '*' is all."),
  without: names.default([]).describe('Built-in scopes that the product does not grant.'),
  members: z
    .int({ error: seats })
    .min(1, seats)
    .max(maxSeats, seats)
    .optional()
    .describe('Number of seats. Default: no limit.'),
  stripe: text(200).optional().describe("Look-up key of the price at Stripe. Default: the product's name."),
});

const resource = fields({
  url: link.describe('Identifier of the resource: the audience of its tokens.'),
  scopes: names.describe('Scopes that tokens for it can have.'),
  machineTokens: z
    .boolean({ error: 'must be true or false' })
    .default(false)
    .describe('Whether machine tokens are active there.'),
});

const brand = fields({
  logo: text(1000).optional().describe('Path of an SVG, PNG, JPEG or WebP file, relative to this file.'),
  color: z.string({ error: 'must be a colour such as #5b2ee5' }).optional().describe('#rrggbb, readable on white.'),
  support: link.optional().describe('https: or mailto: link.'),
  terms: link.optional().describe('https: link.'),
  privacy: link.optional().describe('https: link.'),
});

const maxMessage = 4000;
const message = z
  .string({ error: 'must be text' })
  .min(1, `must have 1 to ${maxMessage} characters`)
  .max(maxMessage, `must have 1 to ${maxMessage} characters`)
  .refine((text) => text.split('\n').every(isPrintable), 'must not have control or text-direction characters');

const messages = fields({
  mails: record(message)
    .default({})
    .describe('Texts of mails by their keys, as in passkeyAdded.subject (docs/mails.md): ICU messages.'),
  portal: record(message)
    .default({})
    .describe('Texts of the portal by their keys, as in signIn.title (docs/languages.md): ICU messages.'),
});

export const definitionSchema = fields({
  $schema: z.string().optional(),
  name: text(60).default('Gatehouse').describe('Name of the application, as people see it.'),
  scopes: record(words).default({}).describe('Scopes of an organization, each with words for people.'),
  roles: record(role)
    .default({})
    .describe('Roles beside OWNER, ADMIN and MEMBER, and scopes of your own for ADMIN and MEMBER.'),
  products: record(product)
    .optional()
    .describe('What an organization can subscribe to. Default: free, which grants every scope.'),
  endedSubscription: z
    .enum(['DENY', 'DEFAULT_PRODUCT'], { error: 'must be DENY or DEFAULT_PRODUCT' })
    .default('DENY')
    .describe('What an ended subscription leaves: nothing, or the product DEFAULT_PRODUCT.'),
  origins: z
    .array(z.string({ error: 'must be an origin' }), { error: 'must be a list of origins' })
    .default([])
    .describe("Origins of the application's own front ends, beside FRONTEND_URL."),
  resources: record(resource).default({}).describe('APIs that may introspect tokens.'),
  brand: brand.default({}).describe('How portal, mails and consent page look.'),
  messages: record(messages).default({}).describe('Texts of your own, by language: en, de, …'),
});

/** A definition with its defaults. */
export type Definition = z.output<typeof definitionSchema>;

/** The JSON Schema of a definition, for the completion of editors. */
export const definitionJsonSchema = (): object => ({
  title: 'Application of Gatehouse',
  ...z.toJSONSchema(definitionSchema, { io: 'input' }),
});

const entries: Readonly<Record<string, { readonly shape: object }>> = {
  roles: role,
  products: product,
  resources: resource,
  brand,
  messages,
};

/** Names of the fields of a definition, or of each entry of one of its fields. */
export const fieldNamesAt = (field?: string): readonly string[] =>
  Object.keys((field === undefined ? definitionSchema : entries[field])?.shape ?? {});
