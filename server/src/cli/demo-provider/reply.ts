/** How pages of the demo provider go out: without scripts, framed by nobody, kept by nobody. */
import type { ServerResponse } from 'node:http';

/** Without `form-action`, which Chromium applies to the way back to the service too. */
const policy = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
};

export const answerPage = (response: ServerResponse, status: number, html: string): void => {
  response.writeHead(status, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(html);
};

export const answerText = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
};

export const answerStyles = (response: ServerResponse, styles: string): void => {
  response.writeHead(200, { ...headers, 'content-type': 'text/css; charset=utf-8' }).end(styles);
};
