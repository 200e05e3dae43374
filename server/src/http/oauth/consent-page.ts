/**
 * The consent page, in words for a person: the client, the requested access, the account, and the receiver of the
 * answer.
 */
import type { Actor } from '../../domain/access/actor.ts';
import type { RequestRow } from '../../domain/oauth/authorizations-store.ts';
import type { ConsentQuestion } from '../../domain/oauth/decide-consent.ts';
import type { PlatformScope } from '../../domain/scopes/scopes.ts';
import { escapeHtml } from '../../platform/mail/message.ts';
import { continuePath } from './browser-session.ts';
import type { Page } from './pages.ts';

interface ConsentPageFacts extends Omit<ConsentQuestion, 'kind'> {
  readonly person: Actor;
  readonly csrfToken: string;
  readonly settings: { readonly frontendUrl: string; readonly refreshTtlSeconds: number };
}

export const renderConsentPage = ({ request, granted, person, csrfToken, settings }: ConsentPageFacts): Page => ({
  title: 'Allow access?',
  main: `<h1>Allow <bdi>${shownName(request.clientName)}</bdi> to act for you?</h1>
<p class="soft">The client chose this name when it registered; it is not verified. Allow it only if you have just started connecting it yourself.</p>
<div class="pair">
<section aria-labelledby="account"><h2 id="account">You are signed in as</h2>
<p class="strong">${escapeHtml(person.user.email)}</p>
<p class="soft">Not you? <a href="${escapeHtml(settings.frontendUrl)}/">Sign out in the portal</a>, then connect again from your client.</p></section>
<section aria-labelledby="target"><h2 id="target">Your answer goes to</h2>
${renderTarget(request.redirectUri)}</section>
</div>
<section aria-labelledby="scopes"><h2 id="scopes">It will be able to</h2>
${renderScopes(granted)}${isNarrowed(request.scopes, granted) ? narrowedRemark : ''}</section>
<section aria-labelledby="time"><h2 id="time">For how long</h2>
<p class="soft">For ${duration(settings.refreshTtlSeconds)} at most. You can end it at any time among <a href="${escapeHtml(settings.frontendUrl)}/">your devices</a> in the portal, and so can any super admin who may end sessions.</p>
<form method="post" action="${continuePath(request.id)}">
<input type="hidden" name="csrf_token" value="${escapeHtml(csrfToken)}">
<button class="refuse" name="decision" value="deny">Refuse</button>
<button class="allow" name="decision" value="approve">Allow</button>
</form></section>`,
});

/**
 * Characters that reverse surrounding text or are invisible. Registration rejects them; this page does not rely on that.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is taken out
const misleading = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The name of a client, as HTML. */
const shownName = (name: string): string => escapeHtml(name.replaceAll(misleading, ''));

/** The description of a scope for a client; absent for scopes that only matter in the portal. */
interface ScopeWords {
  readonly text: string;
  readonly changes: boolean;
}

const words: Readonly<Record<PlatformScope, ScopeWords | null>> = {
  'sessions:revoke': { text: 'Sign any person out, on one device or everywhere', changes: true },
  'users:suspend': { text: 'Suspend people, so that they cannot sign in, and reinstate them', changes: true },
  'invitations:manage': { text: 'Send invitations again, and cancel them', changes: true },
  'mcp:whoami': { text: 'See who you are and what you may do here', changes: false },
  'sessions:view': { text: 'See who is signed in, since when and from where', changes: false },
  'users:view': { text: 'Find people, and see their names, e-mail addresses and organizations', changes: false },
  'organizations:view': {
    text: 'See every organization, its plan, its members and its open invitations',
    changes: false,
  },
  'mcp:catalog:view': null,
  'mcp:audit:view': null,
  'mcp:access:view': { text: 'See which MCP clients are registered, and when they were last used', changes: false },
};

/** Scopes that allow changes come first. */
const renderScopes = (granted: readonly PlatformScope[]): string => {
  const explained = granted.flatMap((scope) => (words[scope] === null ? [] : [{ scope, ...words[scope] }]));
  const ordered = [...explained.filter(({ changes }) => changes), ...explained.filter(({ changes }) => !changes)];
  const idle = granted.filter((scope) => words[scope] === null);
  return `<ul>
${[...ordered.map(renderScope), ...(idle.length > 0 ? [renderIdle(idle)] : [])].join('\n')}
</ul>`;
};

const renderScope = ({ scope, text, changes }: ScopeWords & { readonly scope: PlatformScope }): string =>
  `<li><span>${text}</span>${changes ? ' <span class="badge">Changes</span>' : ''} <span class="name">${scope}</span></li>`;

const renderIdle = (scopes: readonly PlatformScope[]): string =>
  `<li><span class="soft">These scopes add nothing here: they apply only in the portal</span> <span class="names">${scopes.map((scope) => `<span class="name">${scope}</span>`).join(' ')}</span></li>`;

const isNarrowed = (requested: readonly string[] | null, granted: readonly string[]): boolean =>
  requested !== null && requested.length > granted.length;

const narrowedRemark = '\n<p class="soft">It also requested scopes that you do not hold. It does not get them.</p>';

const maxUriLength = 300;

/** A redirect URI is printable ASCII (`register-client.ts`). */
const renderTarget = (redirectUri: string): string => {
  const uri = redirectUri.length > maxUriLength ? `${redirectUri.slice(0, maxUriLength)}…` : redirectUri;
  return `<p class="strong">${escapeHtml(receiverOf(new URL(redirectUri)))}</p>
<p><code>${escapeHtml(uri)}</code></p>`;
};

const loopbackHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);

/**
 * The operator's allow-list may also contain http hosts. A private-use scheme belongs to an app (RFC 8252, section
 * 7.1).
 */
const receiverOf = ({ protocol, host, hostname }: URL): string =>
  ['http:', 'https:'].includes(protocol) && !loopbackHosts.has(hostname) ? host : 'An app on this computer';

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** In the largest unit with a count of at least two. */
const duration = (seconds: number): string => {
  const [unit, each] = units.find(([, size]) => seconds >= 2 * size) ?? (['second', 1] as const);
  const count = Math.floor(seconds / each);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
};

// The page for a signed-in person who is not a super admin: explains this, and offers another account before the client
// is sent access_denied.

interface AccountPageFacts {
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
<p class="soft">If you use another account, you are signed out of the portal in this browser first. If you cancel, the client is denied access.</p>
<form method="post" action="${continuePath(request.id)}">
<input type="hidden" name="csrf_token" value="${escapeHtml(csrfToken)}">
<button class="refuse" name="decision" value="deny">Cancel</button>
<button class="allow" name="account" value="other">Use another account</button>
</form></section>`,
});
