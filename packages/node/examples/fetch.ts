/** A handler of the Fetch API: a route handler of Next.js, a handler of Hono as `(c) => read(c.req.raw)`. */
import { type Identity, isRefusal } from '@gatehouse/node';

export const noteReader =
  (identity: Identity) =>
  async (request: Request): Promise<Response> => {
    try {
      const actor = await identity.resolveActor(request, { machines: true });
      identity.requireScopes(actor, 'notes:read');
      return Response.json({ reader: actor.actor });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return Response.json(error.body, { status: error.status, headers: error.headers });
    }
  };
