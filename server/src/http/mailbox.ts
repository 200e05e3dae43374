/** The development mailbox at /dev/mailbox: a page, JSON, and DELETE to empty it. Development and test only. */
import type { FastifyInstance } from 'fastify';
import type { Mailbox, MailboxEntry } from '../platform/mail/mailbox.ts';
import { answerNotFound } from './fallbacks.ts';

export const mountMailbox = (app: FastifyInstance, mailbox: Mailbox): void => {
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/dev/mailbox')) reply.header('cache-control', 'no-store');
  });
  app.get('/dev/mailbox.json', async () => mailbox.list());
  app.delete('/dev/mailbox', async (_request, reply) => {
    mailbox.empty();
    return reply.status(204).send();
  });
  app.get('/dev/mailbox.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(styles));
  app.get('/dev/mailbox', async (_request, reply) =>
    reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'",
      )
      .type('text/html; charset=utf-8')
      .send(renderPage(mailbox.list())),
  );
  app.get<{ Params: { id: string } }>('/dev/mailbox/:id', async (request, reply) => {
    const entry = mailbox.find(request.params.id);
    if (entry === null) return answerNotFound(request, reply);
    // Mails style themselves inline; this policy is for their frame alone, which runs no script.
    return reply
      .headers({
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups allow-top-navigation-by-user-activation",
        'x-frame-options': 'SAMEORIGIN',
      })
      .type('text/html; charset=utf-8')
      .send(entry.html.replace('<head>', '<head><base target="_top">'));
  });
};

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? '');

const renderPage = (entries: readonly MailboxEntry[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Development mailbox</title>
<link rel="stylesheet" href="/dev/mailbox.css">
</head>
<body>
<header><h1>Development mailbox</h1>
<p>Every mail this process has sent, newest first. Set SMTP_URL to send real ones. Reload to look again. As JSON: <a href="/dev/mailbox.json">/dev/mailbox.json</a>.</p></header>
<main>
${entries.length === 0 ? '<p class="empty">No mail yet. Sign up in the portal, and the verification mail arrives here.</p>' : entries.map(renderEntry).join('\n')}
</main>
</body>
</html>
`;

const renderEntry = ({ id, to, subject, sentAt, links }: MailboxEntry): string => `<article>
<h2>${escapeHtml(subject)}</h2>
<p class="facts">To <strong>${escapeHtml(to)}</strong> · <time datetime="${sentAt}">${sentAt.slice(0, 19).replace('T', ' ')} UTC</time></p>
${links.map((link) => `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`).join('\n')}
<details><summary>Show the mail</summary>
<iframe src="/dev/mailbox/${id}" title="${escapeHtml(subject)}" loading="lazy"></iframe></details>
</article>`;

const styles = `:root{color-scheme:light dark;--ink:#1c2320;--soft:#5a665f;--paper:#f7f8f6;--card:#fff;--line:#dde2dd;--link:#1d5c46}
@media(prefers-color-scheme:dark){:root{--ink:#e6ebe8;--soft:#9aa8a0;--paper:#0f1513;--card:#161d1a;--line:#2a342f;--link:#7fd0ae}}
*{box-sizing:border-box}body{margin:0;padding:2rem 1rem;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
header,main{max-width:46rem;margin:0 auto}h1{font-size:1.5rem;margin:0 0 .25rem}header p,.facts,.empty{color:var(--soft);font-size:.9rem}
article{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1.25rem;margin:1rem 0}
h2{font-size:1.05rem;margin:0}p{margin:.35rem 0}a{color:var(--link);overflow-wrap:anywhere}
summary{cursor:pointer;padding:.35rem 0;color:var(--soft);font-size:.9rem}
iframe{width:100%;height:30rem;border:1px solid var(--line);border-radius:.5rem;background:#fff}
a:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px}
`;
