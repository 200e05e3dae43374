/** Attaches the log of its services to each failed test, for the report. A setup file: Vitest runs it for each file. */
import { beforeEach } from 'vitest';
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
