/** Pages of the demo provider: the question for an account, and the page shown when no question is open. */
import { escapeHtml } from '../../platform/mail/message.ts';
import { type OfferedPerson, offeredPeople } from './people.ts';

export const styles = `:root{color-scheme:light dark}
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

/** @param frontendUrl URL of the requesting service */
export const questionPage = (frontendUrl: string): string =>
  frame(
    'Who are you?',
    `<h1>Who are you?</h1>
<p>To continue to Gatehouse at <strong>${escapeHtml(new URL(frontendUrl).host)}</strong></p>
<p>This page replaces Google during development. It asks for no password, and Gatehouse accepts every identity from it.</p>
<form method="post" class="people"><ul>
${offeredPeople.map(offer).join('\n')}
</ul></form>
<details>
<summary>Another person</summary>
<form method="post">
<label>Name<input name="name" autocomplete="off"></label>
<label>E-mail address<input name="email" inputmode="email" autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<label class="check"><input type="checkbox" name="verified" checked>The address is verified</label>
<p>Both are optional. The same address is always the same person.</p>
<button name="who" value="typed">Continue</button>
</form>
</details>
<form method="post"><button name="who" value="nobody">Cancel</button></form>`,
  );

const offer = ({ name, email, note }: OfferedPerson, index: number): string =>
  `<li><button name="who" value="${index}">
<span class="name">${escapeHtml(name)}</span>
<span>${email === '' ? 'No address' : escapeHtml(email)}</span>
<span>${escapeHtml(note)}</span>
</button></li>`;

export const overPage = (frontendUrl: string): string =>
  frame(
    'No sign-in',
    `<h1>There is no sign-in to answer</h1>
<p>This is the demo Google of a Gatehouse in development. It asks who you are when you sign in there. Each sign-in can be answered once, within an hour.</p>
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
<header>demo Google</header>
<main>
${main}
</main>
</body>
</html>
`;
