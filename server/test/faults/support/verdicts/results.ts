/** The results of a fault run: a row for each fault, with its history after a violation or FAULTS_HISTORY=1. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Violation } from './checker.ts';
import { countOutcomes, type Operation } from './history.ts';
import { type Row, resultsDirectory } from './result-table.ts';

export interface Judged {
  readonly fault: string;
  readonly runs: number;
  readonly violations: readonly Violation[];
  readonly operations: readonly Operation[];
  /** Internal errors in the logs of the processes; kept with the history. */
  readonly defects?: readonly string[];
  readonly worstRecoveryMillis?: number;
  readonly note?: string;
}

/** Writes the row of a fault, and with a violation also the history that shows it. Call before any assertion. */
export const keepResult = async (judged: Judged): Promise<void> => {
  const { fault, runs, violations, operations, defects = [], worstRecoveryMillis = null, note = '' } = judged;
  const { ok, refused, unknown } = countOutcomes(operations);
  const counted = `${ok} ok, ${refused} refused, ${unknown} unknown`;
  const row: Row = {
    fault,
    runs,
    violations: violations.length,
    worstRecoveryMillis,
    note: [counted, note].filter((each) => each !== '').join('; '),
  };
  await mkdir(resultsDirectory, { recursive: true });
  const file = join(resultsDirectory, fault.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));
  await writeFile(`${file}.row.json`, JSON.stringify(row));
  if (violations.length > 0 || defects.length > 0 || process.env['FAULTS_HISTORY'] === '1') {
    await writeFile(`${file}.history.json`, JSON.stringify(judged, null, 1));
  }
};
