/**
 * Part of `npm run check:docs`: the page from the specification to the tests can be printed. Each comment with a
 * requirement is above a test and names a section, and each section has a test.
 */
import { report, repositoryRoot } from '../report.ts';
import { traceabilityPage } from '../traceability/page.ts';
import { sections } from '../traceability/sections.ts';

const { requirements, problems } = traceabilityPage(repositoryRoot, sections);
report(problems, `${requirements} requirements in ${sections.length} sections have a test.`);
