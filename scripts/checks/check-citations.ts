/**
 * Part of `npm run check:docs`: a comment that cites the contract names the anchor of a rule or of a section of rules,
 * `contract/PAGE.md#RULE` below docs/, and that heading exists.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { report, repositoryRoot } from '../report.ts';
import { sourceFiles } from '../source-files.ts';
import { contractSections } from '../traceability/contract-pages.ts';

const directories = ['server', 'portal', 'packages', 'examples', 'scripts'];
/** Of this check and of the page: their texts are no citations. */
const examples = /^(?:scripts\/checks\/check-citations|server\/test\/tooling\/traceability)\b/;

const citation = /\bcontract\/(?<page>[a-z-]+)\.md(?:#(?<anchor>[\p{L}\p{N}_-]+))?/gu;
/** A text or a file that a reader of this repository cannot open. */
const elsewhere = /\bcontract, (?:["`]|[a-z-]+\.md)|\(specification\b|\bspecification, ["`]/gi;

const sections = contractSections(repositoryRoot);
const headings = new Set([...sections, ...sections.flatMap(({ rules }) => rules)].map(({ id }) => id));

let cited = 0;

const problemsIn = (file: string): string[] => {
  const text = readFileSync(join(repositoryRoot, file), 'utf8');
  const place = (index: number): string => `${file}:${text.slice(0, index).split('\n').length}`;
  const citations = [...text.matchAll(citation)];
  cited += citations.length;
  return [
    ...[...text.matchAll(elsewhere)].map(
      (match) => `${place(match.index)} cites "${match[0]}": name contract/PAGE.md#RULE`,
    ),
    ...citations
      .filter(({ groups }) => !headings.has(`${groups?.['page']}#${groups?.['anchor']}`))
      .map((match) => `${place(match.index)} cites ${match[0]}, which docs/contract does not have`),
  ];
};

const files = directories.flatMap((directory) => sourceFiles(repositoryRoot, directory));
const problems = files.filter((file) => !examples.test(file)).flatMap(problemsIn);
report(problems, `${cited} citations of the contract name a heading.`);
