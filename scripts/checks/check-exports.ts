/** `npm run check:exports`: a file imports each export. The rule and its exceptions are in `imports/exports.ts`. */
import { exportProblems } from '../imports/exports.ts';
import { report, repositoryRoot } from '../report.ts';

report(exportProblems(repositoryRoot), 'Every export has a user.');
