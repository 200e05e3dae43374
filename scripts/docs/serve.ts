/** Serves the built site on the loopback, for `npm run docs -- --serve`. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** A server of the site's files that is not listening yet. */
export const siteServer = (site: string): Server =>
  createServer((request, response) => {
    const pathname = pathOf(request.url ?? '/');
    // URL has removed what leads upwards, also in its percent-encoded form; `normalize` has the rest.
    const path = normalize(decodePath(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    const isBelow = !path.split(/[/\\]/).includes('..') && !path.includes('\0');
    readFile(isBelow ? join(site, path) : '').then(
      (content) =>
        response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(content),
      () => response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n'),
    );
  });

/** The path of a request target; empty for one that is no URL, such as `*`. A path may begin with two slashes. */
const pathOf = (target: string): string => {
  const url = target.startsWith('/') ? `http://localhost${target}` : target;
  return URL.canParse(url) ? new URL(url).pathname : '';
};

const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};
