/** Runs `gatehouse doctor` as operators do. */
import { expect } from 'vitest';
import { runHere } from '../support/gatehouse/command-line.ts';
import type { Service } from '../support/gatehouse/gatehouse.ts';
import type { Environment } from '../support/gatehouse/gatehouse-process.ts';

export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'error';
  readonly says: string;
  readonly fix: string | null;
}

export interface Diagnosis {
  readonly code: number | null;
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** Runs it with `--json`; it exits with 0 or 1, prints nothing to standard error and reveals no secret. */
export const diagnose = async (environment: Environment): Promise<Diagnosis> => {
  const { code, stdout, stderr } = await runHere(['doctor', '--json'], environment);
  expect(stderr).toBe('');
  expect(stdout).not.toMatch(/canary/i);
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: readonly Finding[] };
  expect(code).toBe(ok ? 0 : 1);
  for (const { level, fix } of findings) expect(fix === null).toBe(level === 'ok');
  return { code, ok, findings };
};

export const faults = ({ findings }: Diagnosis, subject: string): Finding[] =>
  findings.filter(({ check, level }) => check === subject && level !== 'ok');

/** Expects exactly one fault on a subject, and returns it. */
export const theFault = (diagnosis: Diagnosis, subject: string): Finding => {
  const found = faults(diagnosis, subject);
  expect(found, JSON.stringify(diagnosis.findings, null, 1)).toHaveLength(1);
  return found[0] ?? { check: subject, level: 'ok', says: '', fix: null };
};

/** Expects exactly one fault on a subject, with this level and these texts. */
export const expectFault = (
  diagnosis: Diagnosis,
  subject: string,
  {
    level,
    says = /./,
    fix = /./,
  }: { readonly level?: Finding['level']; readonly says?: RegExp; readonly fix?: RegExp },
): void => {
  const found = theFault(diagnosis, subject);
  expect([found.says, found.fix]).toEqual([expect.stringMatching(says), expect.stringMatching(fix)]);
  if (level !== undefined) expect(found.level).toBe(level);
};

export const environmentOf = ({ config }: Service, more: Environment = {}): Environment => ({
  NODE_ENV: 'test',
  BASE_URL: config.baseUrl,
  FRONTEND_URL: config.frontendUrl,
  DATA_DIR: config.dataDirectory,
  ...(config.databaseUrl === undefined ? {} : { DATABASE_URL: config.databaseUrl }),
  ...more,
});
