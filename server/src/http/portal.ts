/** The portal in production form: the built files, and its page, which `fallbacks.ts` answers on the portal's paths. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '../platform/mail/message.ts';

export interface PortalSettings {
  readonly baseUrl: string;
  readonly frontendUrl: string;
  readonly hasMailbox: boolean;
  /** Whether plans can be bought and changed here. */
  readonly hasBilling: boolean;
  /** Whether MCP clients can connect here. */
  readonly hasMcp: boolean;
  /** The outside provider that one can sign in with; null without one. */
  readonly providerName: string | null;
  /** Whether visitors are asked about analytics. */
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
  // Only an installation that serves the portal loads it.
  const { default: fastifyStatic } = await import('@fastify/static');
  await app.register(fastifyStatic, {
    root: join(directory, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    index: false,
    // The build leaves .br and .gz copies beside the files.
    preCompressed: true,
  });
  return fillIn(await readFile(join(directory, 'index.html'), 'utf8'), settings);
};

/**
 * Tells the page where the API is when that is another origin, where the mailbox is, whether plans are sold, where MCP
 * clients connect, whom one can sign in with, and whether visitors are asked about analytics.
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
    // A function: in a text, `$` would stand for parts of what is replaced.
    (text, [name, content]) => text.replace(metaOf(name, ''), () => metaOf(name, escapeHtml(content))),
    page,
  );
};

const metaOf = (name: string, content: string): string => `name="gatehouse-${name}" content="${content}"`;
