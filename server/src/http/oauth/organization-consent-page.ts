/** The consent page for one organization: as that of Platform MCP, with a choice among those of the person. */
import type { ActiveMembership, Actor } from '../../domain/access/actor.ts';
import type { OrganizationQuestion } from '../../domain/oauth/organization-consent.ts';
import type { ProtectedResource } from '../../domain/oauth/resources.ts';
import { isPaidFor } from '../../domain/scopes/scopes.ts';
import { shownAddress } from '../../kernel/shown-address.ts';
import { escapeHtml } from '../../platform/mail/message.ts';
import type { PageTexts } from '../pages/page-texts.ts';
import type { Words } from '../pages/words.ts';
import { continuePath } from './browser-session.ts';
import { renderOrigin, renderTarget, shownName } from './consent-page.ts';
import type { Page } from './pages.ts';

/** The field of the form, and the parameter of the page, with the id of the chosen organization. */
export const organizationField = 'organization_id';

/** The page of a request, with an organization that the person chose there. */
export const organizationPath = (requestId: string, organizationId: string | null): string =>
  organizationId === null
    ? continuePath(requestId)
    : `${continuePath(requestId)}?${organizationField}=${encodeURIComponent(organizationId)}`;

interface OrganizationPageData extends Omit<OrganizationQuestion, 'kind'> {
  readonly person: Actor;
  readonly csrfToken: string;
  readonly settings: { readonly frontendUrl: string; readonly refreshTtlSeconds: number };
}

type Say = Words['say'];

export const renderOrganizationPage = ({ language, say }: Words, data: OrganizationPageData): Page => {
  const { request, membership, person, settings } = data;
  const heading = { client: shownName(request.clientName), organization: membership.organization.name };
  return {
    language,
    title: say('consent', 'title'),
    main: `<h1>${say('organization', 'heading', heading)}</h1>
${renderOrigin(say, request)}
<div class="pair">
<section aria-labelledby="account"><h2 id="account">${say('consent', 'signedInAs')}</h2>
<p class="strong"><bdi>${escapeHtml(shownAddress(person.user.email))}</bdi></p>
<p class="soft">${say('consent', 'otherAccount', { signOut: `${settings.frontendUrl}/` })}</p></section>
<section aria-labelledby="target"><h2 id="target">${say('consent', 'target')}</h2>
${renderTarget(say, request.redirectUri)}</section>
</div>
<div class="pair">
${renderChoice(say, data)}
<section aria-labelledby="resource"><h2 id="resource">${say('organization', 'resource')}</h2>
${renderResource(request.resource)}</section>
</div>
${renderAccess(say, data)}
<section aria-labelledby="time"><h2 id="time">${say('consent', 'time')}</h2>
<p class="soft">${say('organization', 'lifetime', { time: settings.refreshTtlSeconds, clients: `${settings.frontendUrl}/account/clients` })}</p>
${renderForm(say, data)}</section>`,
  };
};

/** The chosen organization; the others are links, since the page runs no script. */
const renderChoice = (say: Say, { request, membership, choices }: OrganizationPageData): string => {
  const others = choices.filter(({ id }) => id !== membership.id);
  const list =
    others.length === 0
      ? ''
      : `\n<p class="soft">${say('organization', 'choose')}</p>\n<ul class="choices">${others.map((other) => renderOther(request.id, other)).join('')}</ul>`;
  return `<section aria-labelledby="organization"><h2 id="organization">${say('organization', 'organization')}</h2>
<p class="strong"><bdi>${escapeHtml(membership.organization.name)}</bdi></p>
<p class="soft">${say('organization', 'organizationOnly')}</p>${list}</section>`;
};

const renderOther = (requestId: string, { organization }: ActiveMembership): string =>
  `<li><a href="${organizationPath(requestId, organization.id)}"><bdi>${escapeHtml(organization.name)}</bdi></a></li>`;

/** The resource of the token (RFC 8707): of one of the application, the host stands out. */
const renderResource = ({ name, url }: ProtectedResource): string =>
  `<p class="strong"><bdi>${escapeHtml(name ?? new URL(url).host)}</bdi></p>
<p><code>${escapeHtml(url)}</code></p>`;

const renderAccess = (say: Say, data: OrganizationPageData): string => {
  const { granted, missing, refusal, membership } = data;
  const organization = membership.organization.name;
  if (refusal !== null) {
    if (refusal.code === 'SECOND_FACTOR_REQUIRED') {
      const confirm = organizationPath(data.request.id, membership.organization.id);
      return `<section><p role="status">${say('organization', 'secondFactor', { organization, confirm })}</p></section>`;
    }
    const part = refusal.rule === 'client_not_accepted' ? 'notAccepted' : 'nothingHeld';
    return `<section><p role="status">${say('organization', part, { organization })}</p></section>`;
  }
  const withheld =
    missing.length === 0
      ? ''
      : `\n<section aria-labelledby="missing"><h2 id="missing">${say('organization', 'missing')}</h2>
<ul>${missing.map((scope) => renderMissing(say, data, scope)).join('')}</ul></section>`;
  return `<section aria-labelledby="scopes"><h2 id="scopes">${say('consent', 'scopes')}</h2>
<ul>${granted.map((scope) => `<li>${renderScope(say, data, scope)}</li>`).join('')}</ul></section>${withheld}`;
};

const renderScope = (say: Say, { person }: OrganizationPageData, scope: string): string =>
  `<span>${wordsOf(say, person, scope)}</span> <span class="name">${escapeHtml(scope)}</span>`;

const renderMissing = (say: Say, data: OrganizationPageData, scope: string): string =>
  `<li>${renderScope(say, data, scope)} <span class="soft reason">${reasonFor(say, data, scope)}</span></li>`;

/** Why the person does not hold a scope, in the order of the checks. */
const reasonFor = (say: Say, { person: { application }, membership }: OrganizationPageData, scope: string): string => {
  const { role, organization } = membership;
  if (!application.roleScopes(role).has(scope)) {
    const title = application.roles.find(({ name }) => name === role)?.title ?? role;
    return say('organization', 'missingRole', { role: title });
  }
  const isPaid = isPaidFor(organization.subscription.status);
  return say('organization', isPaid ? 'missingPlan' : 'missingPayment');
};

type BuiltIn = keyof PageTexts['organizationScopes'];

const builtIn: ReadonlySet<string> = new Set<BuiltIn>([
  'MEMBERS_VIEW',
  'MEMBERS_INVITE',
  'MEMBERS_UPDATE',
  'MEMBERS_REMOVE',
  'ORGANIZATION_UPDATE',
  'BILLING_MANAGE',
  'TOKENS_MANAGE',
  'MCP_MANAGE',
  'AUDIT_VIEW',
]);

const isBuiltIn = (scope: string): scope is BuiltIn => builtIn.has(scope);

const wordsOf = (say: Say, { application }: Actor, scope: string): string =>
  isBuiltIn(scope)
    ? say('organizationScopes', scope)
    : `<bdi>${escapeHtml(application.scopes.find(({ name }) => name === scope)?.words ?? scope)}</bdi>`;

const renderForm = (say: Say, { request, membership, csrfToken, refusal }: OrganizationPageData): string =>
  `<form method="post" action="${continuePath(request.id)}">
<input type="hidden" name="csrf_token" value="${escapeHtml(csrfToken)}">
<input type="hidden" name="${organizationField}" value="${membership.organization.id}">
<button class="refuse" name="decision" value="deny">${say('consent', 'refuse')}</button>${
    refusal === null
      ? `\n<button class="allow" name="decision" value="approve">${say('consent', 'allow')}</button>`
      : ''
  }
</form>`;
