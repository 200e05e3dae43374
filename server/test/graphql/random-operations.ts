/** Writes random operations over the trap schema. */
import fc from 'fast-check';
import { type GraphQLField, type GraphQLObjectType, getNamedType, isAbstractType } from 'graphql';

export interface WrittenOperation {
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Fields that are never compiled. */
const leftAlone = /^(?:named|pets|checked|snake_case|echoRichDefaults)$/;
/** Names that mean something to JavaScript or to the compiler; a number follows, so that none conflicts. */
const aliases = ['x', 'id', 'constructor', 'idx', 'then', 'toString', 'query', 'err'] as const;
const directives = [' @include(if: $yes)', ' @skip(if: $yes)', ' @include(if: $no)', ' @skip(if: $no)'] as const;
const deepest = 4;

type Place = 'Query' | 'Node';

/** `plain` operations are compiled; `directives` adds @skip and @include, and `all` what else is left to graphql-js. */
export type Wildness = 'plain' | 'directives' | 'all';

export const writeOperation = (
  gen: fc.GeneratorValue,
  query: GraphQLObjectType,
  wildness: Wildness,
): WrittenOperation => {
  const wild = wildness !== 'plain';
  const fragments: string[] = [];
  const fields = Object.values(query.getFields()).filter((field) => wildness === 'all' || !leftAlone.test(field.name));
  const pick = <T>(items: readonly T[]): T => {
    const item = items[gen(fc.nat, { max: items.length - 1 })];
    if (item === undefined) throw new Error('There is nothing to pick from');
    return item;
  };
  const flip = (chance: number): boolean => gen(fc.integer, { min: 1, max: 100 }) <= chance;
  const directive = (): string => (wild && flip(35) ? pick(directives) : '');
  let names = 0;

  const selection = (place: Place, depth: number): string => {
    const count = gen(fc.integer, { min: 1, max: depth > 2 ? 2 : 4 });
    return `{ ${Array.from({ length: count }, () => part(place, depth)).join(' ')} }`;
  };

  const part = (place: Place, depth: number): string => {
    if (flip(8)) return `... on ${place}${directive()} ${selection(place, depth + 1)}`;
    if (flip(8) && depth < deepest) return spread(place, depth);
    return flip(5) ? '__typename' : fieldOf(place, depth);
  };

  const spread = (place: Place, depth: number): string => {
    names += 1;
    const name = `F${names}`;
    fragments.push(`fragment ${name} on ${place} ${selection(place, depth + 1)}`);
    return `...${name}${directive()}${flip(30) ? ` ...${name}${directive()}` : ''}`;
  };

  const fieldOf = (place: Place, depth: number): string => {
    const field = pick(fields.filter((candidate) => fits(candidate, place, depth)));
    names += 1;
    if (field.name.startsWith('echo')) return `e${names}: ${field.name}${echoArguments(field.name)}${directive()}`;
    const alias = flip(25) ? `${pick(aliases)}${names}: ` : '';
    return `${alias}${field.name}${directive()}${selectionOf(field, depth)}`;
  };

  const selectionOf = (field: GraphQLField<unknown, unknown>, depth: number): string => {
    if (field.name === 'pets') return ' { ... on Cat { purrs } ... on Dog { name } }';
    const type = getNamedType(field.type).name;
    if (type === 'Named' || type === 'Checked') return ' { name __typename }';
    return type === 'Node' ? ` ${selection('Node', depth + 1)}` : '';
  };

  const echoArguments = (name: string): string => {
    if (name === 'echoRichDefaults') return '';
    return pick(['(number: $n)', '(number: 12)']);
  };

  const body = selection('Query', 0).slice(1);
  const head = wild ? '($n: Int! = 2, $yes: Boolean! = true, $no: Boolean! = false)' : '($n: Int! = 2)';
  const uses = wild ? 'z1: sync @skip(if: $no) z2: sync @include(if: $yes)' : '';
  const text = `query ${head} { z0: echoMust(number: $n) ${uses} ${body} ${fragments.join(' ')}`;
  return { text, variables: flip(50) ? { n: 5 } : {} };
};

const fits = (field: GraphQLField<unknown, unknown>, place: Place, depth: number): boolean => {
  const type = getNamedType(field.type);
  if (place === 'Node' && (isAbstractType(type) || type.name === 'Checked')) return false;
  return depth < deepest || type.name !== 'Node';
};
