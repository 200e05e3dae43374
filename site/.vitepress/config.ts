/**
 * Owns how VitePress builds the site of the documentation: the pages of the repository where they are and those that
 * `npm run docs` has written, their addresses, navigation and search. Nothing of the site loads from elsewhere.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { anchorOf, headingsOf } from '../../scripts/docs/anchors.ts';
import { navigationOf, type Section } from '../../scripts/docs/navigation.ts';
import { addressOf, addressOfLink, placeOf, printedFolder } from '../../scripts/docs/places.ts';
import { repositoryRoot } from '../../scripts/report.ts';
import { filesBelow, ignoredPatterns } from '../../scripts/source-files.ts';

/** Of markdown-it, what is used here. */
interface Token {
  readonly type: string;
  readonly content: string;
  tag: string;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}
interface State {
  readonly tokens: Token[];
  readonly env: Env;
}
interface Env {
  /** Absolute; without one for a text that is no page. */
  readonly path?: string;
  readonly realPath?: string;
}
type Rule = (tokens: readonly Token[], index: number, options: unknown, env: Env, self: unknown) => string;
interface MarkdownIt {
  readonly core: {
    readonly ruler: { push(name: string, rule: (state: State) => void): void; disable(name: string): void };
  };
  readonly renderer: { readonly rules: Record<string, Rule | undefined> };
  parse(markdown: string, env: Env): Token[];
}

/** The page in the repository, or where a written one would be there. @param file as VitePress lists it */
const pageOf = (file: string): string =>
  file.startsWith(`${printedFolder}/`) ? file.slice(printedFolder.length + 1) : file;

const pageOfEnv = ({ realPath, path }: Env): string | null => {
  const file = realPath ?? path;
  return file === undefined ? null : pageOf(relative(repositoryRoot, file).replaceAll('\\', '/'));
};

/** Files by their pages: README, documentation, and what is written but for sources. */
const filesOfPages = new Map(
  [
    ...filesBelow(repositoryRoot, '', /\.md$/),
    ...filesBelow(join(repositoryRoot, printedFolder), 'docs', /\.md$/).map((file) => `${printedFolder}/${file}`),
  ].map((file) => [pageOf(file), file]),
);
const pages = [...filesOfPages.keys()].toSorted();

const titleOf = (page: string): string => {
  const markdown = readFileSync(join(repositoryRoot, filesOfPages.get(page) ?? page), 'utf8');
  return (headingsOf(markdown)[0]?.text ?? page).replaceAll('`', '');
};

const addressOfEntry = (entry: string): string => {
  const [page = '', anchor] = entry.split('#');
  return `${addressOf(placeOf(page))}${anchor === undefined ? '' : `#${anchor}`}`;
};

const itemOf = ({ page, label }: Section['entries'][number]) => ({
  text: label ?? titleOf(page),
  link: addressOfEntry(page),
});

const navigation = navigationOf(pages);

/** The way for each kind of reader, on the first page. */
const readers = navigation
  .flatMap(({ title, reader, entries: [first] }) =>
    reader === undefined || first === undefined
      ? []
      : [`- **[${title}](${first.page})** ${reader} Begin with ${first.label ?? titleOf(first.page)}.`],
  )
  .join('\n');

const configureMarkdown = (markdown: MarkdownIt): void => {
  // Colons in sentences are what they are.
  markdown.core.ruler.disable('emoji');
  const render = markdown.renderer.rules['link_open'];
  markdown.renderer.rules['link_open'] = (tokens, index, options, env, self) => {
    const page = pageOfEnv(env);
    const token = tokens[index];
    const target = token?.attrGet('href') ?? null;
    if (page !== null && target !== null) token?.attrSet('href', addressOfLink(repositoryRoot, page, target));
    return render?.(tokens, index, options, env, self) ?? '';
  };
  // An empty heading of a column is no heading, and code that scrolls is reached by the keyboard.
  markdown.core.ruler.push('accessibility', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const { type, content } = token;
      if (type === 'code_block') token.attrSet('tabindex', '0');
      const [open, close] = [tokens[index - 1], tokens[index + 1]];
      if (type !== 'inline' || content !== '' || open?.type !== 'th_open' || close === undefined) continue;
      open.tag = 'td';
      close.tag = 'td';
    }
  });
  markdown.core.ruler.push('readers', ({ tokens, env }) => {
    if (pageOfEnv(env) !== 'README.md') return;
    const end = tokens.findIndex(({ type }) => type === 'paragraph_close');
    tokens.splice(end + 1, 0, ...markdown.parse(`<div class="readers">\n\n${readers}\n\n</div>`, {}));
  });
};

const listed = new Set(navigation.flatMap(({ entries }) => entries.map(({ page }) => page)));

interface PageData {
  readonly filePath: string;
  readonly frontmatter: object;
}

/** The first page has a title of its own, and a page that the navigation does not list has no neighbours. */
const transformPageData = ({ filePath, frontmatter }: PageData) => {
  const page = pageOf(filePath);
  if (page === 'README.md') return { title: 'Gatehouse documentation', titleTemplate: false };
  return listed.has(page) ? {} : { frontmatter: { ...frontmatter, prev: false, next: false } };
};

/** Pages outside of site/ would look for Vue beside themselves; what renders them is written to site/, and finds it. */
const vueOfSite = {
  name: 'vue-of-site',
  enforce: 'pre',
  resolveId: (id: string, _importer: unknown, { ssr }: { readonly ssr?: boolean }) =>
    ssr === true && ['vue', 'vue/server-renderer'].includes(id) ? { id, external: true } : null,
};

export default {
  title: 'Gatehouse',
  titleTemplate: ':title · Gatehouse',
  description: 'Self-hosted sign-in, organizations, roles and plans for one multi-tenant web application',
  lang: 'en',
  srcDir: '..',
  srcExclude: ignoredPatterns.filter((pattern) => !pattern.startsWith(printedFolder)),
  outDir: 'dist',
  cacheDir: 'node_modules/.cache',
  rewrites: (file: string) => placeOf(pageOf(file)),
  ignoreDeadLinks: 'localhostLinks',
  // Browsers ask for an icon otherwise.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    anchor: { slugify: anchorOf },
    // Braces in sentences are what they are.
    attrs: { disable: true },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: configureMarkdown,
  },
  vite: {
    plugins: [vueOfSite],
    // The search index and the page of all tests are as large as they are.
    build: { chunkSizeWarningLimit: 4000 },
  },
  transformPageData,
  themeConfig: {
    outline: { level: 2, label: 'On this page' },
    sidebar: navigation.map(({ title, entries }) => ({ text: title, items: entries.map(itemOf) })),
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { combineWith: 'AND' } } },
    },
  },
};
