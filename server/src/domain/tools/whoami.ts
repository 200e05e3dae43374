/** The tool mcp_whoami: who acts, with which scopes, through which client. */
import { z } from 'zod';
import { type Actor, scopesOfActor } from '../access/actor.ts';
import { counted } from './facts.ts';
import { defineTool } from './tool.ts';

const output = z.object({
  user: z
    .object({
      id: z.string().describe('Id of the person.'),
      email: z.string().describe('Their e-mail address.'),
      name: z.string().describe('Their name.'),
    })
    .describe('The super admin who acts.'),
  scopes: z.array(z.string()).describe('What calls may do right now: granted and still held.'),
  grantedScopes: z.array(z.string()).describe('What the person consented to when they connected this client.'),
  client: z
    .object({
      id: z.string().describe('Id of the client.'),
      name: z.string().describe('Its name, as it registered itself.'),
    })
    .nullable()
    .describe('The program that you call from.'),
  credentialId: z.string().describe('Id of the credential that the call came with.'),
  sessionFamilyId: z.string().describe('Id of the session that the credential belongs to.'),
});

export const whoami = defineTool({
  name: 'mcp_whoami',
  title: 'Who am I',
  description:
    'Tells for whom you act: the signed-in super admin, the client you call from, the scopes that your calls have right now, and the credential they come with. Changes nothing. Needs mcp:whoami.',
  requiredScopes: ['mcp:whoami'],
  isReadOnly: true,
  isDestructive: false,
  input: z.strictObject({}),
  output,
  run: async (_deps, actor) => {
    const { user, credential } = actor;
    return {
      user: { id: user.id, email: user.email, name: user.name },
      scopes: [...scopesOfActor(actor)].sort(),
      grantedScopes: [...credential.scopes],
      client: clientOf(credential),
      credentialId: credential.id,
      sessionFamilyId: credential.sessionFamilyId,
    };
  },
  describe: ({ user, scopes, client }) => {
    const through = client === null ? '' : `, through “${client.name}”`;
    return `You act for “${user.name}” (${user.email})${through}, with ${counted(scopes.length, { one: 'scope', many: 'scopes' })}.`;
  },
});

const clientOf = ({ clientId: id, clientName: name }: Actor['credential']): z.output<typeof output>['client'] =>
  id === null || name === null ? null : { id, name };
