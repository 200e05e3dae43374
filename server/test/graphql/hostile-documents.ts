/** Documents that are slow to expand, measure or validate. */
import { range } from '../support/checks/concurrency.ts';

type Named = readonly (readonly [name: string, document: string])[];

export const list = (count: number, text: (index: number) => string): string => range(count).map(text).join(' ');

/** Within every limit of the contract; each makes one of the rules slow. */
export const hostile: Named = [
  ['one field repeated', `{ ${list(990, () => '__typename')} }`],
  ['one field with fields repeated', `{ ${list(60, () => 'me { id name email currentMembership { id role } }')} }`],
  [
    'one field with another argument each time',
    `{ ${list(70, (index) => `members(first: ${index}) { totalCount }`)} }`,
  ],
  ['fragments that do not exist', `{ ${list(490, (index) => `...z${index}`)} }`],
  [
    'fragments that spread each other',
    `{ ...f0 } ${list(28, (from) => `fragment f${from} on Query { ${list(14, (to) => `...f${(from + to + 1) % 28}`)} }`)}`,
  ],
  [
    'fragments side by side',
    `{ me { ${list(70, (index) => `...f${index}`)} } } ${list(70, (index) => `fragment f${index} on User { id name }`)}`,
  ],
  [
    'operations that share a chain of fragments',
    `${list(60, (index) => `query q${index} { ...f0 }`)} ${list(60, (index) => `fragment f${index} on Query { ...f${index + 1} }`)} fragment f60 on Query { __typename }`,
  ],
  [
    'an unused fragment with one field repeated',
    `{ __typename } fragment f on Query { ${list(240, () => 'me { id }')} }`,
  ],
  ['unknown names', `{ ${list(990, (index) => `myMembership${index}`)} }`],
  ['long unknown names', `{ ${list(900, (index) => `${'mySession'.repeat(11)}${index}`)} }`],
  ['nested fragments', `{ ${'... on Query { '.repeat(190)} __typename ${'} '.repeat(190)} }`],
];

/** Fragments of the tests' schema that each spread the next one several times. */
const bomb = (levels: number, body: (next: string) => string): string => {
  const fragments = list(levels, (index) => `fragment F${index} on User { ${body(`...F${index + 1}`)} }`);
  return `{ user { ...F0 } } ${fragments} fragment F${levels} on User { id }`;
};

/** Over the limits once their fragments are expanded, which would never end. */
export const exponential: Named = [
  ['doubled under two aliases', bomb(40, (next) => `a: best { ${next} } b: best { ${next} }`)],
  ['tripled by spreads', bomb(60, (next) => `${next} ${next} ${next}`).replace('{ id }', '{ a: id }')],
  ['doubled by spreads and a field', bomb(60, (next) => `${next} ${next} id`)],
  ['doubled under two fields', bomb(8, (next) => `best { ${next} id } friends { ${next} id name }`)],
];

/** They repeat one field of the tests' schema, within the limits of its size. */
export const repetitive: Named = [
  ['one field with a field repeated', `{ ${'me { id } '.repeat(240)} }`],
  ['one fragment repeated', `{ user { ${'best { ...F } '.repeat(120)} } } fragment F on User { ${'id '.repeat(5)} }`],
];
