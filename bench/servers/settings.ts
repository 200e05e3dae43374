/** Settings of the servers under test: as in production, with the benchmark's database. */
import { randomBytes } from 'node:crypto';
import { pathOf } from '../processes.ts';

/** The servers' BASE_URL, which the load sends as Host. */
export const origin = 'https://id.bench.example';

export const productionSettings = (databaseUrl: string, cost: number): Record<string, string> => ({
  NODE_ENV: 'production',
  BASE_URL: origin,
  FRONTEND_URL: origin,
  DATABASE_URL: databaseUrl,
  GATEHOUSE_SECRET: randomBytes(48).toString('base64'),
  // No mail is sent here; production requires an address.
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'bench@bench.example',
  // The load generator is in the place of the proxy.
  TRUST_PROXY: '1',
  SALT_ROUNDS: String(cost),
  LOG_LEVEL: 'info',
  ORGANIZATION_MCP_ENABLED: 'true',
});

/**
 * `serve` with the flag of the image (decision 0041).
 * @param program the bundle, as in the image, or the entry of the sources
 */
export const serveBy = (program: string): readonly string[] => ['--max-semi-space-size=16', program, 'serve'];

export const sources = pathOf('../server/entry/gatehouse.mjs');
export const withoutDatabase: readonly string[] = [pathOf('./servers/no-database.ts')];
/** The official SDK's example server, without a database. */
export const sdkServer: readonly string[] = [pathOf('./servers/sdk-mcp.ts')];
export const floor: readonly string[] = [pathOf('./servers/floor.ts')];
