/** Notes of organizations, on Express. Gatehouse decides for each request who makes it. */
import { createIdentity, isRefusal, type Membership } from '@gatehouse/node';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';

const { GATEHOUSE_URL = 'http://localhost:4000', GATEHOUSE_FRONTEND_URL = GATEHOUSE_URL, PORT = '3000' } = process.env;
/** A front end on an origin of its own, such as examples/react-vite. */
const { APP_ORIGIN = 'http://localhost:5173' } = process.env;
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

/** Requires a scope before the body is read, and hands the caller on. */
const allow =
  (scope: string): RequestHandler<object, unknown, unknown, object, Caller> =>
  async (request, response, next) => {
    const actor = await identity.resolveActor(request);
    identity.requireScopes(actor, scope);
    const { organization } = identity.requireMembership(actor);
    Object.assign(response.locals, { name: actor.name, organization });
    next();
  };

const app = express().disable('x-powered-by');

/** CORS: pages of that front end may read the answers, and send the cookies. Gatehouse decides whether it may write. */
app.use((request, response, next) => {
  response.vary('origin');
  if (request.headers.origin !== APP_ORIGIN) return next();
  response.set({ 'access-control-allow-origin': APP_ORIGIN, 'access-control-allow-credentials': 'true' });
  if (request.method !== 'OPTIONS') return next();
  response.set('access-control-allow-headers', 'content-type').sendStatus(204);
});

app.get('/notes', allow('notes:read'), (_request, response) => {
  response.json({ notes: notes.get(response.locals.organization.id) ?? [] });
});

app.post('/notes', allow('notes:write'), express.json(), (request: Request, response: Response<unknown, Caller>) => {
  const { text } = (request.body ?? {}) as { text?: unknown };
  if (typeof text !== 'string') {
    response.status(400).json({ error: { code: 'BAD_USER_INPUT', message: 'A note needs a text.' } });
    return;
  }
  const { name, organization } = response.locals;
  const note = { text, author: name };
  notes.set(organization.id, [...(notes.get(organization.id) ?? []), note]);
  response.status(201).json(note);
});

/** A browser that opens a page, in contrast to a script, which can handle a 401. */
const isNavigation = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers.authorization === undefined && (headers.accept ?? '').includes('text/html');

/** Express recognizes an error handler by its four parameters. */
const answerError: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (!isRefusal(error)) return next(error);
  if (error.status === 401 && isNavigation(request)) return response.redirect(identity.signInRedirect(request));
  response.status(error.status).set(error.headers).json(error.body);
};

app.use(answerError);
app.listen(Number(PORT), 'localhost', (error) => {
  if (error) throw error;
  console.log(`Notes: ${ownUrl}/notes`);
});
