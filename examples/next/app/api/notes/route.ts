/** A route handler, for scripts: it answers 401 in JSON, on which the client renews the session. */
import { isRefusal } from '@gatehouse/node';
import { identity } from '../../../lib/identity';
import { addNote } from '../../../lib/notes';

export const POST = async (request: Request): Promise<Response> => {
  try {
    const actor = await identity.resolveActor(request);
    identity.requireScopes(actor, 'notes:write');
    const { organization } = identity.requireMembership(actor);
    const { text } = (await request.json()) as { readonly text?: unknown };
    if (typeof text !== 'string') return Response.json({ error: { code: 'BAD_USER_INPUT' } }, { status: 400 });
    addNote(organization.id, { text, author: actor.name });
    return Response.json({ text }, { status: 201 });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return Response.json(error.body, { status: error.status, headers: error.headers });
  }
};
