/**
 * The pages of the contract, docs/contract/, in their order: sections of rules, each of which has a heading. Tests and
 * comments cite a rule by its page and anchor.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorOf, headingsOf } from '../docs/anchors.ts';

export const contractPages = [
  'accounts',
  'credentials',
  'account',
  'organizations',
  'application',
  'requests',
  'machine-credentials',
  'platform-mcp',
  'organization-mcp',
  'incidents',
  'operation',
  'portal',
] as const;

export interface Rule {
  /** The page and the anchor, as tests cite them: `credentials#rotation`. */
  readonly id: string;
  readonly title: string;
}

export interface Section extends Rule {
  readonly rules: readonly Rule[];
}

/** @param root the repository */
export const contractSections = (root: string): readonly Section[] =>
  contractPages.flatMap((page) => sectionsOf(page, readFileSync(join(root, 'docs/contract', `${page}.md`), 'utf8')));

/** A heading of the second level is a section, one of the third level a rule. */
const sectionsOf = (page: string, markdown: string): readonly Section[] => {
  const sections: (Rule & { readonly rules: Rule[] })[] = [];
  for (const { level, text } of headingsOf(markdown)) {
    const heading: Rule = { id: `${page}#${anchorOf(text)}`, title: text };
    if (level === 2) sections.push({ ...heading, rules: [] });
    if (level === 3) sections.at(-1)?.rules.push(heading);
  }
  return sections;
};
