/**
 * The index by term: for each term of the field, operation of GraphQL, setting, command and RFC, the rules of the
 * contract, the sections of other pages and the files of code that are about it.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path/posix';
import { type Owners, ownersOfCommands, ownersOfOperations, ownersOfSettings } from './owners.ts';
import { type CodeFile, codeFiles, type PageSection, pageSections } from './sources.ts';
import { fieldTerms, type Term } from './terms.ts';

interface Entry extends Term {
  readonly says: RegExp;
  /** As code: a name of an interface. */
  readonly isCode: boolean;
}

const most = 3;
const headingScore = 10;
const mostOfText = 5;
/** Rules are decided in the server. */
const ofServer = 3 * headingScore;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const namesIn = (root: string, file: string, pattern: RegExp): readonly string[] => [
  ...new Set(Array.from(readFileSync(join(root, file), 'utf8').matchAll(pattern), (match) => match[1] ?? '')),
];

const operationsOf = (root: string): readonly string[] =>
  readFileSync(join(root, 'server/schema.graphql'), 'utf8')
    .split(/^(?=[a-z]+ \w+)/m)
    .filter((type) => /^type (?:Query|Mutation) /.test(type))
    .flatMap((type) => Array.from(type.matchAll(/^ {2}(\w+)[(:]/gm), ([, name = '']) => name));

const asCode = (name: string): Entry => ({
  name,
  says: new RegExp(`\\b${escaped(name)}\\b(?!-)`, 'g'),
  isCode: true,
});

/** Pages write an operation whose name is a word too as code. */
const operationEntry = (name: string): Entry =>
  /[A-Z]/.test(name)
    ? asCode(name)
    : { ...asCode(name), says: new RegExp(`\`(?:Query\\.)?${name}\`|Query ${name}\\b`, 'g') };

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
    .map((item) => ({ item, score: score(item) }))
    .filter((scored) => scored.score > 0)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, most)
    .map(({ item }) => item);

/** What a rule is about is in its heading or its first sentence; lists of operations name many. */
const scoreOfSection = ({ says }: Entry, { heading, text }: PageSection): number =>
  count(says, heading) * headingScore +
  (count(says, /^\s*[^|\s][\s\S]*?(?:\.(?=\s|$)|:\n\n)/.exec(text)?.[0] ?? '') > 0 ? mostOfText : 0) +
  Math.min(count(says, text), mostOfText);

/** Rules that a comment on an operation or a setting cites. */
const citedBy = ({ says, isCode }: Entry, files: readonly CodeFile[]): ReadonlySet<string> =>
  new Set(
    (isCode ? files : [])
      .flatMap(({ comments }) => comments.filter((comment) => count(says, comment) > 0))
      .flatMap((comment) => comment.match(/\bcontract\/[\w-]+\.md#[\w-]+/g) ?? []),
  );

/** Files of the server first, then those of the demo, of `gatehouse doctor`, and of the portal. */
const scoreOfFile = ({ name, says }: Entry, { path, owns, text }: CodeFile, saidAnywhere: boolean): number => {
  const [base, slug] = [basename(path).replace(/\..*/, ''), name.toLowerCase().replaceAll(' ', '-')];
  const isNamed = base.includes(slug) || count(says, base) + count(says, base.replaceAll('-', ' ')) > 0;
  const isExact = base === slug || base === `${slug}s`;
  const said = Math.min(count(says, saidAnywhere ? text : owns), mostOfText);
  const score = said + (isNamed ? headingScore : 0) + (isExact ? headingScore : 0);
  return score > 0 && /^server\/src\/(?!cli\/(?:doctor|demo))/.test(path) ? score + ofServer : score;
};

const linksTo = (sections: readonly PageSection[]): string =>
  sections.map(({ heading, link }) => `[${heading.replaceAll('|', '\\|')}](${link})`).join(', ');

const short = (path: string): string => `\`${path.replace(/^server\/src\//, '')}\``;

interface Sources {
  readonly sections: readonly PageSection[];
  readonly files: readonly CodeFile[];
  readonly owners: Owners;
}

/** What owns it by its first comment or its name; else what says it anywhere. The program is the last of a command. */
const codeOf = (entry: Entry, { files, owners }: Sources): readonly string[] => {
  const owned = [...new Set(owners.get(entry.name))].slice(0, most);
  if (owned.length > 0 && !entry.name.includes(' ')) return owned;
  const owning = best(files, (file) => scoreOfFile(entry, file, false));
  const found = owning.length + owned.length > 0 ? owning : best(files, (file) => scoreOfFile(entry, file, true));
  return [...new Set([...found.slice(0, most - owned.length).map(({ path }) => path), ...owned])];
};

const rowOf = (entry: Entry, sources: Sources): string => {
  const { sections } = sources;
  const cited = citedBy(entry, sources.files);
  const weight = /[a-z]/.test(entry.name) ? headingScore : 2;
  const ofEntry = (section: PageSection): number =>
    scoreOfSection(entry, section) + (cited.has(section.link) ? weight : 0);
  const rules = best(
    sections.filter(({ isRule }) => isRule),
    ofEntry,
  );
  const pages = best(
    sections.filter(({ isRule, link }) => !isRule && !link.startsWith('contract/')),
    ofEntry,
  );
  const code = codeOf(entry, sources).map(short);
  const name = entry.isCode ? `\`${entry.name}\`` : entry.name;
  return `| ${name} | ${linksTo(rules)} | ${linksTo(pages)} | ${code.join(', ')} |\n`;
};

const letterOf = ({ name }: Entry): string => name.charAt(0).toUpperCase();

const head = `# Index

Terms of the field and their RFCs, operations of GraphQL, settings and commands, with the rules, pages and files that
are most about each. The page is printed from the pages and the code; paths without a folder of the repository are below
\`server/src\`.
`;

/** @param root the repository */
export const indexPage = (root: string): string => {
  const [sections, files] = [pageSections(root), codeFiles(root)];
  const settings = namesIn(root, 'docs/configuration.md', /^\| `([A-Z][A-Z_0-9]+)`/gm);
  const commands = ownersOfCommands(files);
  const owners = new Map([...ownersOfOperations(files), ...ownersOfSettings(files, settings), ...commands]);
  // A command that no page tells of prints files of the repository.
  const isTold = ({ says }: Entry): boolean => sections.some(({ text }) => count(says, text) > 0);
  const entries: readonly Entry[] = [
    ...fieldTerms.map(fieldEntry),
    ...operationsOf(root).map(operationEntry),
    ...settings.map(asCode),
    ...[...commands.keys()].map(asCode).filter(isTold),
    ...rfcsOf(sections).map(rfcEntry),
  ].toSorted((left, right) => left.name.localeCompare(right.name, 'en'));
  const letters = Map.groupBy(entries, letterOf);
  const tables = Array.from(letters, ([letter, ofLetter]) => {
    const rows = ofLetter.map((entry) => rowOf(entry, { sections, files, owners })).join('');
    return `\n## ${letter}\n\n| Term | Rules | Pages | Code |\n| - | - | - | - |\n${rows}`;
  });
  return head + tables.join('');
};
