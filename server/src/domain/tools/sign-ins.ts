/** The MCP tool sign_ins_list: attempts to sign in, with the filters and pages of signIns. */
import { z } from 'zod';
import { readNetwork } from '../../kernel/network.ts';
import { listSignIns as listHistory, networkRule, signInOutcomes } from '../session-admin/list-sign-ins.ts';
import { signInMethods } from '../sign-ins/sign-in-history.ts';
import {
  checkedText,
  idArgument,
  instant,
  pageArguments,
  pageInWords,
  pageOutput,
  pageSchema,
  shortenPage,
} from './outputs.ts';
import { defineTool } from './tool.ts';

const signIn = z.object({
  id: z.string(),
  at: instant,
  userId: z.string().nullable(),
  userEmail: z.string().nullable(),
  method: z.string(),
  outcome: z.string(),
  ip: z.string().nullable(),
  userAgent: z.string().nullable(),
  sessionFamilyId: z.string().nullable(),
});

const network = checkedText((text) => (readNetwork(text) === null ? networkRule : null)).optional();

const instantShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

const instantArgument = checkedText((text) =>
  instantShape.test(text) && !Number.isNaN(Date.parse(text)) ? null : 'This must be an instant in ISO 8601.',
)
  .meta({ format: 'date-time' })
  .transform((text) => new Date(text))
  .optional();

export const listSignIns = defineTool({
  name: 'sign_ins_list',
  title: 'List sign-ins',
  description: 'Lists attempts to sign in, refused ones included, the newest first.',
  requiredScopes: ['sessions:view'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({
    userId: idArgument.optional(),
    network: network.describe('IP address or CIDR.'),
    method: z.enum(signInMethods).optional(),
    outcome: z.enum(signInOutcomes).optional(),
    from: instantArgument.describe('Not before.'),
    to: instantArgument.describe('Not after.'),
    ...pageArguments,
  }),
  output: pageSchema(signIn),
  run: async (deps, actor, { first, after, ...filter }) =>
    pageOutput(await listHistory(deps, actor, { first, after }, filter), (row) => row),
  describe: (page) => pageInWords(page, { one: 'attempt to sign in', many: 'attempts to sign in' }),
  shorten: shortenPage,
});
