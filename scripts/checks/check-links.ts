/**
 * `npm run check:docs`, second part: every relative link and image of every Markdown page leads to a file that
 * exists, and every anchor to a heading of that file. HTML in a page is such that VitePress can build it.
 */
import { linkProblems } from '../docs/links.ts';
import { markupProblems } from '../docs/markup.ts';
import { repositoryPages } from '../docs/site-pages.ts';
import { report, repositoryRoot } from '../report.ts';

const pages = repositoryPages(repositoryRoot);
report(
  [...linkProblems(repositoryRoot, pages), ...markupProblems(pages)],
  `All links of ${pages.size} pages have a target.`,
);
