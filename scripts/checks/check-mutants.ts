/**
 * `npm run check:mutants`: every fault of server/test/mutants can still be injected, and its tests exist. Runs no test.
 */
import { mutants } from '../../server/test/mutants/all.ts';
import { mutantProblems } from '../mutants/problems.ts';
import { report, repositoryRoot } from '../report.ts';

report(mutantProblems(repositoryRoot, mutants), `${mutants.length} faults can be injected.`);
