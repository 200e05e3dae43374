/** Owns what the servers of a development instance share: the frame of their pages, answers, forms, and their end. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const styles = `:root{color-scheme:light dark}
*{box-sizing:border-box}
body{max-width:30rem;margin:0 auto;padding:2rem 1.25rem 4rem;font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
ul{padding:0;list-style:none}
a{color:inherit}
button,input{min-height:2.75rem;padding:.5rem .75rem;border:1px solid GrayText;border-radius:.625rem;background:Canvas;color:CanvasText;font:inherit}
button{width:100%;margin-top:.5rem;cursor:pointer;animation:settled 700ms}
button:hover{border-color:CanvasText}
.people button{text-align:left}
button span{display:block}
.name{overflow:hidden;font-weight:600;text-overflow:ellipsis;white-space:nowrap}
label{display:grid;margin-top:.5rem}
.check{display:flex;align-items:center;gap:.5rem}
summary{padding:.75rem 0;cursor:pointer}
/* A page that appears under a pointer in the middle of a double click must not be answered by its second half. */
@keyframes settled{from,to{pointer-events:none}}
`;

/** @param name of the stand-in, in the page's title and header */
export const frame = (name: string, title: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · ${name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/pages.css">
</head>
<body>
<header>${name}</header>
<main>
${main}
</main>
</body>
</html>
`;

// Response headers: no scripts, no framing, no caching.

/** Omits `form-action`, which Chromium also applies to the redirect back to the service. */
const policy = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

const headers = { 'cache-control': 'no-store', 'content-security-policy': policy, 'referrer-policy': 'no-referrer' };

export const answerPage = (response: ServerResponse, status: number, html: string): void => {
  response.writeHead(status, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(html);
};

export const answerText = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
};

export const answerStyles = (response: ServerResponse): void => {
  response.writeHead(200, { ...headers, 'content-type': 'text/css; charset=utf-8' }).end(styles);
};

const maxFormLength = 20_000;

/** Null when the body is too long. */
export const readForm = async (request: IncomingMessage): Promise<URLSearchParams | null> => {
  let text = '';
  for await (const part of request.setEncoding('utf8')) {
    text += String(part);
    if (text.length > maxFormLength) return null;
  }
  return new URLSearchParams(text);
};

/**
 * Nothing else depends on a stand-in, so the service starts without one that cannot listen.
 * @param warn of the reason, by its code
 * @returns the port, or null when it cannot be opened
 */
export const listenOnLoopback = async (
  server: Server,
  port: number,
  warn: (code: string) => void,
): Promise<number | null> => {
  const listening = once(server, 'listening');
  server.listen(port, '127.0.0.1');
  try {
    await listening;
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  } catch (error) {
    warn(error instanceof Error && 'code' in error ? String(error.code) : 'unknown');
    return null;
  }
};

export const closed = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  const ended = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await ended;
};
