/**
 * The pages that are printed from code and are not in git, because nearly every change changes them: the documentation
 * site has them, and `npm run docs:page` prints them.
 */
import { mutants } from '../../server/test/mutants/all.ts';
import { mutantsPage } from '../mutants/page.ts';
import { indexPage } from '../term-index/page.ts';
import { contractSections } from '../traceability/contract-pages.ts';
import { traceabilityPage } from '../traceability/page.ts';

interface PrintedPage {
  /** Where the page is in the site, as a path in the repository. */
  readonly file: string;
  /** @throws Error when the code of the repository at `root` does not allow the page */
  readonly print: (root: string) => string;
}

const traceability = (root: string): string => {
  const { markdown, problems } = traceabilityPage(root, contractSections(root));
  if (problems.length > 0) throw new Error(`The page of traceability cannot be printed:\n${problems.join('\n')}`);
  return markdown;
};

/** By the names that `npm run docs:page` takes. */
export const printedPages: Readonly<Record<string, PrintedPage>> = {
  traceability: { file: 'docs/traceability.md', print: traceability },
  index: { file: 'docs/index-by-term.md', print: indexPage },
  mutants: { file: 'docs/mutants.md', print: () => mutantsPage(mutants) },
};
