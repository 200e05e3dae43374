/**
 * The index by term: for each term of the field, operation of GraphQL, setting, command and RFC, the rules of the
 * contract, the sections of other pages and the files of code that are about it.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path/posix';
import { type CodeFile, codeFiles, type PageSection, pageSections } from './sources.ts';
import { fieldTerms, type Term } from './terms.ts';

interface Entry extends Term {
  readonly says: RegExp;
  /** As code: a name of an interface. */
  readonly isCode: boolean;
}

interface Scored<Item> {
  readonly item: Item;
  readonly score: number;
}

const most = 3;
const headingScore = 10;
const mostOfText = 5;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const namesIn = (root: string, file: string, pattern: RegExp): readonly string[] => [
  ...new Set(Array.from(readFileSync(join(root, file), 'utf8').matchAll(pattern), (match) => match[1] ?? '')),
];

const operationsOf = (root: string): readonly string[] =>
  readFileSync(join(root, 'server/schema.graphql'), 'utf8')
    .split(/^(?=type )/m)
    .filter((type) => /^type (?:Query|Mutation) /.test(type))
    .flatMap((type) => Array.from(type.matchAll(/^ {2}(\w+)[(:]/gm), ([, name = '']) => name));

/** Those that a page tells of: others print files of the repository. */
const commandsOf = (root: string, sections: readonly PageSection[]): readonly string[] =>
  ['program', 'operator/operator-commands', 'operator/token-commands']
    .flatMap((file) => namesIn(root, `server/src/cli/${file}.ts`, /\.command\('([a-z-]+)/g))
    .filter((name) => sections.some(({ text }) => count(asCode(name, 'gatehouse ', '(?!-)').says, text) > 0));

const asCode = (name: string, before = '', after = ''): Entry => ({
  name: `${before}${name}`,
  says: new RegExp(`${escaped(before)}\\b${escaped(name)}\\b${after}`, 'g'),
  isCode: true,
});

const rfcEntry = (number: string): Entry => ({
  name: `RFC ${number}`,
  says: new RegExp(`\\bRFCs? (?:\\d+(?:, | and ))*${number}\\b`, 'g'),
  isCode: false,
});

const fieldEntry = ({ name, says }: Term): Entry => ({
  name,
  says: says === undefined ? new RegExp(`\\b${escaped(name)}s?\\b`, 'gi') : new RegExp(says.source, `${says.flags}g`),
  isCode: false,
});

/** Only RFCs that a rule or a page names: others are of one line of code. */
const rfcsOf = (sections: readonly PageSection[]): readonly string[] => [
  ...new Set(
    sections.flatMap(({ text }) => Array.from(text.matchAll(/\bRFC (\d{4,5})\b/g), ([, number = '']) => number)),
  ),
];

const count = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;

const best = <Item>(items: readonly Item[], score: (item: Item) => number): readonly Item[] =>
  items
    .map((item): Scored<Item> => ({ item, score: score(item) }))
    .filter((scored) => scored.score > 0)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, most)
    .map(({ item }) => item);

const scoreOfSection = ({ says }: Entry, { heading, text }: PageSection): number =>
  count(says, heading) * headingScore + Math.min(count(says, text), mostOfText);

const scoreOfFile = ({ name, says }: Entry, { path, owns, fields }: CodeFile): number => {
  if (fields.has(name)) return 2 * headingScore;
  const isNamed = basename(path).replaceAll('-', ' ').includes(name.toLowerCase().replaceAll('-', ' '));
  return (isNamed ? headingScore : 0) + Math.min(count(says, owns), mostOfText);
};

const linksTo = (sections: readonly PageSection[]): string =>
  sections.map(({ heading, link }) => `[${heading.replaceAll('|', '\\|')}](${link})`).join(', ');

const short = (path: string): string => `\`${path.replace(/^server\/src\//, '')}\``;

const rowOf = (entry: Entry, sections: readonly PageSection[], files: readonly CodeFile[]): string => {
  const ofEntry = (section: PageSection): number => scoreOfSection(entry, section);
  const rules = best(
    sections.filter(({ isRule }) => isRule),
    ofEntry,
  );
  const pages = best(
    sections.filter(({ isRule, link }) => !isRule && !link.startsWith('contract/')),
    ofEntry,
  );
  const code = best(files, (file) => scoreOfFile(entry, file)).map(({ path }) => short(path));
  const name = entry.isCode ? `\`${entry.name}\`` : entry.name;
  return `| ${name} | ${linksTo(rules)} | ${linksTo(pages)} | ${code.join(', ')} |\n`;
};

const letterOf = ({ name }: Entry): string => name.charAt(0).toUpperCase();

const head = `# Index

Terms of the field and their RFCs, operations of GraphQL, settings and commands, with the rules, pages and files that are
most about each. The page is printed from the pages and the code; paths without a folder of the repository are below
\`server/src\`.
`;

/** @param root the repository */
export const indexPage = (root: string): string => {
  const [sections, files] = [pageSections(root), codeFiles(root)];
  const entries: readonly Entry[] = [
    ...fieldTerms.map(fieldEntry),
    ...operationsOf(root).map((name) => asCode(name)),
    ...namesIn(root, 'docs/configuration.md', /^\| `([A-Z][A-Z_0-9]+)`/gm).map((name) => asCode(name)),
    ...commandsOf(root, sections).map((name) => asCode(name, 'gatehouse ', '(?!-)')),
    ...rfcsOf(sections).map(rfcEntry),
  ].toSorted((left, right) => left.name.localeCompare(right.name, 'en'));
  const letters = Map.groupBy(entries, letterOf);
  const tables = Array.from(letters, ([letter, ofLetter]) => {
    const rows = ofLetter.map((entry) => rowOf(entry, sections, files)).join('');
    return `\n## ${letter}\n\n| Term | Rules | Pages | Code |\n| - | - | - | - |\n${rows}`;
  });
  return head + tables.join('');
};
