/** The filter of sessions as arguments of a tool, flat. */
import { z } from 'zod';
import { audiences, authMethods, credentialKinds } from '../credentials/token.ts';
import { idArgument, instantArgument } from './outputs.ts';

export const sessionFilterArguments = {
  email: z.string().optional().describe('Part of the address of a person, in any case.'),
  userId: idArgument.optional().describe('Person or service account.'),
  organizationId: idArgument.optional().describe('Where it was issued.'),
  audience: z.enum(audiences).optional().describe('mcp: MCP clients.'),
  kind: z.enum(credentialKinds).optional(),
  clientId: idArgument.optional(),
  authMethod: z.enum(authMethods).optional(),
  issuedAfter: instantArgument.optional().describe('Not before.'),
  issuedBefore: instantArgument.optional(),
  seenAfter: instantArgument.optional().describe('Last used, not before.'),
  seenBefore: instantArgument.optional().describe('Last used before.'),
  network: z.string().optional().describe('IP address or CIDR, of issue or last use.'),
  userAgent: z.string().optional().describe('Part of that of issue, in any case.'),
};
