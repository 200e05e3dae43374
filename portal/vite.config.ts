/** How the portal is built, and how the development server reaches a Gatehouse on its usual port. */
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type ProxyOptions } from 'vite';
import { compressedFiles } from './scripts/compressed-files.ts';
import { precompiledMessages } from './scripts/precompiled-messages.ts';
import { separateOperations } from './scripts/separate-operations.ts';
import { stylesAfterShell } from './scripts/styles-after-shell.ts';

const gatehouse = 'http://localhost:4000';
const portalPort = 5173;
const ownOrigin = `http://localhost:${portalPort}`;

// Gatehouse accepts cookie-authenticated mutations from its own origins only. Requests of the pages served here are
// re-labelled; those of any other page keep their Origin, so that the development server opens no way around the rule.
const toGatehouse: ProxyOptions = {
  target: gatehouse,
  configure: (proxy) => {
    proxy.on('proxyReq', (forwarded, request) => {
      if (request.headers.origin === ownOrigin) forwarded.setHeader('origin', gatehouse);
      if (request.headers.referer?.startsWith(`${ownOrigin}/`)) forwarded.removeHeader('referer');
    });
  },
};

// Vite keeps the NODE_ENV of whoever builds, and with `test` or `development` React's own development build. A build is
// what people are served, whoever makes it.
if (process.argv.includes('build')) process.env['NODE_ENV'] = 'production';

export default defineConfig({
  plugins: [react(), tailwindcss(), precompiledMessages(), separateOperations(), stylesAfterShell(), compressedFiles()],
  server: {
    port: portalPort,
    strictPort: true,
    proxy: { '/graphql': toGatehouse, '/auth': toGatehouse, '/dev': toGatehouse },
  },
  build: {
    target: 'es2022',
    // Where a browser knows no modulepreload, a page is fetched a little later, and nothing else.
    modulePreload: { polyfill: false },
    manifest: true,
    // On a busy machine a build would warn of where its time went.
    rolldownOptions: { checks: { bundlerTimings: false } },
    // What others wrote and the files hold: their notices, and the list for the SBOM.
    license: { fileName: '.vite/licenses.json' },
    // The content security policy names files of this origin; an inlined asset would be an exception to explain.
    assetsInlineLimit: 0,
  },
});
