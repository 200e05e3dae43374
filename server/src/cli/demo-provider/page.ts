/** The pages of the demo provider: who somebody is, and the one for when there is nothing to ask. */
import { escapeHtml } from '../../platform/mail/message.ts';
import { type OfferedPerson, offeredPeople } from './people.ts';

/** @param frontendUrl of the service that asks */
export const questionPage = (frontendUrl: string): string =>
  frame(
    'Who are you?',
    `<h1>Who are you?</h1>
<p class="soft">To continue to Gatehouse at <strong>${escapeHtml(new URL(frontendUrl).host)}</strong></p>
<p class="notice">This stands in for Google while you develop. It asks for no password, and Gatehouse believes whatever it says.</p>
<form method="post" class="people"><ul>
${offeredPeople.map(offer).join('\n')}
</ul></form>
<details>
<summary>Somebody else</summary>
<form method="post" class="typed">
<label>Name<input name="name" autocomplete="off"></label>
<label>E-mail address<input name="email" inputmode="email" autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<label class="check"><input type="checkbox" name="verified" checked>The address is verified</label>
<p class="soft">Either may stay empty. One address is one person, today and tomorrow.</p>
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

/** As many as the stylesheet has. */
const tones = 6;

export const overPage = (frontendUrl: string): string =>
  frame(
    'Nothing to answer',
    `<h1>There is nothing to answer here</h1>
<p class="soft">This is the demo Google of a Gatehouse in development. It is asked who you are when you sign in there; each time can be answered once, within the hour.</p>
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
