/** Notes of organizations, on Fastify. Gatehouse decides for each request who makes it. */
import { createIdentity, isRefusal, type Membership } from '@gatehouse/node';
import { type FastifyRequest, fastify, type onRequestAsyncHookHandler } from 'fastify';

const { GATEHOUSE_URL = 'http://localhost:4000', GATEHOUSE_FRONTEND_URL = GATEHOUSE_URL, PORT = '3000' } = process.env;
const ownUrl = `http://localhost:${PORT}`;

const identity = createIdentity({ baseUrl: GATEHOUSE_URL, frontends: [GATEHOUSE_FRONTEND_URL, ownUrl] });

interface Note {
  readonly text: string;
  readonly author: string;
}

/** By the id of the organization that owns them; a real application has a database. */
const notes = new Map<string, Note[]>();

interface Caller {
  readonly name: string;
  readonly organization: Membership['organization'];
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

const app = fastify();
app.decorateRequest('caller');

/** Requires a scope before the body is read, and adds the caller to the request. */
const allow =
  (scope: string): onRequestAsyncHookHandler =>
  async (request) => {
    const actor = await identity.resolveActor(request);
    identity.requireScopes(actor, scope);
    const { organization } = identity.requireMembership(actor);
    request.caller = { name: actor.name, organization };
  };

app.get('/notes', { onRequest: allow('notes:read') }, async ({ caller }) => ({
  notes: notes.get(caller.organization.id) ?? [],
}));

const body = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } };

app.post<{ Body: { text: string } }>(
  '/notes',
  { onRequest: allow('notes:write'), schema: { body } },
  async ({ caller: { name, organization }, body: { text } }, reply) => {
    const note = { text, author: name };
    notes.set(organization.id, [...(notes.get(organization.id) ?? []), note]);
    return reply.status(201).send(note);
  },
);

/** A browser that opens a page, in contrast to a script, which can handle a 401. */
const isNavigation = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && headers.authorization === undefined && (headers.accept ?? '').includes('text/html');

app.setErrorHandler((error, request, reply) => {
  // Fastify answers other errors itself.
  if (!isRefusal(error)) throw error;
  if (error.status === 401 && isNavigation(request)) return reply.redirect(identity.signInRedirect(request));
  return reply.status(error.status).headers(error.headers).send(error.body);
});

await app.listen({ port: Number(PORT), host: 'localhost' });
console.log(`Notes: ${ownUrl}/notes`);
