/** The result rows of a run of the fault suite, and the table printed at its end. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Below the folder of the test reports, and not itself one. */
export const resultsDirectory = fileURLToPath(new URL('../../../../../test-results/faults', import.meta.url));

export interface Row {
  readonly fault: string;
  readonly runs: number;
  readonly violations: number;
  /** The longest recovery time of the service; null where it is not measured. */
  readonly worstRecoveryMillis: number | null;
  /** Other measurements, in a few words. */
  readonly note: string;
}

/** All rows as a table in Markdown, in the order of their names; empty when there are none. */
export const printedResults = async (): Promise<string> => {
  const files = await readdir(resultsDirectory).catch(() => []);
  const rows = await Promise.all(
    files
      .filter((file) => file.endsWith('.row.json'))
      .sort()
      .map(readRow),
  );
  if (rows.length === 0) return '';
  const lines = rows.map(
    ({ fault, runs, violations, worstRecoveryMillis, note }) =>
      `| ${fault} | ${runs} | ${violations} | ${seconds(worstRecoveryMillis)} | ${note} |`,
  );
  return ['| fault | runs | violations | worst recovery | seen |', '| - | -: | -: | -: | - |', ...lines, ''].join('\n');
};

const readRow = async (file: string): Promise<Row> =>
  JSON.parse(await readFile(join(resultsDirectory, file), 'utf8')) as Row;

const seconds = (millis: number | null): string => (millis === null ? '–' : `${(millis / 1000).toFixed(2)} s`);
