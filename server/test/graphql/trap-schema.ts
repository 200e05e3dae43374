/** A schema in which everything that can differ between two executors does happen, for the comparison of them. */
import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  Kind,
} from 'graphql';
import { Refusal } from '../../src/kernel/errors.ts';

const Level = new GraphQLEnumType({
  name: 'Level',
  values: { LOW: { value: 1 }, HIGH: { value: { internal: 'high' } }, SAME: {} },
});

const Instant = new GraphQLScalarType<Date, string>({
  name: 'Instant',
  serialize: (value) => {
    if (value instanceof Date) return value.toISOString();
    throw new TypeError('not a Date');
  },
  parseValue: (value) => new Date(String(value)),
  parseLiteral: (node) => new Date(node.kind === Kind.STRING ? node.value : 0),
});

/** Parses to something that no JSON can hold. */
const Boxed = new GraphQLScalarType<Map<string, unknown>, string>({
  name: 'Boxed',
  serialize: (value) => `boxed ${String(value)}`,
  parseValue: (value) => new Map([['value', value]]),
  parseLiteral: (node) => new Map<string, unknown>([['literal', node.kind]]),
});

const Inner = new GraphQLInputObjectType({
  name: 'Inner',
  fields: {
    number: { type: GraphQLInt, defaultValue: 7 },
    level: { type: Level },
    must: { type: new GraphQLNonNull(GraphQLString), defaultValue: 'given' },
    at: { type: Instant },
  },
});

const Outer = new GraphQLInputObjectType({
  name: 'Outer',
  fields: {
    text: { type: GraphQLString },
    inner: { type: Inner },
    inners: { type: new GraphQLList(new GraphQLNonNull(Inner)) },
    box: { type: Boxed },
  },
});

const describeValue = (value: unknown): unknown => {
  if (value instanceof Map) return { map: [...value.entries()] };
  if (value instanceof Date) return { date: value.getTime() };
  if (Array.isArray(value)) return value.map(describeValue);
  if (typeof value !== 'object' || value === null) return value === undefined ? 'undefined' : value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, describeValue(inner)]));
};

const later = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(() => resolve(value)));

const throwIt = (thrown: unknown): never => {
  throw thrown;
};

const laterFails = (thrown: unknown): Promise<never> => later(thrown).then(throwIt);

class Source {
  readonly property = 'property';
  readonly promised = Promise.resolve('promised');
  readonly absent = undefined;
  get exploding(): string {
    throw new Error('the getter failed');
  }
  method(): string {
    return `method of ${this.property}`;
  }
  withArguments(args: unknown): string {
    return JSON.stringify(describeValue(args));
  }
}

/** Ways in which a leaf comes about; the value of undefined leaves it to the default resolver. */
const leaves: Record<string, (() => unknown) | undefined> = {
  property: undefined,
  promised: undefined,
  absent: undefined,
  exploding: undefined,
  method: undefined,
  sync: () => 'sync',
  async: () => later('async'),
  microtask: () => Promise.resolve('microtask'),
  nothing: () => null,
  laterNothing: () => later(null),
  isUndefined: () => undefined,
  throws: () => throwIt(new Error('thrown')),
  rejects: () => laterFails(new Error('rejected')),
  rejectsSoon: () => Promise.reject(new Error('rejected soon')),
  refuses: () => throwIt(new Refusal('FORBIDDEN', 'no')),
  refusesLater: () => laterFails(new Refusal('NOT_FOUND', 'not here')),
  throwsString: () => throwIt('a string'),
  throwsNothing: () => throwIt(undefined),
  rejectsNull: () => laterFails(null),
  rejectsZero: () => Promise.resolve(0).then(throwIt),
  returnsError: () => new Error('returned'),
  resolvesError: () => later(new Refusal('LAST_OWNER', 'returned later')),
  wrongType: () => ({ not: 'a string' }),
};

const lists: Record<string, () => unknown> = {
  plain: () => ['a', 'b'],
  empty: () => [],
  later: () => later(['a', 'b']),
  ofPromises: () => [later('a'), 'b', Promise.resolve('c')],
  ofRejections: () => [
    later('a'),
    laterFails(new Error('item')),
    'c',
    Promise.reject(new Refusal('NOT_FOUND', 'x')),
    later('e'),
  ],
  rejectsLateFirst: () => [laterFails(new Error('late')), Promise.resolve('early')],
  withNulls: () => ['a', null, undefined, later(null)],
  withErrors: () => ['a', new Error('an item')],
  ofWrongType: () => ['a', { not: 'a string' }],
  aSet: () => new Set(['a', 'b']),
  aGenerator: function* () {
    yield 'a';
    yield 'b';
  },
  explodingGenerator: function* () {
    yield 'a';
    throw new Error('the generator failed');
  },
  aString: () => 'text',
  aNumber: () => 5,
  throwsToo: () => throwIt(new Error('no list')),
  rejectsToo: () => laterFails('no list'),
};

const nestedLists: Record<string, () => unknown> = {
  square: () => [['a'], ['b', 'c']],
  ragged: () => [later(['a', later('b')]), null, [laterFails(new Error('deep'))], Promise.reject(new Error('row'))],
  wrongRows: () => ['row', new Set(['a'])],
};

const objects: Record<string, () => unknown> = {
  child: () => new Source(),
  childLater: () => later(new Source()),
  noChild: () => null,
  badChild: () => laterFails(new Refusal('FORBIDDEN', 'no child')),
  throwingChild: () => throwIt(new Error('no child')),
  scalarChild: () => 'text',
};

type Fields = GraphQLFieldConfigMap<unknown, unknown>;

const field = (type: GraphQLOutputType, resolve: (() => unknown) | undefined): GraphQLFieldConfig<unknown, unknown> =>
  resolve === undefined ? { type } : { type, resolve };

/** Each under its name as nullable, and with `Must` as non-null. */
const bothWays = (type: GraphQLOutputType, ways: Record<string, (() => unknown) | undefined>): Fields =>
  Object.fromEntries(
    Object.entries(ways).flatMap(([name, resolve]) => [
      [name, field(type, resolve)],
      [`${name}Must`, field(new GraphQLNonNull(type), resolve ?? ((source?: unknown) => propertyOf(source, name)))],
    ]),
  );

const propertyOf = (source: unknown, name: string): unknown => {
  const value: unknown = source instanceof Source ? source[name as keyof Source] : undefined;
  return typeof value === 'function' ? undefined : value;
};

const argumentFields = (): Fields => ({
  echo: {
    type: GraphQLString,
    args: {
      text: { type: GraphQLString },
      number: { type: GraphQLInt },
      float: { type: GraphQLFloat },
      id: { type: GraphQLID },
      level: { type: Level },
      at: { type: Instant },
      outer: { type: Outer },
      texts: { type: new GraphQLList(GraphQLString) },
    },
    resolve: (_source, args) => JSON.stringify(describeValue(args)),
  },
  echoDefaults: {
    type: GraphQLString,
    args: {
      number: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 3 },
      text: { type: GraphQLString, defaultValue: 'default' },
    },
    resolve: (_source, args) => JSON.stringify(describeValue(args)),
  },
  echoRichDefaults: {
    type: GraphQLString,
    args: {
      level: { type: Level, defaultValue: { internal: 'high' } },
      at: { type: Instant, defaultValue: new Date(5) },
      box: { type: Boxed, defaultValue: new Map([['a', 1]]) },
    },
    resolve: (_source, args) => JSON.stringify(describeValue(args)),
  },
  echoMust: {
    type: GraphQLString,
    args: { number: { type: new GraphQLNonNull(GraphQLInt) } },
    resolve: (_source, args) => JSON.stringify(describeValue(args)),
  },
  withArguments: { type: GraphQLString, args: { number: { type: GraphQLInt } } },
  infoOf: {
    type: GraphQLString,
    resolve: (_source, _args, _context, info) =>
      `${info.parentType.name}.${info.fieldName} ${JSON.stringify(info.path.key)}`,
  },
});

/** A fresh schema, so that one executor never sees what another one did to it. */
export const trapSchema = (): GraphQLSchema => {
  const nodeFields = (node: GraphQLOutputType): Fields => ({
    ...bothWays(GraphQLString, leaves),
    ...bothWays(new GraphQLList(GraphQLString), prefixed('list', lists)),
    ...bothWays(new GraphQLList(new GraphQLNonNull(GraphQLString)), prefixed('strict', lists)),
    ...bothWays(new GraphQLList(new GraphQLList(GraphQLString)), nestedLists),
    ...bothWays(node, objects),
    children: {
      type: new GraphQLList(node),
      resolve: () => [new Source(), later(new Source()), null, Promise.reject(new Error('child'))],
    },
    strictChildren: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(node))),
      resolve: () => later([new Source(), new Source()]),
    },
    snake_case: { type: GraphQLString, resolve: () => 'snake' },
    level: { type: Level, resolve: () => 1 },
    levels: { type: new GraphQLList(Level), resolve: () => [1, 'SAME', 'not a level'] },
    int: { type: GraphQLInt, resolve: () => 5 },
    badInt: { type: new GraphQLNonNull(GraphQLInt), resolve: () => 'five' },
    float: { type: GraphQLFloat, resolve: () => 0.5 },
    notANumber: { type: GraphQLFloat, resolve: () => Number.NaN },
    id: { type: GraphQLID, resolve: () => 12 },
    at: { type: Instant, resolve: () => new Date(0) },
    badAt: { type: Instant, resolve: () => 'then' },
    badAtMust: { type: new GraphQLNonNull(Instant), resolve: () => later('then') },
    box: { type: Boxed, resolve: () => 1 },
    ...argumentFields(),
  });
  const Named = new GraphQLInterfaceType({
    name: 'Named',
    fields: { name: { type: GraphQLString } },
    resolveType: (value) => (isCat(value) ? 'Cat' : later('Dog')),
  });
  const Cat = new GraphQLObjectType({
    name: 'Cat',
    interfaces: [Named],
    fields: { name: { type: GraphQLString }, purrs: { type: GraphQLInt } },
  });
  const Dog = new GraphQLObjectType({
    name: 'Dog',
    interfaces: [Named],
    fields: { name: { type: GraphQLString }, barks: { type: GraphQLInt } },
  });
  const Checked = new GraphQLObjectType({
    name: 'Checked',
    isTypeOf: () => later(false),
    fields: { name: { type: GraphQLString } },
  });
  const Pet = new GraphQLUnionType({
    name: 'Pet',
    types: [Cat, Dog],
    resolveType: (value) => (isCat(value) ? 'Cat' : throwIt(new Error('no such pet'))),
  });
  const Node: GraphQLObjectType = new GraphQLObjectType({ name: 'Node', fields: () => nodeFields(Node) });
  const pets = (): unknown[] => [
    { name: 'Tom', purrs: 1 },
    { name: 'Rex', barks: 2 },
  ];
  const Query = new GraphQLObjectType({
    name: 'Query',
    fields: {
      ...nodeFields(Node),
      named: { type: new GraphQLList(Named), resolve: pets },
      pets: { type: new GraphQLList(Pet), resolve: pets },
      checked: { type: Checked, resolve: () => ({ name: 'unchecked' }) },
    },
  });
  return new GraphQLSchema({ query: Query, mutation: mutations(Node), types: [Cat, Dog] });
};

/** Mutations write down that they ran: what ran, and in which order, must not differ either. */
const mutations = (node: GraphQLObjectType): GraphQLObjectType => {
  const step = (name: string, type: GraphQLOutputType, result: () => unknown): Fields => ({
    [name]: {
      type,
      resolve: (_source, _args, context) => {
        if (Array.isArray(context)) context.push(name);
        return result();
      },
    },
  });
  return new GraphQLObjectType({
    name: 'Mutation',
    fields: {
      ...step('one', node, () => new Source()),
      ...step('two', GraphQLString, () => later('two')),
      ...step('fails', GraphQLString, () => laterFails(new Error('fails'))),
      ...step('failsMust', new GraphQLNonNull(GraphQLString), () => laterFails(new Error('fails'))),
      ...step('throwsMust', new GraphQLNonNull(GraphQLString), () => throwIt(new Refusal('FORBIDDEN', 'no'))),
    },
  });
};

const isCat = (value: unknown): boolean => typeof value === 'object' && value !== null && 'purrs' in value;

const prefixed = <T>(prefix: string, record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [prefix + name.charAt(0).toUpperCase() + name.slice(1), value]),
  );
