/** Pages below /auth: their stylesheet, in the portal's colours, their frame and headers. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Deps } from '../../domain/access/deps.ts';
import { defaultApplication } from '../../domain/scopes/application-definition.ts';
import { type Language, languageTraits } from '../../kernel/languages.ts';
import { sha256 } from '../../kernel/secrets.ts';
import { escapeHtml } from '../../platform/mail/message.ts';
import { type Look, lookOf } from '../brand.ts';
import { languageVariesBy } from '../pages/page-language.ts';

const styles = `:root{color-scheme:light dark;--canvas:#f6f7f5;--surface:#fff;--ink:#13201c;--soft:#51605a;--line:#dfe4e1;--edge:#82908a;--accent:#0f6b58;--accent-strong:#0a5344;--on-accent:#fff;--tint:#e2f1ec;--caution:#7a4e00;--caution-tint:#fdf2da}
@media(prefers-color-scheme:dark){:root{--canvas:#0e1412;--surface:#151d1a;--ink:#e9efec;--soft:#a4b2ac;--line:#26312d;--edge:#64736d;--accent:#5fcaaa;--accent-strong:#7fdbc0;--on-accent:#05231a;--tint:#14312a;--caution:#e8c071;--caution-tint:#30260f}}
*{box-sizing:border-box}
html{background:var(--canvas);color:var(--ink);-webkit-font-smoothing:antialiased;text-rendering:optimizeLegibility}
body{margin:0;min-height:100dvh;padding:0 1.25rem 4rem;font:16px/1.5 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Noto Sans",Ubuntu,Cantarell,"Helvetica Neue","Liberation Sans",Arial,sans-serif}
header,main{max-width:36rem;margin:0 auto}
header{display:flex;align-items:center;gap:.625rem;padding:2rem 0 1.5rem;font-size:1.0625rem;font-weight:600;letter-spacing:-.015em}
header img{height:2rem;max-width:100%;object-fit:contain;object-position:left}
[dir=rtl] header img{object-position:right}
header span{min-width:0;overflow-wrap:anywhere}
header .initial{flex:none;display:grid;place-items:center;width:1.75rem;height:1.75rem;border-radius:.4375rem;background:var(--accent);color:var(--on-accent)}
main{background:var(--surface);border:1px solid var(--line);border-radius:1rem;padding:2rem}
h1{margin:0 0 .5rem;font-size:1.625rem;line-height:1.25;letter-spacing:-.025em;font-weight:650;text-wrap:balance;overflow-wrap:anywhere}
h2{margin:0 0 .375rem;font-size:.9375rem;line-height:1.4;font-weight:600}
p{margin:0 0 .5rem;text-wrap:pretty;overflow-wrap:anywhere}
section>:last-child,main>:last-child{margin-bottom:0}
section{margin-top:1.5rem;padding-top:1.5rem;border-top:1px solid var(--line)}
.soft{color:var(--soft);font-size:.9375rem}
.caution{padding:.5rem .75rem;border-radius:.625rem;background:var(--caution-tint);color:var(--caution);font-size:.9375rem}
.strong{font-weight:600}
a{color:var(--accent);font-weight:550;text-decoration:underline;text-decoration-color:color-mix(in oklab,var(--accent) 35%,transparent);text-underline-offset:.2em;border-radius:.2em}
a:hover{text-decoration-color:currentColor}
code,.name{direction:ltr;unicode-bidi:isolate}
[dir=rtl] .name{text-align:right}
code{display:inline-block;max-width:100%;padding:.125rem .375rem;border-radius:.375rem;background:var(--canvas);font:.875rem/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;overflow-wrap:anywhere}
li{text-wrap:pretty;overflow-wrap:anywhere}
ul{margin:0;padding:0;list-style:none}
li{display:grid;grid-template-columns:minmax(0,1fr) auto;align-items:start;gap:0 .75rem;padding:.5rem 0}
li+li{border-top:1px solid var(--line)}
.names{display:flex;flex-wrap:wrap;gap:0 .75rem}
.name,.names{grid-column:1;color:var(--soft);font-size:.8125rem}
.reason{grid-column:1/-1}
.badge{padding:.0625rem .5rem;border-radius:1rem;background:var(--caution-tint);color:var(--caution);font-size:.8125rem;font-weight:600;white-space:nowrap}
form{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.25rem}
button{flex:1 1 9rem;min-height:3rem;padding:0 1rem;border:1px solid transparent;border-radius:.625rem;font-family:inherit;font-size:.9375rem;font-weight:600;cursor:pointer;transition:background-color 150ms,border-color 150ms;animation:settled 700ms}
.allow{background:var(--accent);color:var(--on-accent)}
.allow:hover{background:var(--accent-strong)}
.refuse{border-color:color-mix(in oklab,var(--edge) 45%,transparent);background:var(--surface);color:var(--ink)}
.refuse:hover{border-color:var(--edge)}
/* A page that appears under a pointer in the middle of a double click must not be answered by its second half. */
@keyframes settled{from,to{pointer-events:none}}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
/* The letters of Arabic are joined. Japanese has no spaces: its headings and buttons break between phrases. */
:is(:lang(ar),:lang(ja)) *{letter-spacing:normal}
:root:lang(ja){line-break:strict}
:lang(ja) body{font-family:-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Noto Sans",Ubuntu,Cantarell,"Helvetica Neue","Liberation Sans",Arial,"Hiragino Sans","Yu Gothic UI",Meiryo,"Noto Sans CJK JP","Noto Sans JP",sans-serif}
:lang(ja) :is(h1,h2,button){word-break:auto-phrase}
@media(min-width:40rem){.pair{display:grid;grid-template-columns:1fr 1fr;gap:0 2rem;margin-top:1.5rem;border-top:1px solid var(--line)}.pair section{margin-top:0;border-top:0}}
@media(min-width:40rem) and (min-height:60rem){header{padding-top:4rem}}
@media(max-width:30rem){body{padding:0 0 2.5rem}header{padding:1.5rem 1.25rem}main{padding:1.5rem 1.25rem;border-width:1px 0;border-radius:0}h1{font-size:1.4375rem}}
@media(forced-colors:active){button{border-color:ButtonText}:focus-visible{outline-color:Highlight}}
`;

// The pages run no script, contain no inline style, cannot be framed and are not cached.

/**
 * Without `form-action`, which Chromium also applies to the redirect after the form, where it silently blocks the
 * response to the client. Nothing on the page can change the form's target.
 */
const policyOf = ({ logoUrl, themeUrl }: Look): string => {
  const styles = themeUrl === null ? '' : ` ${themeUrl}`;
  const images = logoUrl === null ? '' : ` ${logoUrl}`;
  return `default-src 'none'; style-src 'self'${styles}; img-src data:${images}; base-uri 'none'; frame-ancestors 'none'`;
};

/** One per surface with pages, because each surface is mounted independently. */
export const stylesheets = { oauth: '/auth/mcp/pages.css', external: '/auth/google/pages.css' } as const;
/** Version in the URL, so that browsers may cache the content. */
const stylesheetVersion = sha256(styles).toString('hex').slice(0, 12);

export const mountStylesheet = (app: FastifyInstance, stylesheet: string): void => {
  app.get(stylesheet, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=31536000, immutable').type('text/css; charset=utf-8').send(styles),
  );
};

/** A page without its frame. */
export interface Page {
  readonly language: Language;
  /** HTML, as the words of pages are. */
  readonly title: string;
  /** HTML; the producer escapes external values. */
  readonly main: string;
}

/** The parts of the frame of a page. */
export interface PageDeps extends Deps<'application'> {
  readonly settings: { readonly baseUrl: string };
}

/** @param stylesheet one of {@link stylesheets} */
export const sendPage = (
  { application, settings }: PageDeps,
  reply: FastifyReply,
  status: number,
  page: Page,
  stylesheet: string = stylesheets.oauth,
): FastifyReply => {
  const look = lookOf(application, settings.baseUrl);
  return reply
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': policyOf(look),
      'content-language': page.language,
      vary: languageVariesBy,
    })
    .type('text/html; charset=utf-8')
    .status(status)
    .send(frame(page, look, stylesheet));
};

const frame = ({ language, title, main }: Page, look: Look, stylesheet: string): string => `<!doctype html>
<html lang="${language}" dir="${languageTraits(language).direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · ${escapeHtml(look.name)}</title>
<link rel="icon" href="${look.logoUrl ?? 'data:,'}">
<link rel="stylesheet" href="${stylesheet}?v=${stylesheetVersion}">${look.themeUrl === null ? '' : `\n<link rel="stylesheet" href="${look.themeUrl}">`}
</head>
<body>
<header>${renderBrand(look)}</header>
<main>
${main}
</main>
</body>
</html>
`;

/** The logo alone, or a mark and the name. */
const renderBrand = ({ name, logoUrl }: Look): string => {
  if (logoUrl !== null) return `<img src="${logoUrl}" alt="${escapeHtml(name)}">`;
  return `${name === defaultApplication.name ? mark : initialOf(name)}<span>${escapeHtml(name)}</span>`;
};

const initialOf = (name: string): string =>
  `<span class="initial" aria-hidden="true">${escapeHtml(String.fromCodePoint(name.codePointAt(0) ?? 0).toUpperCase())}</span>`;

const mark = `<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
<rect width="32" height="32" rx="8" fill="#0f6b58"/>
<path d="M7.5 25V15.5a8.5 8.5 0 0 1 17 0V25" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>
<path d="M12.6 25V15.6a3.4 3.4 0 0 1 6.8 0V25Z" fill="#9fe3cd"/>
</svg>`;
