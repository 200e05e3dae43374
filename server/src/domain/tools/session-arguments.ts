/** The filter of sessions as arguments of a tool, flat. */
import { z } from 'zod';
import { audiences, authMethods, credentialKinds } from '../credentials/token.ts';
import { idArgument, instantArgument } from './facts.ts';

export const sessionFilterArguments = {
  email: z
    .string()
    .optional()
    .describe("Part of the person's e-mail address, in any case; never finds a service account."),
  userId: idArgument.optional().describe('Of this person or service account.'),
  organizationId: idArgument.optional().describe('Issued in this organization.'),
  audience: z.enum(audiences).optional().describe('mcp for connected MCP clients.'),
  kind: z.enum(credentialKinds).optional().describe('Credentials of this kind.'),
  clientId: idArgument.optional().describe('Issued to this MCP client.'),
  authMethod: z.enum(authMethods).optional().describe('How the person signed in, or what token a machine has.'),
  issuedAfter: instantArgument.optional().describe('Issued at this instant or later.'),
  issuedBefore: instantArgument.optional().describe('Issued before.'),
  seenAfter: instantArgument.optional().describe('Last used at this instant or later.'),
  seenBefore: instantArgument.optional().describe('Last used before.'),
  network: z.string().optional().describe('IP address or CIDR, of issue or of last use.'),
  userAgent: z.string().optional().describe('Part of the user agent, in any case.'),
};
