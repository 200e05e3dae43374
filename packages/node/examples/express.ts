/** Notes of an organization, on Express. */
import { type Identity, isRefusal } from '@gatehouse/node';
import express, { type ErrorRequestHandler } from 'express';

const notes = new Map<string, string[]>();

export const notesOnExpress = (identity: Identity) => {
  const app = express();

  app.get('/notes', async (request, response) => {
    const actor = await identity.resolveActor(request);
    const { organization } = identity.requireMembership(actor);
    response.json(notes.get(organization.id) ?? []);
  });

  app.post('/notes', express.text(), async (request, response) => {
    const actor = await identity.resolveActor(request);
    identity.requireScopes(actor, 'notes:write');
    const { organization } = identity.requireMembership(actor);
    notes.set(organization.id, [...(notes.get(organization.id) ?? []), String(request.body)]);
    response.status(201).end();
  });

  const answerError: ErrorRequestHandler = (error: unknown, request, response, next) => {
    if (response.headersSent || !isRefusal(error)) return next(error);
    const isSignedOut = error.status === 401 && request.method === 'GET' && request.accepts('json', 'html') === 'html';
    if (isSignedOut) return response.redirect(identity.signInRedirect(request));
    response.status(error.status).set(error.headers).json(error.body);
  };
  return app.use(answerError);
};
