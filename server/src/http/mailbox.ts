/** The development mailbox at /dev/mailbox: a page, JSON, and DELETE to empty it. Development and test only. */
import type { FastifyInstance } from 'fastify';
import { isPortalOrigin, type OriginSettings, ownHosts } from '../http-kit/origins.ts';
import { Refusal } from '../kernel/errors.ts';
import { escapeHtml } from '../platform/mail/message.ts';
import type { Mailbox, MailboxEntry } from '../platform/mail/transport.ts';
import { answerMisdirected, answerNotFound } from './fallbacks.ts';

interface MailboxAddresses extends OriginSettings {
  readonly port: number;
  readonly applicationName: string;
}

/** Mounts the routes. A request under a foreign Host gets 421 and reads no mail. */
export const mountMailbox = (app: FastifyInstance, mailbox: Mailbox, settings: MailboxAddresses): void => {
  const own = ownMailboxHosts(settings);
  const address = new URL('/dev/mailbox', settings.baseUrl).href;
  app.register((scope, _registration, done) => {
    // Per route, because a URL can be written in many ways.
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (!own.has(request.host.toLowerCase())) return answerMisdirected(reply, address);
      return undefined;
    });
    mountRoutes(scope, mailbox, settings);
    done();
  });
};

/** Hosts of both origins, and loopback names with the service's port: a foreign page cannot have any of these. */
const ownMailboxHosts = ({ baseUrl, frontendUrl, port }: MailboxAddresses): ReadonlySet<string> =>
  new Set([...ownHosts(baseUrl), ...ownHosts(frontendUrl), ...ownHosts(`http://localhost:${port}`)]);

const mountRoutes = (app: FastifyInstance, mailbox: Mailbox, settings: MailboxAddresses): void => {
  app.get('/dev/mailbox.json', async () => mailbox.list());
  app.delete('/dev/mailbox', async ({ headers: { origin } }, reply) => {
    // Programs send no Origin; browsers always do with this method.
    if (origin !== undefined && !isPortalOrigin(origin, settings)) {
      throw new Refusal('ORIGIN_REFUSED', 'A page of another site cannot empty the mailbox.');
    }
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
      .send(renderPage(settings.applicationName, mailbox.list())),
  );
  app.get<{ Params: { id: string } }>('/dev/mailbox/:id', async (request, reply) => {
    const entry = mailbox.find(request.params.id);
    if (entry === null) return answerNotFound(request, reply);
    // Mails contain inline styles; this policy applies only to their frame, which runs no script.
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

const renderPage = (applicationName: string, entries: readonly MailboxEntry[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Development mailbox · ${escapeHtml(applicationName)}</title>
<link rel="stylesheet" href="/dev/mailbox.css">
</head>
<body>
<header>
<div><h1>Development mailbox</h1><a class="button" href="/dev/mailbox">Refresh</a></div>
<p>These mails have not left this machine. Set SMTP_URL to send real mail. Newest first, also <a href="/dev/mailbox.json">as JSON</a>.</p>
</header>
<main>
${entries.length === 0 ? '<p class="empty">No mail yet. Sign up in the portal, and the message arrives here.</p>' : entries.map(renderEntry).join('\n')}
</main>
</body>
</html>
`;

/** The newest mail is shown open. */
const renderEntry = ({ id, to, subject, sentAt, links }: MailboxEntry, position: number): string => `<article>
<h2>${escapeHtml(subject)}</h2>
<p class="envelope"><span>To <strong>${escapeHtml(to)}</strong></span> <time datetime="${sentAt}">${sentAt.slice(0, 19).replace('T', ' ')} UTC</time></p>
${links.map((link) => `<p class="link"><a href="${escapeHtml(link)}" title="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`).join('\n')}
<details${position === 0 ? ' open' : ''}><summary>The mail as it looks</summary>
<iframe src="/dev/mailbox/${id}" title="${escapeHtml(subject)}" loading="lazy"></iframe></details>
</article>`;

const styles = `:root{color-scheme:light dark;--ink:#13201c;--soft:#51605a;--paper:#f6f7f5;--card:#fff;--line:#dfe4e1;--edge:#c3cac6;--link:#0f6b58}
@media(prefers-color-scheme:dark){:root{--ink:#e9efec;--soft:#a4b2ac;--paper:#0e1412;--card:#151d1a;--line:#26312d;--edge:#3d4a45;--link:#5fcaaa}}
*{box-sizing:border-box}
body{margin:0;padding:2.5rem 1.25rem 4rem;background:var(--paper);color:var(--ink);font:16px/1.55 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Noto Sans",Ubuntu,Cantarell,"Helvetica Neue","Liberation Sans",Arial,sans-serif}
header,main{max-width:44rem;margin:0 auto}
header div{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem 1rem}
h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.025em;margin:0}h2{font-size:1.125rem;letter-spacing:-.015em;margin:0;overflow-wrap:anywhere}
p{margin:.35rem 0;text-wrap:pretty}a{color:var(--link);text-underline-offset:.2em}
header p,.envelope,.empty,summary{color:var(--soft);font-size:.9375rem}
.button{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 1rem;border:1px solid var(--edge);border-radius:.625rem;background:var(--card);color:var(--ink);font-size:.9375rem;font-weight:600;text-decoration:none}
.button:hover{border-color:var(--soft)}
.envelope{display:flex;flex-wrap:wrap;gap:0 1rem}.envelope span{overflow-wrap:anywhere;min-width:0}.envelope strong{color:var(--ink);font-weight:600}time{font-variant-numeric:tabular-nums}
.link{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;font-size:.875rem}
.link a{display:block;width:fit-content;max-width:100%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;padding:.2rem 0}
.empty{margin-top:2rem;padding:2.5rem 1.25rem;text-align:center;border:1px dashed var(--edge);border-radius:1rem}
article{background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.25rem 1.5rem;margin:1.25rem 0}
summary{cursor:pointer;width:fit-content;padding:.35rem 0}
iframe{display:block;width:100%;height:32rem;margin-top:.5rem;border:1px solid var(--line);border-radius:.625rem;background:var(--paper)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:.25rem}
@media(max-width:30rem){body{padding:1.5rem .75rem 3rem}h1{font-size:1.375rem}article{padding:1rem}iframe{height:38rem}}
`;
