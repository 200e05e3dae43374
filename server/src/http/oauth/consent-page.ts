/** The consent page: the client, the requested access, the account, and the receiver of the answer. */
import type { Actor } from '../../domain/access/actor.ts';
import type { RequestRow } from '../../domain/oauth/authorizations-store.ts';
import type { OpenRequest } from '../../domain/oauth/decide-consent.ts';
import { isOfLoopbackAlone } from '../../domain/oauth/metadata-documents.ts';
import type { PlatformQuestion } from '../../domain/oauth/platform-consent.ts';
import { isLoopbackUri } from '../../domain/oauth/redirect-uris.ts';
import { shownAddress } from '../../kernel/shown-address.ts';
import { escapeHtml } from '../../platform/mail/message.ts';
import type { PageTexts } from '../pages/page-texts.ts';
import type { Words } from '../pages/words.ts';
import { continuePath } from './browser-session.ts';
import type { Page } from './pages.ts';

interface ConsentPageData extends Omit<PlatformQuestion, 'kind'> {
  readonly person: Actor;
  readonly csrfToken: string;
  readonly settings: { readonly frontendUrl: string; readonly refreshTtlSeconds: number };
}

export const renderConsentPage = (
  { language, say }: Words,
  { request, granted, person, csrfToken, settings }: ConsentPageData,
): Page => ({
  language,
  title: say('consent', 'title'),
  main: `<h1>${say('consent', 'heading', { client: shownName(request.clientName) })}</h1>
${renderOrigin(say, request)}
<div class="pair">
<section aria-labelledby="account"><h2 id="account">${say('consent', 'signedInAs')}</h2>
<p class="strong"><bdi>${escapeHtml(shownAddress(person.user.email))}</bdi></p>
<p class="soft">${say('consent', 'otherAccount', { signOut: `${settings.frontendUrl}/` })}</p></section>
<section aria-labelledby="target"><h2 id="target">${say('consent', 'target')}</h2>
${renderTarget(say, request.redirectUri)}</section>
</div>
<section aria-labelledby="scopes"><h2 id="scopes">${say('consent', 'scopes')}</h2>
${renderScopes(say, granted)}${isNarrowed(request.scopes, granted) ? `\n<p class="soft">${say('consent', 'narrowed')}</p>` : ''}</section>
<section aria-labelledby="time"><h2 id="time">${say('consent', 'time')}</h2>
<p class="soft">${say('consent', 'lifetime', { time: settings.refreshTtlSeconds, devices: `${settings.frontendUrl}/` })}</p>
<form method="post" action="${continuePath(request.id)}">
<input type="hidden" name="csrf_token" value="${escapeHtml(csrfToken)}">
<button class="refuse" name="decision" value="deny">${say('consent', 'refuse')}</button>
<button class="allow" name="decision" value="approve">${say('consent', 'allow')}</button>
</form></section>`,
});

/** Characters that reverse surrounding text or are invisible, which registration rejects as well. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is taken out
const misleading = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export const shownName = (name: string): string => name.replaceAll(misleading, '');

type Say = Words['say'];
type ShownScope = keyof PageTexts['scopes'];

/** The effect of the scopes that matter to a client: `changes` or only `reads`. Others matter in the portal. */
const effects = {
  'sessions:revoke': 'changes',
  'users:suspend': 'changes',
  'invitations:manage': 'changes',
  'mcp:whoami': 'reads',
  'sessions:view': 'reads',
  'users:view': 'reads',
  'organizations:view': 'reads',
  'mcp:access:view': 'reads',
} as const satisfies Readonly<Record<ShownScope, 'changes' | 'reads'>>;

const isShown = (scope: string): scope is ShownScope => Object.hasOwn(effects, scope);

/** Scopes that allow changes come first. */
const renderScopes = (say: Say, granted: readonly string[]): string => {
  const shown = granted.filter(isShown);
  const ordered = [
    ...shown.filter((scope) => effects[scope] === 'changes'),
    ...shown.filter((scope) => effects[scope] === 'reads'),
  ];
  const idle = granted.filter((scope) => !isShown(scope));
  return `<ul>
${[...ordered.map((scope) => renderScope(say, scope)), ...(idle.length > 0 ? [renderIdle(say, idle)] : [])].join('\n')}
</ul>`;
};

const renderScope = (say: Say, scope: ShownScope): string =>
  `<li><span>${say('scopes', scope)}</span>${effects[scope] === 'changes' ? ` <span class="badge">${say('consent', 'changes')}</span>` : ''} <span class="name">${scope}</span></li>`;

const renderIdle = (say: Say, scopes: readonly string[]): string =>
  `<li><span class="soft">${say('consent', 'idle')}</span> <span class="names">${scopes.map((scope) => `<span class="name">${scope}</span>`).join(' ')}</span></li>`;

const isNarrowed = (requested: readonly string[] | null, granted: readonly string[]): boolean =>
  requested !== null && requested.length > granted.length;

const maxUriLength = 300;

/** Where the answer goes. A redirect URI is printable ASCII (`register-client.ts`). */
export const renderTarget = (say: Say, redirectUri: string): string => {
  const uri = redirectUri.length > maxUriLength ? `${redirectUri.slice(0, maxUriLength)}…` : redirectUri;
  const receiver = receiverOf(redirectUri);
  return `<p class="strong">${receiver === null ? say('consent', 'localApp') : `<bdi>${escapeHtml(receiver)}</bdi>`}</p>
<p><code>${escapeHtml(uri)}</code></p>`;
};

/**
 * The operator's allow-list may contain http hosts. A private-use scheme belongs to an app (RFC 8252, section 7.1).
 * @returns null for an app on this computer
 */
const receiverOf = (redirectUri: string): string | null => {
  const { protocol, host } = new URL(redirectUri);
  return ['http:', 'https:'].includes(protocol) && !isLoopbackUri(redirectUri) ? host : null;
};

// For a person who is no super admin, or in no organization: another account, before the client is sent access_denied.

interface AccountPageData {
  readonly request: OpenRequest;
  readonly person: Actor;
  readonly csrfToken: string;
}

export const renderAccountPage = ({ language, say }: Words, { request, person, csrfToken }: AccountPageData): Page => ({
  language,
  title: say('account', 'title'),
  main: `<h1>${renderHeading(say, request)}</h1>
<p>${request.resource.isOfOrganization ? say('organization', 'accountLead') : say('account', 'lead')}</p>
<section aria-labelledby="account"><h2 id="account">${say('account', 'signedInAs')}</h2>
<p class="strong"><bdi>${escapeHtml(shownAddress(person.user.email))}</bdi></p>
<p class="soft">${say('account', 'effect')}</p>
<form method="post" action="${continuePath(request.id)}">
<input type="hidden" name="csrf_token" value="${escapeHtml(csrfToken)}">
<button class="refuse" name="decision" value="deny">${say('account', 'cancel')}</button>
<button class="allow" name="account" value="other">${say('account', 'other')}</button>
</form></section>`,
});

const renderHeading = (say: Say, { clientName, resource }: OpenRequest): string => {
  const client = shownName(clientName);
  return resource.isOfOrganization
    ? say('organization', 'accountHeading', { client })
    : say('account', 'heading', { client });
};

/**
 * Where the client's name is from: its registration, or the host of its metadata document. A document is on the
 * operator's list; that a program on the user's machine belongs to it cannot be checked.
 */
export const renderOrigin = (
  say: Words['say'],
  { metadataUrl, redirectUris }: Pick<RequestRow, 'metadataUrl' | 'redirectUris'>,
): string => {
  if (metadataUrl === null) return `<p class="soft">${say('consent', 'unverified')}</p>`;
  const { host } = new URL(metadataUrl);
  const origin = `<p class="soft">${say('consent', 'document', { host })}</p>`;
  if (!isOfLoopbackAlone(redirectUris)) return origin;
  return `${origin}\n<p class="caution">${say('consent', 'documentOfLoopback', { host })}</p>`;
};
