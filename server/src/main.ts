#!/usr/bin/env node
/** The entry point of the process: runs the command line (`cli/program.ts`) and sets its exit code. */
import { enableCompileCache } from 'node:module';
import { listenForSignals, outliveReaders } from './cli/signals.ts';

listenForSignals();
outliveReaders();
// As in entry/gatehouse.mjs, for a process that begins here.
enableCompileCache();

const { run } = await import('./cli/program.ts');
process.exitCode = await run(process.argv);
