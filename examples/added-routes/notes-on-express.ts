/** The same notes on Express, which keeps its own routing, body parser and way with errors. */
import express, { type ErrorRequestHandler } from 'express';
import { type Identity, isRefusal } from 'gatehouse';

const notes = new Map<string, string[]>();

export const notesOnExpress = (identity: Identity) => {
  const app = express();
  // Express shows its callers the stack of an error wherever NODE_ENV is not production.
  app.set('env', 'production');
  app.disable('x-powered-by');

  app.get('/classic/notes', async (request, response) => {
    const actor = await identity.resolveActor(request);
    const { organization } = identity.requireMembership(actor);
    response.json({ reader: actor.id, notes: notes.get(organization.id) ?? [] });
  });

  app.post('/classic/notes', express.text(), async (request, response) => {
    const actor = await identity.resolveActor(request);
    const { organization } = identity.requireMembership(actor);
    notes.set(organization.id, [...(notes.get(organization.id) ?? []), String(request.body)]);
    response.status(201).json({ writer: actor.id });
  });

  app.delete('/classic/notes', async (request, response) => {
    const actor = await identity.resolveActor(request);
    const { organization } = identity.requireMembership(actor);
    identity.requireScopes(actor, 'ORGANIZATION_UPDATE');
    notes.delete(organization.id);
    response.status(204).end();
  });

  app.use(answerRefusal);
  return app;
};

const answerRefusal: ErrorRequestHandler = (error, _request, response, next) => {
  if (!isRefusal(error)) return next(error);
  const { status, code, message, details } = error;
  response.status(status).json({ error: { code, message, ...details } });
};
