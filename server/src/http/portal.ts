/** The built portal: its static files, and its page, which `fallbacks.ts` serves on the portal's paths. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../platform/mail/message.ts';

interface PortalSettings {
  readonly baseUrl: string;
  readonly frontendUrl: string;
  readonly hasMailbox: boolean;
  /** Whether plans can be bought and changed. */
  readonly hasBilling: boolean;
  /** Whether MCP clients can connect here. */
  readonly hasMcp: boolean;
  /** The external provider for sign-in; null without one. */
  readonly providerName: string | null;
  /** Whether visitors are asked for analytics consent. */
  readonly hasConsentBanner: boolean;
}

/**
 * Serves the built files.
 * @param directory the built portal, with index.html and assets/
 * @returns the page, filled in for this instance
 */
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
  return fillIn(await readFile(join(directory, 'index.html'), 'utf8'), settings);
};

/**
 * Sets the page's meta elements: the API origin when it differs, the mailbox, billing, MCP, the sign-in provider, and
 * analytics consent.
 */
const fillIn = (page: string, settings: PortalSettings): string => {
  const { baseUrl, frontendUrl } = settings;
  const contents = {
    api: baseUrl === frontendUrl ? '' : baseUrl,
    mailbox: settings.hasMailbox ? '/dev/mailbox' : '',
    billing: settings.hasBilling ? 'stripe' : '',
    mcp: settings.hasMcp ? `${baseUrl}/mcp` : '',
    provider: settings.providerName ?? '',
    consent: settings.hasConsentBanner ? 'ask' : '',
  };
  return Object.entries(contents).reduce(
    // A function, because `$` in a replacement string is a pattern.
    (text, [name, content]) => text.replace(metaOf(name, ''), () => metaOf(name, escapeHtml(content))),
    page,
  );
};

const metaOf = (name: string, content: string): string => `name="gatehouse-${name}" content="${content}"`;
