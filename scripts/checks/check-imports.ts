/**
 * `npm run check:imports`: imports run one way, from main down to the kernel (docs/architecture.md). The rules stand
 * in `imports/`.
 */
import { importProblems } from '../imports/rules.ts';
import { report, repositoryRoot } from '../report.ts';

report(importProblems(repositoryRoot), 'Imports run one way, without a cycle.');
