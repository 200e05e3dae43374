/** Pages of the demo Google: the question for an account, and the page shown when no question is open. */
import { escapeHtml } from '../../platform/mail/message.ts';
import { frame } from './frame.ts';
import { type OfferedPerson, offeredPeople } from './people.ts';

/** @param frontendUrl URL of the requesting service */
export const questionPage = (frontendUrl: string): string =>
  frame(
    'demo Google',
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
<form method="post"><button name="who" value="none">Cancel</button></form>`,
  );

const offer = ({ name, email, note }: OfferedPerson, index: number): string =>
  `<li><button name="who" value="${index}">
<span class="name">${escapeHtml(name)}</span>
<span>${email === '' ? 'No address' : escapeHtml(email)}</span>
<span>${escapeHtml(note)}</span>
</button></li>`;

export const overPage = (frontendUrl: string): string =>
  frame(
    'demo Google',
    'No sign-in',
    `<h1>There is no sign-in to answer</h1>
<p>This is the demo Google of a Gatehouse in development. It asks who you are when you sign in there. Each sign-in can be answered once, within an hour.</p>
<p><a href="${escapeHtml(frontendUrl)}/signin">Sign in to Gatehouse</a></p>`,
  );
