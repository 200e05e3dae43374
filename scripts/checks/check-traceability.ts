/**
 * Part of `npm run check:docs`: the page from the contract to the tests can be printed. Each comment with a requirement
 * is above a test and names a rule of docs/contract/, and each rule has a test.
 */
import { report, repositoryRoot } from '../report.ts';
import { contractSections } from '../traceability/contract-pages.ts';
import { traceabilityPage } from '../traceability/page.ts';

const sections = contractSections(repositoryRoot);
const { requirements, problems } = traceabilityPage(repositoryRoot, sections);
const rules = sections.flatMap((section) => section.rules);
report(problems, `${rules.length} rules have a test, with ${requirements} requirements.`);
