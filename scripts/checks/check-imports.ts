/**
 * `npm run check:imports`: imports run one way, from main down to the kernel (docs/architecture.md). The rules are in
 * `imports/`.
 */
import { importProblems } from '../imports/rules.ts';
import { report, repositoryRoot } from '../report.ts';

report(importProblems(repositoryRoot), 'All imports have a permitted direction.');
