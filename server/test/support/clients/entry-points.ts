/**
 * The entry points that accept a token: GraphQL, added routes, `/auth/identity`, back ends with `@gatehouse/node`, and
 * the example in its own process.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestOf } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { notesOnExpress } from '../../../../examples/added-routes/notes-on-express.ts';
import { notesOnFastify } from '../../../../examples/added-routes/notes-on-fastify.ts';
import { createIdentity, isRefusal } from '../../../../packages/node/src/index.ts';
import type { AddedRoutes } from '../../../src/gatehouse.d.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { startProgram } from '../gatehouse/gatehouse-process.ts';
import { freePort, listen } from '../servers/listen.ts';

export const exampleRoutes: AddedRoutes = {
  routes: { '/api': notesOnFastify },
  listeners: { '/classic': notesOnExpress },
};

/** Lines of a request's head, with duplicate names allowed. */
export type HeaderLines = readonly (readonly [name: string, value: string])[];

/** GET reads; the others change something. */
export type Method = 'GET' | 'POST' | 'DELETE';

export interface Decision {
  readonly status: number;
  /** Null where the caller was authenticated. */
  readonly code: string | null;
  /** Id of the authenticated person, where the answer has it. */
  readonly who: string | null;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Sends one unmodified request. */
export const sendLines = async (url: string, method: string, lines: HeaderLines, body = ''): Promise<Reply> => {
  const own: HeaderLines = [
    ['Host', new URL(url).host],
    ['Content-Length', String(Buffer.byteLength(body))],
  ];
  const request = requestOf(url, { method, headers: [...own, ...lines].flat(), agent: false });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
};

export interface EntryPoint {
  readonly name: string;
  ask(method: Method, lines: HeaderLines): Promise<Decision>;
  read(lines: HeaderLines): Promise<string>;
}

interface GraphqlBody {
  readonly data?: { readonly me?: { readonly id: string } } | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

interface IdentityBody {
  readonly user?: { readonly id: string };
  readonly error?: { readonly code: string };
}

interface NotesBody {
  readonly reader?: string;
  readonly writer?: string;
  readonly error?: { readonly code: string };
}

const parsed = <Body>(body: string): Partial<Body> => (body === '' ? {} : (JSON.parse(body) as Partial<Body>));

const graphqlEntryPoint = ({ url }: Pick<Service, 'url'>): EntryPoint => ({
  name: 'GraphQL',
  ask: async (method, lines) => {
    const query = method === 'GET' ? '{ me { id } }' : 'mutation { renameOrganization(name: "Acme") { id } }';
    const headers: HeaderLines = [
      ['content-type', 'application/json'],
      ['accept', 'application/graphql-response+json'],
      ...lines,
    ];
    const { status, body } = await sendLines(`${url}/graphql`, 'POST', headers, JSON.stringify({ query }));
    const { data, errors } = parsed<GraphqlBody>(body);
    return { status, code: errors?.[0]?.extensions.code ?? null, who: data?.me?.id ?? null };
  },
  read: async (lines) => (await sendLines(`${url}/graphql?query=%7Bme%7Bname%7D%7D`, 'GET', lines)).body,
});

/** What the routes of the examples require of each method, as parameters. */
const requirements = { GET: '', POST: '&membership=required', DELETE: '&scope=ORGANIZATION_UPDATE' } as const;

/** A back end asks by GET, whatever it was asked. */
const identityEntryPoint = ({ url }: Pick<Service, 'url'>): EntryPoint => {
  const ask = (method: Method, lines: HeaderLines) =>
    sendLines(`${url}/auth/identity?method=${method}${requirements[method]}`, 'GET', lines);
  return {
    name: '/auth/identity',
    ask: async (method, lines) => {
      const { status, body } = await ask(method, lines);
      const { user, error } = parsed<IdentityBody>(body);
      return { status, code: error?.code ?? null, who: method === 'GET' ? (user?.id ?? null) : null };
    },
    read: async (lines) => (await ask('GET', lines)).body,
  };
};

const notesEntryPoint = (name: string, url: string, type: string, note: string): EntryPoint => ({
  name,
  ask: async (method, lines) => {
    const content: HeaderLines = method === 'POST' ? [['content-type', type]] : [];
    const { status, body } = await sendLines(url, method, [...content, ...lines], method === 'POST' ? note : '');
    const { reader, error } = parsed<NotesBody>(body);
    return { status, code: error?.code ?? null, who: reader ?? null };
  },
  read: async (lines) => (await sendLines(url, 'GET', lines)).body,
});

export const entryPointsOf = ({ url }: Pick<Service, 'url'>): readonly EntryPoint[] => [
  graphqlEntryPoint({ url }),
  notesEntryPoint('Fastify', `${url}/api/notes`, 'application/json', '{"text":"Hello"}'),
  notesEntryPoint('Express', `${url}/classic/notes`, 'text/plain', 'Hello'),
  identityEntryPoint({ url }),
];

/** A back end that asks by `@gatehouse/node`, with the requirements of the examples. */
export const openBackEnd = async ({ url: baseUrl }: Pick<Service, 'url'>) => {
  const identity = createIdentity({ baseUrl });
  const decide = async (request: IncomingMessage): Promise<object> => {
    const actor = await identity.resolveActor(request);
    if (request.method === 'GET') return { reader: actor.id, name: actor.name };
    identity.requireMembership(actor);
    if (request.method === 'DELETE') identity.requireScopes(actor, 'ORGANIZATION_UPDATE');
    return { writer: actor.id };
  };
  const { url, close } = await listen(
    createServer((request, response) => {
      const answer = (status: number, body: object) => response.writeHead(status).end(JSON.stringify(body));
      decide(request).then(
        (body) => answer(200, body),
        (error: unknown) => (isRefusal(error) ? answer(error.status, error.body) : answer(500, {})),
      );
    }),
  );
  return { entryPoint: notesEntryPoint('@gatehouse/node', url, 'text/plain', 'Hello'), close };
};

const elsewhere = fileURLToPath(new URL('../../../../examples/added-routes/guests-elsewhere.mjs', import.meta.url));

export const openElsewhere = async (service: Pick<Service, 'url' | 'portalUrl'>) => {
  const port = await freePort();
  const program = startProgram(elsewhere, [], {
    PORT: String(port),
    GATEHOUSE_URL: service.url,
    PORTAL_ORIGINS: `${service.url},${service.portalUrl}`,
  });
  await program.printed(/listens/);
  const entryPoint = notesEntryPoint('elsewhere', `http://127.0.0.1:${port}`, 'text/plain', 'Hello');
  const close = async (): Promise<void> => {
    program.signal('SIGTERM');
    await program.ended;
  };
  return { entryPoint, close };
};
