/**
 * The pages that people meet below /auth: the frame around them, the headers they carry, and the stylesheet.
 * They run no script and hold no style of their own, cannot be framed, and are kept by nobody.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { sha256 } from '../../kernel/secrets.ts';
import { escapeHtml } from '../../platform/mail/message.ts';
import { styles } from './styles.ts';

/**
 * Without `form-action`, which Chromium applies to the redirect behind the form too, where it silently keeps the answer
 * from the client. The form is safe without it: nothing on the page can change where it goes.
 */
const policy = "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

/** Of each surface that shows pages, which is mounted or not for itself. */
export const stylesheets = { oauth: '/auth/mcp/pages.css', external: '/auth/google/pages.css' } as const;
/** The address changes with the content, so that a browser may keep it. */
const stylesheetVersion = sha256(styles).toString('hex').slice(0, 12);

export const mountStylesheet = (app: FastifyInstance, stylesheet: string): void => {
  app.get(stylesheet, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=31536000, immutable').type('text/css; charset=utf-8').send(styles),
  );
};

/** A page before it is framed. */
export interface Page {
  readonly title: string;
  /** HTML; whoever makes it escapes what came from outside. */
  readonly main: string;
}

/** @param stylesheet one of {@link stylesheets} */
export const sendPage = (
  reply: FastifyReply,
  status: number,
  page: Page,
  stylesheet: string = stylesheets.oauth,
): FastifyReply =>
  reply
    .headers({ 'cache-control': 'no-store', 'content-security-policy': policy })
    .type('text/html; charset=utf-8')
    .status(status)
    .send(frame(page, stylesheet));

const frame = ({ title, main }: Page, stylesheet: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Gatehouse</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet}?v=${stylesheetVersion}">
</head>
<body>
<header>${mark}<span>Gatehouse</span></header>
<main>
${main}
</main>
</body>
</html>
`;

const mark = `<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
<rect width="32" height="32" rx="8" fill="#0f6b58"/>
<path d="M7.5 25V15.5a8.5 8.5 0 0 1 17 0V25" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>
<path d="M12.6 25V15.6a3.4 3.4 0 0 1 6.8 0V25Z" fill="#9fe3cd"/>
</svg>`;
