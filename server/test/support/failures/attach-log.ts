/**
 * A setup file, which Vitest runs for each test file: the scale of the limits of waits, and for the report the log of
 * its services with each failed test.
 */
import { beforeEach } from 'vitest';
import '../gatehouse/wait-limits.ts';
import { forgetLogs, lastLines } from './recent-logs.ts';

declare module 'vitest' {
  export interface TaskMeta {
    serviceLog?: readonly string[];
  }
}

forgetLogs();

beforeEach(({ onTestFailed }) => {
  onTestFailed(({ task }) => {
    task.meta.serviceLog = lastLines();
  });
});
