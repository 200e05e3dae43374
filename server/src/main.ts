#!/usr/bin/env node
/** The entry point of the process: runs the command line (`cli/program.ts`) and sets its exit code. */
import { enableCompileCache } from 'node:module';
import { listenForSignals, outliveReaders } from './cli/signals.ts';

listenForSignals();
outliveReaders();
// Caches stripped types and compiled code between starts, in the user's cache directory; a failure only slows the
// start.
enableCompileCache();

const { run } = await import('./cli/program.ts');
process.exitCode = await run(process.argv);
