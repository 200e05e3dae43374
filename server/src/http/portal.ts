/** The built portal: its static files, the application's texts, and its page (CONSENT_BANNER). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Application } from '../domain/scopes/application.ts';
import { defaultApplication } from '../domain/scopes/application-definition.ts';
import { returnOrigins } from '../kernel/redirects.ts';
import { escapeHtml } from '../platform/mail/message.ts';
import { type Look, lookOf } from './brand.ts';
import { mountPortalTexts } from './portal-texts.ts';

interface PortalSettings {
  readonly application: Pick<Application, 'name' | 'brand' | 'roles' | 'origins' | 'portalTexts'>;
  readonly baseUrl: string;
  readonly frontendUrl: string;
  readonly hasMailbox: boolean;
  /** Whether plans can be bought and changed. */
  readonly hasBilling: boolean;
  readonly hasMcp: boolean;
  readonly hasPasskeys: boolean;
  /** Whether there are personal tokens and service accounts. */
  readonly hasMachineTokens: boolean;
  readonly hasOrganizationMcp: boolean;
  /** The external provider for sign-in; null without one. */
  readonly providerName: string | null;
  readonly hasConsentBanner: boolean;
}

/** Returns the page, filled in for this instance. @param directory the built portal, with index.html and assets/ */
export const mountPortal = async (
  app: FastifyInstance,
  directory: string,
  settings: PortalSettings,
): Promise<string> => {
  // Loaded only when the portal is served.
  const { default: fastifyStatic } = await import('@fastify/static');
  await app.register(fastifyStatic, {
    root: join(directory, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    index: false,
    // The build writes .br and .gz copies next to the files.
    preCompressed: true,
  });
  const texts = await mountPortalTexts(app, settings.application.portalTexts);
  return withTexts(fillIn(await readFile(join(directory, 'index.html'), 'utf8'), settings), texts);
};

/** Names the files of the application's texts, if it has any; read in `portal/src/languages/catalogue.ts`. */
const withTexts = (page: string, paths: readonly string[]): string =>
  paths.length === 0 ? page : page.replace('</head>', () => `<meta ${metaOf('texts', paths.join(' '))} />\n  </head>`);

/** Sets the page's meta elements; and the application's name, mark and colours in the first picture. */
const fillIn = (page: string, settings: PortalSettings): string => {
  const { baseUrl, frontendUrl, application } = settings;
  const contents = {
    api: baseUrl === frontendUrl ? '' : baseUrl,
    mailbox: settings.hasMailbox ? '/dev/mailbox' : '',
    billing: settings.hasBilling ? 'stripe' : '',
    mcp: settings.hasMcp ? `${baseUrl}/mcp` : '',
    passkeys: settings.hasPasskeys ? 'webauthn' : '',
    'machine-tokens': settings.hasMachineTokens ? 'on' : '',
    'organization-mcp': settings.hasOrganizationMcp ? 'on' : '',
    provider: settings.providerName ?? '',
    consent: settings.hasConsentBanner ? 'ask' : '',
    // Read in `portal/src/url-parameters.ts`.
    origins: returnOrigins({ settings, application }).join(' '),
    application: JSON.stringify(applicationSettings(settings)),
  };
  return Object.entries(contents).reduce(
    // A function, because `$` in a replacement string is a pattern.
    (text, [name, content]) => text.replace(metaOf(name, ''), () => metaOf(name, escapeHtml(content))),
    branded(page, application, lookOf(application, baseUrl)),
  );
};

/** The settings that the portal needs before any query; read in `portal/src/components/application.tsx`. */
const applicationSettings = ({ application: { name, brand, roles }, baseUrl }: PortalSettings) => ({
  name,
  isDefault: name === defaultApplication.name,
  logo: lookOf({ name, brand }, baseUrl).logoUrl,
  support: brand.support,
  terms: brand.terms,
  privacy: brand.privacy,
  roles: Object.fromEntries(
    roles.flatMap((role) => {
      const isBuiltIn = defaultApplication.roles.some((own) => own.name === role.name && own.title === role.title);
      return isBuiltIn ? [] : [[role.name, role.title]];
    }),
  ),
});

const icon = /<link rel="icon"[^>]*>/;
const firstPicture = /<g id="brand">[\s\S]*?<\/g>/;
/** The stylesheet comes after the first picture, like the portal's own (`portal/scripts/styles-after-shell.ts`). */
const stylesheetPlace = '<div id="consent"';

const branded = (page: string, { name, brand }: Pick<Application, 'name' | 'brand'>, look: Look): string => {
  const named = page.replaceAll(defaultApplication.name, () => escapeHtml(name));
  const styled =
    look.themeUrl === null
      ? named
      : named.replace(stylesheetPlace, () => `<link rel="stylesheet" href="${look.themeUrl}">${stylesheetPlace}`);
  if (look.logoUrl === null && name === defaultApplication.name) return styled;
  return styled
    .replace(icon, () => `<link rel="icon" href="${look.logoUrl ?? 'data:,'}">`)
    .replace(firstPicture, () => pictureOf(look, brand.color ?? defaultColor));
};

const defaultColor = '#0f6b58';

/** The header's brand as the portal shows it, by attributes alone: the policy allows no inline style. */
const pictureOf = ({ name, logoUrl }: Look, color: string): string => {
  if (logoUrl !== null) return `<image href="${logoUrl}" x="12" height="28"/>`;
  const initial = String.fromCodePoint(name.codePointAt(0) ?? 0).toUpperCase();
  const font = 'font-family="sans-serif" font-size="17" font-weight="600"';
  return `<rect x="12" width="28" height="28" rx="7" fill="${color}"/>
<text x="26" y="20" fill="#fff" text-anchor="middle" ${font}>${escapeHtml(initial)}</text>
<text x="50" y="20" ${font}>${escapeHtml(name)}</text>`;
};

const metaOf = (name: string, content: string): string => `name="gatehouse-${name}" content="${content}"`;
