/** Notes of an organization, as a Fastify plugin. What its handlers throw is answered by the service. */
import type { FastifyInstance } from 'fastify';
import type { Identity } from 'gatehouse';

const notes = new Map<string, string[]>();

const note = { type: 'object', required: ['text'], properties: { text: { type: 'string', maxLength: 1000 } } };

export const notesOnFastify = (http: FastifyInstance, identity: Identity) => {
  http.get('/notes', async (request) => {
    const actor = await identity.resolveActor(request);
    const { organization } = identity.requireMembership(actor);
    return { reader: actor.id, notes: notes.get(organization.id) ?? [] };
  });

  http.post<{ Body: { text: string } }>('/notes', { schema: { body: note } }, async (request, reply) => {
    const actor = await identity.resolveActor(request);
    const { organization } = identity.requireMembership(actor);
    notes.set(organization.id, [...(notes.get(organization.id) ?? []), request.body.text]);
    return reply.status(201).send({ writer: actor.id });
  });

  http.delete('/notes', async (request, reply) => {
    const actor = await identity.resolveActor(request);
    const { organization } = identity.requireMembership(actor);
    identity.requireScopes(actor, 'ORGANIZATION_UPDATE');
    notes.delete(organization.id);
    return reply.status(204).send();
  });
};
