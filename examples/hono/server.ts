/** Notes of organizations, on Hono. Gatehouse decides for each request who makes it. */
import { createIdentity, isRefusal, type Membership } from '@gatehouse/node';
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

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

/** The peer's address, which is the client's where no proxy forwards the request. */
const clientIpOf = (c: Context): string | undefined =>
  c.req.header('x-forwarded-for') === undefined ? getConnInfo(c).remote.address : undefined;

/** Requires a scope before the body is read, and hands the caller on. */
const allow = (scope: string) =>
  createMiddleware<{ Variables: { caller: Caller } }>(async (c, next) => {
    const actor = await identity.resolveActor(c, { clientIp: clientIpOf(c) });
    identity.requireScopes(actor, scope);
    const { organization } = identity.requireMembership(actor);
    c.set('caller', { name: actor.name, organization });
    await next();
  });

const app = new Hono();

app.get('/notes', allow('notes:read'), (c) => c.json({ notes: notes.get(c.var.caller.organization.id) ?? [] }));

app.post('/notes', allow('notes:write'), bodyLimit({ maxSize: 100_000 }), async (c) => {
  const body = await c.req.json<{ text?: unknown } | null>().catch(() => null);
  const text = body?.text;
  if (typeof text !== 'string') {
    return c.json({ error: { code: 'BAD_USER_INPUT', message: 'A note needs a text.' } }, 400);
  }
  const { name, organization } = c.var.caller;
  const note = { text, author: name };
  notes.set(organization.id, [...(notes.get(organization.id) ?? []), note]);
  return c.json(note, 201);
});

/** A browser that opens a page, in contrast to a script, which can handle a 401. */
const isNavigation = ({ req }: Context): boolean =>
  req.method === 'GET' &&
  req.header('authorization') === undefined &&
  (req.header('accept') ?? '').includes('text/html');

app.onError((error, c) => {
  if (!isRefusal(error)) throw error;
  if (error.status === 401 && isNavigation(c)) return c.redirect(identity.signInRedirect(c));
  return c.json(error.body, error.status as ContentfulStatusCode, { ...error.headers });
});

serve({ fetch: app.fetch, port: Number(PORT), hostname: 'localhost' }, () => console.log(`Notes: ${ownUrl}/notes`));
