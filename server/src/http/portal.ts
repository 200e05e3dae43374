/** The portal in production form: the built files, and its page, which `fallbacks.ts` answers on the portal's paths. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

export interface PortalSettings {
  readonly baseUrl: string;
  readonly frontendUrl: string;
  readonly hasMailbox: boolean;
  /** Whether plans can be bought and changed here. */
  readonly hasBilling: boolean;
  /** Whether MCP clients can connect here. */
  readonly hasMcp: boolean;
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
 * Tells the page where the API is when that is another origin, where the mailbox is, whether plans are sold, and where
 * MCP clients connect.
 */
const fillIn = (page: string, { baseUrl, frontendUrl, hasMailbox, hasBilling, hasMcp }: PortalSettings): string =>
  page
    .replace(
      'name="gatehouse-api" content=""',
      `name="gatehouse-api" content="${baseUrl === frontendUrl ? '' : baseUrl}"`,
    )
    .replace(
      'name="gatehouse-mailbox" content=""',
      `name="gatehouse-mailbox" content="${hasMailbox ? '/dev/mailbox' : ''}"`,
    )
    .replace('name="gatehouse-billing" content=""', `name="gatehouse-billing" content="${hasBilling ? 'stripe' : ''}"`)
    .replace('name="gatehouse-mcp" content=""', `name="gatehouse-mcp" content="${hasMcp ? `${baseUrl}/mcp` : ''}"`);
