/** `npm run check:lanes`: the name of each test file of the server says its lane. The rules are in `tests/lanes.ts`. */
import { report, repositoryRoot } from '../report.ts';
import { laneProblems } from '../tests/lanes.ts';

report(laneProblems(repositoryRoot), 'Every test file is in its lane.');
