/** A guest book in a process of its own, which asks the service over HTTP. Any language can do the same. */
import { createServer } from 'node:http';

const gatehouse = process.env.GATEHOUSE_URL ?? 'http://localhost:4000';
const portalOrigins = (process.env.PORTAL_ORIGINS ?? gatehouse).split(',');

const question = '{ me { id name currentMembership { role scopes organization { id name } } } }';

class Refused extends Error {
  constructor(status, code) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

const resolveActor = async ({ method, headers }) => {
  const { authorization, cookie = '', origin, referer } = headers;
  // A Bearer wins. A cookie comes along with requests of any page, so it counts for changes from the portal alone.
  const isByCookie = authorization === undefined && /(?:^|;)\s*auth_access=/.test(cookie);
  const from = origin ?? (URL.canParse(referer) ? new URL(referer).origin : undefined);
  if (isByCookie && !['GET', 'HEAD'].includes(method) && !portalOrigins.includes(from)) {
    throw new Refused(403, 'ORIGIN_REFUSED');
  }
  const answer = await fetch(`${gatehouse}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      ...(authorization === undefined ? { cookie } : { authorization }),
    },
    body: JSON.stringify({ query: question }),
    signal: AbortSignal.timeout(5000),
  });
  const { data, errors } = await answer.json();
  // 401 with UNAUTHENTICATED or ACCESS_EXPIRED, or 503: never treat a service that does not answer as "signed out".
  if (!answer.ok) throw new Refused(answer.status, errors[0].extensions.code);
  return data.me;
};

const guestBooks = new Map();

const answerGuests = async (request, response) => {
  const actor = await resolveActor(request);
  const membership = actor.currentMembership;
  if (membership === null) throw new Refused(403, 'MEMBERSHIP_REQUIRED');
  const { id } = membership.organization;
  const guests = guestBooks.get(id) ?? [];
  const send = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  if (request.method === 'GET') send(200, JSON.stringify({ reader: actor.id, guests }));
  else if (request.method === 'POST') {
    guestBooks.set(id, [...guests, actor.name]);
    send(201, JSON.stringify({ writer: actor.id }));
  } else if (request.method === 'DELETE') {
    if (!membership.scopes.includes('ORGANIZATION_UPDATE')) throw new Refused(403, 'FORBIDDEN');
    guestBooks.delete(id);
    send(204);
  } else throw new Refused(405, 'BAD_USER_INPUT');
};

const answer = async (request, response) => {
  try {
    await answerGuests(request, response);
  } catch (error) {
    const { status, code } = error instanceof Refused ? error : { status: 503, code: 'UNAVAILABLE' };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { code } }));
  }
};

const port = Number(process.env.PORT ?? 4010);
createServer((request, response) => void answer(request, response)).listen(port, '127.0.0.1', () =>
  process.stdout.write(`It listens at http://127.0.0.1:${port}\n`),
);
