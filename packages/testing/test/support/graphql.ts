/** Requests to the service of a world, as an adopter's test sends them. */
import type { World } from '../../src/index.ts';

export interface Answer {
  /** Of the first error; null without one. */
  readonly code: string | null;
  readonly data: unknown;
  readonly headers: Headers;
}

/** The Cookie header that a browser sends after an answer that set its cookies. */
export const cookiesOf = ({ headers }: Answer): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

export const ask = async (
  { url }: Pick<World, 'url'>,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await response.json()) as {
    readonly data?: unknown;
    readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
  };
  const [error] = body.errors ?? [];
  const code = error === undefined ? null : (error.extensions?.code ?? 'without a code');
  return { code, data: body.data ?? null, headers: response.headers };
};

/** By cookies, with the Origin of the portal, as its pages ask. */
export const askAsBrowser = (
  world: Pick<World, 'url' | 'frontendUrl'>,
  cookie: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<Answer> => ask(world, query, variables, { cookie, origin: world.frontendUrl });

export const me = `{ me { id email emailValidatedAt
  currentMembership { role scopes organization { id name subscription { status product } } } } }`;

interface Me {
  readonly id: string;
  readonly email: string;
  readonly emailValidatedAt: string;
  readonly currentMembership: {
    readonly role: string;
    readonly scopes: readonly string[];
    readonly organization: {
      readonly id: string;
      readonly name: string;
      readonly subscription: { readonly status: string; readonly product: string } | null;
    };
  };
}

/** Who a person is by their Authorization header. @throws Error they are refused */
export const meOf = async (world: World, person: { bearer(): Promise<string> }): Promise<Me> => {
  const answer = await ask(world, me, {}, { authorization: await person.bearer() });
  if (answer.code !== null) throw new Error(`Refused: ${answer.code}`);
  return (answer.data as { readonly me: Me }).me;
};
