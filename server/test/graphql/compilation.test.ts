/** The compiled executor against graphql-js: the same operations, the same data, the same errors in the same places. */
import { buildSchema, type GraphQLField, getNamedType, isNonNullType, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { VariableValues } from '../../src/graphql/variables.ts';
import { compare, compile, documentsOfPlain, expectSameThroughCache, queryType } from './compared-operations.ts';

const select = (field: GraphQLField<unknown, unknown>): string => {
  if (isObjectType(getNamedType(field.type))) return `${field.name} { sync throws }`;
  return field.name === 'echoMust' ? 'echoMust(number: 1)' : field.name;
};

/**
 * Operations that have the field at the root and below each kind of parent: those that wait for nothing in one, and those
 * that do in another. What fails where it must not be null takes away what is beside it, so there each parent that may
 * not be null has an operation of its own.
 */
const operationsWith = (field: GraphQLField<unknown, unknown>): string[] => {
  const selection = select(field);
  const below = (...parents: readonly string[]): string =>
    parents.map((each) => `${each} { ${selection} id }`).join(' ');
  if (!isNonNullType(field.type)) {
    return [
      `{ ${selection} int ${below('child', 'childMust')} }`,
      `{ int ${below('childLater', 'strictChildren', 'children')} }`,
    ];
  }
  const parents = [['child'], ['childMust'], ['childLater', 'children'], ['strictChildren']];
  return [`{ ${selection} int }`, ...parents.map((some) => `{ int ${below(...some)} }`)];
};

describe('Every field of the trap schema alone', () => {
  const skipped = new Set(['named', 'pets', 'checked', 'snake_case', 'echoRichDefaults']);
  for (const field of Object.values(queryType.getFields())) {
    if (skipped.has(field.name)) continue;
    it(`means the same compiled: ${field.name}`, async () => {
      for (const text of operationsWith(field)) expect(await compare(text), text).toBe('compiled');
    });
  }
});

describe('What graphql-jit gets wrong is left to graphql-js', () => {
  const left: Record<string, string> = {
    'a string literal': '{ echo(text: "x") }',
    'a literal of an input object': '{ echo(outer: { text: "x" }) }',
    'a variable inside a literal': 'query ($n: Int) { echo(outer: { inner: { number: $n } }) }',
    'an enum literal': '{ echo(level: LOW) }',
    'a whole number for a custom scalar': '{ echo(at: 1) }',
    'a default that JSON cannot hold': '{ echoRichDefaults }',
    skip: 'query ($on: Boolean = false) { sync @skip(if: $on) }',
    'include on a fragment': 'query ($on: Boolean = true) { ...F @include(if: $on) } fragment F on Query { sync }',
    'an interface': '{ named { name } }',
    'a union': '{ pets { ... on Cat { name } } }',
    'a type that checks its values': '{ checked { name } }',
    'two mutations': 'mutation { two one { sync } }',
    introspection: '{ __schema { description } }',
    'a response name with an underscore': '{ a_b: sync }',
    'a field name with an underscore': '{ snake_case }',
    'the name of the prototype': '{ __proto__: sync }',
    'another meta name': '{ __x: sync }',
  };
  for (const [what, text] of Object.entries(left)) {
    it(what, async () => {
      expect(await compare(text)).toBe('left');
    });
  }

  for (const text of [
    'query ($on: Boolean! = true, $off: Boolean! = false) { ...F @include(if: $off) ...F @include(if: $on) } fragment F on Query { sync }',
    'query ($off: Boolean! = false) { a: child { ...F @include(if: $off) } b: child { ...F } } fragment F on Node { sync }',
    '{ b_a: infoOf a: child { b: infoOf } }',
    '{ __proto__: sync child { __proto__: child { sync } } }',
    '{ named { __typename name ... on Cat { purrs } } pets { ... on Dog { barks } } checked { name } }',
    'query ($n: Int) { echo(outer: { inner: { number: $n } }) }',
  ]) {
    it(`and means the same there: ${text}`, () => expectSameThroughCache(documentsOfPlain(), text, {}));
  }

  it('a schema in which two fields have one compiled name', () => {
    const schema = buildSchema('type Query { a: A b: Ab } type A { bC: Int } type Ab { C: Int }');
    expect(compile(schema, '{ a { bC } }').compiled).toBeNull();
  });
});

describe('Mutations', () => {
  for (const text of [
    'mutation { one { sync throws child { asyncMust } } }',
    'mutation { failsMust }',
    'mutation { x: throwsMust }',
    'mutation { fails two }',
    'mutation { failsMust two }',
    'mutation { throwsMust two one { sync } }',
    'mutation { two fails one { rejectsMust } second: two }',
  ]) {
    it(`run the same steps in the same order: ${text}`, async () => {
      await expectSameThroughCache(documentsOfPlain(), text, {});
    });
  }
});

/** Literals with which graphql-jit 0.8.9, left alone, evaluates what the client wrote. */
describe('No literal of a client is evaluated', () => {
  const payloads = [
    '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d(globalThis.brokenOut = true)',
    '__MAGIC_NAN__57f286b9_4c20_487f_b409_79804ddcb4f8',
    '__MAGIC_PLUS_INFINITY__bb201c39_3333_4695_b4ad_7f1722e7aa7a',
    '`$' + '{globalThis.brokenOut = true}`',
    "'+(globalThis.brokenOut=true)+'",
    '\u2028globalThis.brokenOut = true',
  ];
  const shapes: Record<string, (literal: string) => string> = {
    'an argument': (literal) => `{ echo(text: ${literal}) }`,
    'an ID': (literal) => `{ echo(id: ${literal}) }`,
    'a custom scalar': (literal) => `{ echo(at: ${literal}) }`,
    'a list': (literal) => `{ echo(texts: [${literal}]) }`,
    'an input object': (literal) => `{ echo(outer: { text: ${literal}, box: ${literal} }) }`,
    'a default': (literal) => `query ($t: String = ${literal}) { echo(text: $t) }`,
    'a default in an input object': (literal) =>
      `query ($o: Outer = { text: ${literal}, inner: { must: ${literal} } }) { echo(outer: $o) }`,
    'a variable': () => 'query ($t: String) { echo(text: $t) }',
    'an argument of a directive': (literal) => `query ($t: Boolean = true) { echo(text: ${literal}) @include(if: $t) }`,
  };
  for (const [where, shape] of Object.entries(shapes)) {
    it(`as ${where}`, async () => {
      const documents = documentsOfPlain();
      for (const payload of payloads) {
        const given = where === 'a variable' ? { t: payload } : {};
        await expectSameThroughCache(documents, shape(JSON.stringify(payload)), given);
      }
      expect(globalThis).not.toHaveProperty('brokenOut');
    });
  }
});

describe('Variables reach compiled resolvers as graphql-js would hand them over', () => {
  const outer = {
    text: 'x',
    inner: { number: null, level: 'HIGH', at: '2026-01-01T00:00:00Z' },
    inners: [{}, { must: 'm' }],
    box: { any: [1] },
  };
  const cases: [string, VariableValues][] = [
    ['query ($o: Outer) { echo(outer: $o) }', { o: outer }],
    ['query ($o: Outer) { echo(outer: $o) }', { o: null }],
    ['query ($o: Outer) { echo(outer: $o) }', {}],
    ['query ($o: Outer = { inner: { level: HIGH } }) { echo(outer: $o) }', {}],
    ['query ($o: Outer = { inner: { level: HIGH } }) { echo(outer: $o) }', { o: { inners: { level: 'LOW' } } }],
    ['query ($l: Level) { echo(level: $l) }', { l: 'HIGH' }],
    ['query ($l: Level = LOW) { echo(level: $l) }', {}],
    ['query ($a: Instant) { echo(at: $a) }', { a: '2026-01-01T00:00:00Z' }],
    ['query ($a: Instant = "2026-01-01T00:00:00Z") { echo(at: $a) }', {}],
    ['query ($t: [String]) { echo(texts: $t) }', { t: ['a', null] }],
    ['query ($t: [String]) { echo(texts: $t) }', { t: 'single' }],
    ['query ($i: ID) { echo(id: $i) }', { i: 5 }],
    ['query ($f: Float) { echo(float: $f) }', { f: 1e300 }],
    ['query ($n: Int) { echoDefaults(number: 4, text: null) echo(number: $n) }', { n: -0 }],
    ['query ($n: Int = 1, $t: String) { echoDefaults(number: $n, text: $t) }', {}],
    ['query ($n: Int = 1, $t: String) { echoDefaults(number: $n, text: $t) }', { n: null, t: null }],
    ['query ($n: Int = 1) { echoMust(number: $n) }', { n: null }],
    ['query ($n: Int) { withArguments(number: $n) child { withArguments(number: $n) } }', { n: 3 }],
    ['query ($extra: Int) { echo(number: $extra) }', { extra: 1, unknown: 'ignored', constructor: 1 }],
  ];
  for (const [text, variables] of cases) {
    it(`${text} with ${JSON.stringify(variables)}`, async () => {
      expect(await compare(text, variables)).toBe('compiled');
    });
  }
});
