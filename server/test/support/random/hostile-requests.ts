/** Requests to routes, operations and forms of the service, with every part of them valid, almost valid or invalid. */
import * as fc from 'fast-check';
import { type GraphQLInputType, getNullableType, isEnumType, isInputObjectType, isListType } from 'graphql';
import type { MountedRoute } from '../gatehouse/mounted-routes.ts';
import { type AnyOperation, rootOperations } from './any-operation.ts';
import { hostileJson, hostileText, mutation, type WireRequest } from './fuzz.ts';

/** Characters that can occur in a line of a head at all. */
export const headerText = hostileText.map((text) => text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 3000));

const headerNames = [
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'content-encoding',
  'content-type',
  'cookie',
  'forwarded',
  'host',
  'if-none-match',
  'last-event-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'origin',
  'range',
  'referer',
  'stripe-signature',
  'traceparent',
  'user-agent',
  'x-auth-delivery',
  'x-correlation-id',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-http-method-override',
  'x-original-url',
  'x-request-id',
] as const;

const contentTypes = [
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/graphql',
  'application/graphql-response+json',
  'text/html',
] as const;

const parameterNames = [
  'client_id',
  'code',
  'error',
  'extensions',
  'iss',
  'operationName',
  'query',
  'redirect',
  'redirect_uri',
  'resource',
  'response_type',
  'scope',
  'state',
  'variables',
] as const;

/** Percent-encoded, or almost so. */
const encoded = hostileText.map((text) => {
  const bytes = Buffer.from(text.slice(0, 300), 'utf8');
  return [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
});
const segment = fc.oneof(encoded, fc.uuid(), fc.stringMatching(/^[!-~]{0,30}$/));

const presented = (credentials: readonly string[]): fc.Arbitrary<Record<string, string>> =>
  fc.oneof(
    fc.constant({}),
    fc.constantFrom(...credentials).map((token) => ({ authorization: `Bearer ${token}` })),
    fc
      .tuple(
        fc.constantFrom('auth_access', 'auth_refresh', 'helper_session', 'auth_exchange'),
        fc.constantFrom(...credentials),
      )
      .map(([name, token]) => ({ cookie: `${name}=${token}` })),
  );

const body = fc.oneof(
  fc.constant(null),
  hostileText,
  hostileJson.map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 400 }),
  fc
    .array(fc.tuple(fc.constantFrom(...parameterNames, 'grant_type', 'token', 'decision'), hostileText), {
      maxLength: 6,
    })
    .map((pairs) =>
      new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value.toWellFormed()])).toString(),
    ),
);

/** @param credentials that work, presented in wrong places */
export const anyRequest = (
  routes: readonly MountedRoute[],
  credentials: readonly string[],
): fc.Arbitrary<WireRequest> =>
  fc
    .record({
      route: fc.constantFrom(...routes),
      method: fc.constantFrom(
        '',
        '',
        '',
        'GET',
        'HEAD',
        'POST',
        'PUT',
        'PATCH',
        'DELETE',
        'OPTIONS',
        'TRACE',
        'PROPFIND',
      ),
      segments: fc.array(segment, { minLength: 4, maxLength: 4 }),
      query: fc.array(fc.tuple(fc.oneof(fc.constantFrom(...parameterNames), encoded), encoded), { maxLength: 5 }),
      headers: fc.dictionary(fc.constantFrom(...headerNames), headerText, { maxKeys: 5 }),
      type: fc.option(fc.constantFrom(...contentTypes), { nil: undefined }),
      presented: presented(credentials),
      body,
    })
    .map(({ route, method, segments, query, headers, type, presented: credential, body: content }) => {
      const named = method === '' ? route.method : method;
      const rest = [...segments];
      // A request line begins with a slash; the socket's test sends others.
      const path = route.url.replaceAll(/:\w+|\*/g, () => rest.pop() ?? '').replace(/^(?!\/)/, '/');
      const asked = query.map(([name, value]) => `${name}=${value}`).join('&');
      const hasBody = named !== 'GET' && named !== 'HEAD';
      return {
        method: named,
        path: asked === '' ? path : `${path}?${asked}`,
        headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }), ...credential },
        body: hasBody ? content : null,
      };
    });

/** Valid values of arguments, so that some requests reach a change. */
export interface KnownValues {
  /** For arguments that no list below is named after. */
  readonly ids: readonly string[];
  /** By the name of an argument or of a field of an input. */
  readonly byName: Readonly<Record<string, readonly string[]>>;
}

const scalarsOf: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  Boolean: fc.boolean(),
  Int: fc.oneof(fc.integer({ min: -3, max: 120 }), fc.integer()),
  DateTime: fc.oneof(
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc
      .date({ noInvalidDate: true, min: new Date('2026-01-01'), max: new Date('2027-12-31') })
      .map((date) => date.toISOString()),
    fc.constantFrom('0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-01-01T00:00:00+23:59'),
    hostileText,
  ),
};

const fitting = (name: string, wrapped: GraphQLInputType, known: KnownValues): fc.Arbitrary<unknown> => {
  const type = getNullableType(wrapped);
  if (isListType(type)) return fc.array(fitting(name, type.ofType, known), { maxLength: 3 });
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map((value) => value.name));
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map(
      (field) => [field.name, fitting(field.name, field.type, known)] as const,
    );
    return fc.record(Object.fromEntries(fields));
  }
  const texts = known.byName[name] ?? known.ids;
  return (
    scalarsOf[type.name] ??
    fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...texts) }, { weight: 1, arbitrary: hostileText })
  );
};

/** Levels of objects that select all their fields: from `me` to the subscription of an organization. */
const deepest = 4;

/** Every operation of the schema. Nine of ten arguments are of their type, so that most requests reach it. */
export const anyOperation = (known: KnownValues): fc.Arbitrary<AnyOperation> =>
  fc.constantFrom(...rootOperations(deepest)).chain(({ name, query, args }) => {
    const values = args.map((argument) => {
      const arbitrary = fitting(argument.name, argument.type, known);
      return [argument.name, fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: hostileJson })] as const;
    });
    return fc.record(Object.fromEntries(values)).map((variables) => ({ name, query, variables }));
  });

type Pairs = readonly (readonly [name: string, value: string])[];

const asForm = (pairs: Pairs): string =>
  pairs.map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join('=')).join('&');

/** A replacement of a valid parameter: nothing, another value, almost the same one, or several. */
type Replacement = (name: string, value: string) => Pairs;

const replacement = (others: readonly string[]): fc.Arbitrary<Replacement> =>
  fc
    .oneof(
      hostileText.map((text) => () => text),
      mutation,
      ...(others.length > 0 ? [{ weight: 2, arbitrary: fc.constantFrom(...others).map((text) => () => text) }] : []),
    )
    .chain((wrongOf) =>
      fc.constantFrom<Replacement[]>(
        () => [],
        (name, value) => [[name, wrongOf(value)]],
        (name, value) => [[name, wrongOf(value)]],
        (name, value) => [
          [name, value],
          [name, wrongOf(value)],
        ],
        (name, value) => [
          [name, wrongOf(value)],
          [name, value],
        ],
      ),
    );

/** A form or a query, each parameter valid, almost valid or invalid; some missing, some duplicated. */
export const anyForm = (right: Readonly<Record<string, string>>): fc.Arbitrary<string> => {
  const asItIs: Replacement = (name, value) => [[name, value]];
  const pairs = Object.entries(right).map(([name, value]) =>
    fc
      .oneof({ weight: 6, arbitrary: fc.constant(asItIs) }, { weight: 4, arbitrary: replacement([]) })
      .map((replace) => replace(name, value)),
  );
  const others = fc.array(fc.tuple(hostileText, hostileText), { maxLength: 2 });
  return fc.tuple(fc.tuple(...pairs), others).map(([known, unknown]) => asForm([...known.flat(), ...unknown]));
};

/** Spoils one parameter of a valid form, with any valid values. */
export type Spoil = (right: Readonly<Record<string, string>>) => string;

/**
 * @param names of the parameters of which one is spoilt
 * @param others by name of a parameter: values that are valid elsewhere
 */
export const spoilOne = (
  names: readonly string[],
  others: Readonly<Record<string, readonly string[]>> = {},
): fc.Arbitrary<Spoil> =>
  fc.constantFrom(...names).chain((name) =>
    replacement(others[name] ?? []).map((replace): Spoil => {
      const spoil: Spoil = (right) =>
        asForm(
          Object.entries(right).flatMap(([each, value]) => (each === name ? replace(each, value) : [[each, value]])),
        );
      // Printed with a failure.
      return Object.assign(spoil, {
        [fc.toStringMethod]: () => `instead of ${name}=right: ${JSON.stringify(replace(name, 'right'))}`,
      });
    }),
  );

/** Whether a form has each of these parameters once, with this value: a server that accepts others is vulnerable. */
export const isValidForm = (form: string, right: Readonly<Record<string, string>>): boolean =>
  Object.entries(right).every(([name, value]) => {
    const given = new URLSearchParams(form).getAll(name);
    return given.length === 1 && given[0] === value;
  });
