/** Prints docs/traceability.md from the tests; `scripts/generated.ts` writes it or compares it. */
import { report, repositoryRoot } from '../report.ts';
import { traceabilityPage } from '../traceability/page.ts';
import { sections } from '../traceability/sections.ts';

const { markdown, problems } = traceabilityPage(repositoryRoot, sections);
if (problems.length > 0) report(problems, '');
else process.stdout.write(markdown);
