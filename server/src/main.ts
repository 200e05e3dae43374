#!/usr/bin/env node
/** The process: listens for signals, hands the command line to `cli/program.ts` and takes its exit code. */
import { enableCompileCache } from 'node:module';
import { listenForSignals, outliveReaders } from './cli/signals.ts';

listenForSignals();
outliveReaders();
// Keeps stripped types and compiled code between starts, in the user's cache; a start without it is only slower.
enableCompileCache();

const { run } = await import('./cli/program.ts');
process.exitCode = await run(process.argv);
