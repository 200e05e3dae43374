/**
 * The page for a person who is signed in and no super admin: it says so, and lets them use another account before the
 * client gets the answer that access was denied.
 */
import type { Actor } from '../../domain/access/actor.ts';
import type { RequestRow } from '../../domain/oauth/requests-store.ts';
import { escapeHtml } from '../../platform/mail/message.ts';
import { continuePath } from './browser-binding.ts';
import { shownName } from './consent-page.ts';
import type { Page } from './pages.ts';

export interface AccountPageFacts {
  readonly request: RequestRow;
  readonly person: Actor;
  readonly csrfToken: string;
}

export const renderAccountPage = ({ request, person, csrfToken }: AccountPageFacts): Page => ({
  title: 'Another account is needed',
  main: `<h1>Only a super admin can connect <bdi>${shownName(request.clientName)}</bdi></h1>
<p>Platform MCP acts on the whole service. The account that is signed in here is not a super admin’s.</p>
<section aria-labelledby="account"><h2 id="account">You are signed in as</h2>
<p class="strong">${escapeHtml(person.user.email)}</p>
<p class="soft">To use another account, you are signed out of the portal in this browser first. If you cancel, the client gets the answer that access was denied.</p>
<form method="post" action="${continuePath(request.id)}">
<input type="hidden" name="csrf_token" value="${escapeHtml(csrfToken)}">
<button class="refuse" name="decision" value="deny">Cancel</button>
<button class="allow" name="account" value="other">Use another account</button>
</form></section>`,
});
