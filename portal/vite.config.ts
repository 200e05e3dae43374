/** Build of the portal, and the development server's proxy to a local Gatehouse. */
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { type Alias, defineConfig, type ProxyOptions } from 'vite';
import { chunkGroups } from './scripts/chunks.ts';
import { compressedFiles } from './scripts/compressed-files.ts';
import { messageParts } from './scripts/messages/plugin.ts';
import { separateOperations } from './scripts/separate-operations.ts';
import { stylesAfterShell } from './scripts/styles-after-shell.ts';

const gatehouse = 'http://localhost:4000';
const portalPort = 5173;
const ownOrigin = `http://localhost:${portalPort}`;

// Gatehouse accepts cookie-authenticated mutations from its own origins only. The Origin header is replaced for
// requests of pages served here and kept for all others, so that the proxy does not bypass the rule.
const toGatehouse: ProxyOptions = {
  target: gatehouse,
  configure: (proxy) => {
    proxy.on('proxyReq', (forwarded, request) => {
      if (request.headers.origin === ownOrigin) forwarded.setHeader('origin', gatehouse);
      if (request.headers.referer?.startsWith(`${ownOrigin}/`)) forwarded.removeHeader('referer');
    });
  },
};

// Vite keeps NODE_ENV from the environment, and `test` or `development` would bundle React's development build.
if (process.argv.includes('build')) process.env['NODE_ENV'] = 'production';

/** The built portal runs on Preact, which is a fifth of the size of react-dom. The development server runs on React. */
const preact: readonly Alias[] = [
  { find: /^react$/, replacement: 'preact/compat' },
  { find: /^react-dom$/, replacement: 'preact/compat' },
  { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
  { find: /^react\/jsx-runtime$/, replacement: 'preact/jsx-runtime' },
];

export default defineConfig(({ command }) => ({
  resolve: {
    alias: [
      // From its source: a checkout needs no build of the package.
      {
        find: '@gatehouse/client',
        replacement: fileURLToPath(new URL('../packages/client/src/index.ts', import.meta.url)),
      },
      // React has had useSyncExternalStore since version 18.
      { find: /^use-sync-external-store\/shim$/, replacement: command === 'build' ? 'preact/compat' : 'react' },
      { find: /^use-sync-external-store\/shim\/with-selector$/, replacement: 'use-sync-external-store/with-selector' },
      ...(command === 'build' ? preact : []),
    ],
  },
  plugins: [react(), tailwindcss(), messageParts(), separateOperations(), stylesAfterShell(), compressedFiles()],
  server: {
    port: portalPort,
    strictPort: true,
    proxy: { '/graphql': toGatehouse, '/auth': toGatehouse, '/dev': toGatehouse },
  },
  build: {
    target: 'es2022',
    // Without modulepreload a page only loads a little later.
    modulePreload: { polyfill: false },
    manifest: true,
    // Timing warnings depend on the load of the machine.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: { codeSplitting: { groups: chunkGroups() } },
    },
    // Licenses of bundled packages, for the notices and the SBOM.
    license: { fileName: '.vite/licenses.json' },
    // The content security policy allows files of this origin; inlined assets would need an exception.
    assetsInlineLimit: 0,
  },
}));
