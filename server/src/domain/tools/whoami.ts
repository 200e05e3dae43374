/** The tool mcp_whoami: who acts, with which scopes. */
import { z } from 'zod';
import { scopesOfActor } from '../access/actor.ts';
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
  credentialId: z.string().describe('Id of the credential that the call came with.'),
  sessionFamilyId: z.string().describe('Id of the session that the credential belongs to.'),
});

export const whoami = defineTool({
  name: 'mcp_whoami',
  title: 'Who am I',
  description:
    'Tells for whom you act: the signed-in super admin, the scopes that your calls have right now, and the credential they come with. Changes nothing. Needs mcp:whoami.',
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
      credentialId: credential.id,
      sessionFamilyId: credential.sessionFamilyId,
    };
  },
  describe: ({ user, scopes }) =>
    [`You act for ${user.name} (${user.email}).`, `Scopes now: ${scopes.join(', ')}.`].join('\n'),
});
