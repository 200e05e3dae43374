/** Pages of the demo provider. Their stylesheet has the layout of the service's pages in another colour. */
import { escapeHtml } from '../../platform/mail/message.ts';
import { type OfferedPerson, offeredPeople } from './people.ts';

export const styles = `:root{color-scheme:light dark;--canvas:#f5f6f9;--surface:#fff;--ink:#161b26;--soft:#545d6e;--line:#dfe2ea;--edge:#868fa1;--accent:#3355b8;--accent-strong:#263f8c;--on-accent:#fff;--tint:#eef1fa;--caution:#6b4700;--caution-tint:#fdf2da}
@media(prefers-color-scheme:dark){:root{--canvas:#0f1218;--surface:#171b23;--ink:#e8ebf2;--soft:#a5aec0;--line:#282e3a;--edge:#68728a;--accent:#9db3f5;--accent-strong:#b7c7fa;--on-accent:#0d1738;--tint:#1e2534;--caution:#e8c071;--caution-tint:#30260f}}
*{box-sizing:border-box}
html{background:var(--canvas);color:var(--ink);-webkit-font-smoothing:antialiased;text-rendering:optimizeLegibility}
body{margin:0;min-height:100dvh;padding:0 1.25rem 4rem;font:16px/1.5 -apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Noto Sans",Ubuntu,Cantarell,"Helvetica Neue","Liberation Sans",Arial,sans-serif}
header,main{max-width:30rem;margin:0 auto}
header{display:flex;align-items:center;gap:.625rem;padding:2rem 0 1.5rem;font-size:1.0625rem;font-weight:600;letter-spacing:-.015em}
header svg{color:var(--accent)}
main{background:var(--surface);border:1px solid var(--line);border-radius:1rem;padding:2rem}
h1{margin:0 0 .375rem;font-size:1.625rem;line-height:1.25;letter-spacing:-.025em;font-weight:650;text-wrap:balance}
p{margin:0 0 .5rem;text-wrap:pretty;overflow-wrap:anywhere}
main>:last-child{margin-bottom:0}
.soft{color:var(--soft);font-size:.9375rem}
.soft strong{color:var(--ink);font-weight:600}
.notice{margin:1rem 0 0;padding:.625rem .875rem;border-radius:.625rem;background:var(--caution-tint);color:var(--caution);font-size:.875rem}
a{color:var(--accent);font-weight:550;text-underline-offset:.2em;border-radius:.2em}
ul{margin:1.25rem -.75rem 0;padding:0;list-style:none}
li+li{background:linear-gradient(var(--line),var(--line)) .75rem 0/calc(100% - 1.5rem) 1px no-repeat}
button{font:inherit;color:inherit;cursor:pointer;animation:settled 700ms}
.people button{display:grid;grid-template-columns:2.5rem minmax(0,1fr);column-gap:.875rem;width:100%;padding:.75rem;border:0;border-radius:.625rem;background:none;text-align:left;transition:background-color 150ms}
.people button:hover{background:var(--tint)}
.initial{grid-row:1/4;display:grid;place-items:center;width:2.5rem;height:2.5rem;margin-top:.1875rem;border-radius:50%;background:color-mix(in oklab,var(--tone) 16%,var(--surface));color:color-mix(in oklab,var(--tone) 70%,var(--ink));font-weight:650}
.tone-0{--tone:#3a66d6}.tone-1{--tone:#0f8a6d}.tone-2{--tone:#b8580d}.tone-3{--tone:#b3365b}.tone-4{--tone:#6a7285}.tone-5{--tone:#7a4bc9}
.name{overflow:hidden;font-weight:600;line-height:1.4;text-overflow:ellipsis;white-space:nowrap}
.email{font-size:.9375rem;line-height:1.4;overflow-wrap:anywhere}
.note{color:var(--soft);font-size:.8125rem;line-height:1.4}
details{margin-top:.5rem;border-top:1px solid var(--line)}
summary{margin:0 -.75rem;padding:.875rem .75rem;border-radius:.625rem;color:var(--accent);font-size:.9375rem;font-weight:600;cursor:pointer}
.typed{display:grid;gap:.875rem;padding:.25rem 0 1rem}
.typed p{margin:0;font-size:.8125rem}
label{display:grid;gap:.25rem;font-size:.875rem;font-weight:600}
input{min-height:2.75rem;padding:0 .75rem;border:1px solid var(--edge);border-radius:.625rem;background:var(--surface);color:var(--ink);font:inherit;font-size:1rem}
.check{display:flex;align-items:center;gap:.625rem;font-weight:450}
.check input{width:1.125rem;height:1.125rem;min-height:0;margin:0;accent-color:var(--accent)}
.go,.cancel button{width:100%;min-height:2.875rem;border:1px solid transparent;border-radius:.625rem;font-size:.9375rem;font-weight:600;transition:background-color 150ms,border-color 150ms}
.go{background:var(--accent);color:var(--on-accent)}
.go:hover{background:var(--accent-strong)}
.cancel{margin-top:.5rem;padding-top:1.25rem;border-top:1px solid var(--line)}
.cancel button{border-color:color-mix(in oklab,var(--edge) 45%,transparent);background:var(--surface)}
.cancel button:hover{border-color:var(--edge)}
/* A page that appears under a pointer in the middle of a double click must not be answered by its second half. */
@keyframes settled{from,to{pointer-events:none}}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media(min-height:60rem) and (min-width:40rem){header{padding-top:4rem}}
@media(max-width:30rem){body{padding:0 0 2.5rem}header{padding:1.5rem 1.25rem}main{padding:1.5rem 1.25rem;border-width:1px 0;border-radius:0}h1{font-size:1.4375rem}}
@media(forced-colors:active){button{border:1px solid ButtonText}:focus-visible{outline-color:Highlight}}
`;

// Pages of the demo provider: the question for an account, and the page shown when no question is open.

/** @param frontendUrl URL of the requesting service */
export const questionPage = (frontendUrl: string): string =>
  frame(
    'Who are you?',
    `<h1>Who are you?</h1>
<p class="soft">To continue to Gatehouse at <strong>${escapeHtml(new URL(frontendUrl).host)}</strong></p>
<p class="notice">This page replaces Google during development. It asks for no password, and Gatehouse accepts every identity from it.</p>
<form method="post" class="people"><ul>
${offeredPeople.map(offer).join('\n')}
</ul></form>
<details>
<summary>Another person</summary>
<form method="post" class="typed">
<label>Name<input name="name" autocomplete="off"></label>
<label>E-mail address<input name="email" inputmode="email" autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<label class="check"><input type="checkbox" name="verified" checked>The address is verified</label>
<p class="soft">Both are optional. The same address is always the same person.</p>
<button class="go" name="who" value="typed">Continue</button>
</form>
</details>
<form method="post" class="cancel"><button name="who" value="nobody">Cancel</button></form>`,
  );

const offer = ({ name, email, note }: OfferedPerson, index: number): string =>
  `<li><button name="who" value="${index}">
<span class="initial tone-${index % tones}" aria-hidden="true">${escapeHtml(name.slice(0, 1))}</span>
<span class="name">${escapeHtml(name)}</span>
<span class="email${email === '' ? ' soft' : ''}">${email === '' ? 'No address' : escapeHtml(email)}</span>
<span class="note">${escapeHtml(note)}</span>
</button></li>`;

/** The number of tones in the stylesheet. */
const tones = 6;

export const overPage = (frontendUrl: string): string =>
  frame(
    'No sign-in',
    `<h1>There is no sign-in to answer</h1>
<p class="soft">This is the demo Google of a Gatehouse in development. It asks who you are when you sign in there. Each sign-in can be answered once, within an hour.</p>
<p><a href="${escapeHtml(frontendUrl)}/signin">Sign in to Gatehouse</a></p>`,
  );

const frame = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · demo Google</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/pages.css">
</head>
<body>
<header>${mark}<span>demo Google</span></header>
<main>
${main}
</main>
</body>
</html>
`;

const mark = `<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
<rect x="1.5" y="1.5" width="29" height="29" rx="8" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="4.5 3"/>
<circle cx="16" cy="12.5" r="4.2" fill="currentColor"/>
<path d="M7.5 25a8.5 8.5 0 0 1 17 0Z" fill="currentColor"/>
</svg>`;
