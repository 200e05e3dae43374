/**
 * `npm start`: serves the demo application with its MCP tools, or the application that APPLICATION_FILE names, without
 * them.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

process.argv.splice(2, 0, 'serve');

if (process.env.APPLICATION_FILE === undefined) {
  // As server/src/main.ts, whose command takes no tools.
  enableCompileCache();
  const { listenForSignals, outliveReaders } = await import('../server/src/cli/signals.ts');
  listenForSignals();
  outliveReaders();
  process.env.APPLICATION_FILE = fileURLToPath(new URL('../examples/application.ts', import.meta.url));
  const [{ run }, { tools }] = await Promise.all([
    import('../server/src/cli/program.ts'),
    import('../examples/mcp-tools/tools.ts'),
  ]);
  process.exitCode = await run(process.argv, { tools });
} else {
  await import('../server/entry/gatehouse.mjs');
}
