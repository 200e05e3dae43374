/**
 * `npm run check:docs`, another part: the code in every Markdown page. The npm scripts, commands and options that it
 * names exist; JSON and YAML parse; complete modules of TypeScript pass the type checker.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredCommands, shellProblems } from '../docs/shell-commands.ts';
import { dataProblems, modulesOf, typeProblems } from '../docs/typed-blocks.ts';
import { report, repositoryRoot } from '../report.ts';
import { filesBelow } from '../source-files.ts';

const pages = filesBelow(repositoryRoot, '', /\.md$/).map((page) => ({
  page,
  markdown: readFileSync(join(repositoryRoot, page), 'utf8'),
}));
const commands = declaredCommands();
const modules = pages.flatMap(modulesOf);

report(
  [
    ...pages.flatMap(({ page, markdown }) => shellProblems({ root: repositoryRoot, page }, markdown, commands)),
    ...pages.flatMap(dataProblems),
    ...typeProblems(repositoryRoot, join(repositoryRoot, 'test-results/code-of-docs'), modules),
  ],
  `The code of ${pages.length} pages is what it says, with ${modules.length} modules of TypeScript.`,
);
