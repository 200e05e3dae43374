/**
 * The application of this process: the definition in APPLICATION_FILE or the one given in code, and the commands about
 * it (contract/application.md#source-of-the-definition).
 */
import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Config, ConfigRefused } from '../config/config.ts';
import { countUndefinedRoles, moveRole } from '../domain/memberships/memberships-store.ts';
import type { Application, Logo, Product } from '../domain/scopes/application.ts';
import { defaultApplication, readDefinition } from '../domain/scopes/application-definition.ts';
import { DefinitionRefused } from '../domain/scopes/definition-fault.ts';
import { type DefinitionSettings, takenUrls } from '../domain/scopes/definition-urls.ts';
import { checkMailTexts } from '../domain/scopes/mail-texts.ts';
import { checkPortalTexts } from '../domain/scopes/portal-texts.ts';
import { orNull } from '../kernel/attempts.ts';
import type { Database, Queryable } from '../platform/database/database.ts';
import type { Logger } from '../platform/observability/logger.ts';
import { CommandFailed } from './exit.ts';
import { portalDirectory } from './installation.ts';
import { counted } from './output.ts';

type ApplicationConfig = Pick<
  Config,
  'applicationFile' | 'baseUrl' | 'defaultProduct' | 'graphqlAudiences' | 'isHardened'
>;

/**
 * Reads the definition once, at start.
 * @param given the definition of a program that runs the service in its own process
 * @throws ConfigRefused: the file or the definition is not usable; names the place
 */
export const loadApplication = async (config: ApplicationConfig, given?: unknown): Promise<Application> => {
  const { applicationFile: file } = config;
  if (given !== undefined && file !== undefined) {
    throw new ConfigRefused(['APPLICATION_FILE is set, and the program gives an application too: keep one of them.']);
  }
  if (file === undefined) {
    return given === undefined ? defaultApplication : requireProduct(config, await read(config, given));
  }
  return requireProduct(config, await read(config, await definitionIn(file), file));
};

const read = async (config: ApplicationConfig, definition: unknown, file?: string): Promise<Application> => {
  const directory = file === undefined ? process.cwd() : dirname(resolve(file));
  const settings: DefinitionSettings = {
    isHardened: config.isHardened,
    taken: takenUrls(config),
    readLogo: (path) => readLogo(resolve(directory, path)),
  };
  try {
    const application = readDefinition(definition, settings);
    await checkMailTexts(application);
    await checkPortalTexts(application, portalDirectory);
    return application;
  } catch (error) {
    if (error instanceof DefinitionRefused) throw refused(file, error.message);
    // From a getter of the definition.
    throw refused(file, `it cannot be read: ${firstLineOf(error)}`);
  }
};

const refused = (file: string | undefined, sentence: string): ConfigRefused =>
  new ConfigRefused([file === undefined ? `The application: ${sentence}` : `APPLICATION_FILE ${file}: ${sentence}`]);

const requireProduct = ({ defaultProduct }: ApplicationConfig, application: Application): Application => {
  if (defaultProduct === null || application.findProduct(defaultProduct) !== null) return application;
  const names = application.products.map(({ name }) => name).join(', ');
  throw new ConfigRefused([
    `DEFAULT_PRODUCT must name a product of the application (${names || 'it has none'}), or be empty.`,
  ]);
};

const definitionIn = async (file: string): Promise<unknown> => {
  const path = resolve(file);
  if (!isFile(path)) throw refused(file, 'it is no file that this process can read.');
  if (extname(path) === '.json') return jsonIn(file, path);
  if (!/\.(ts|mts|js|mjs)$/.test(path)) throw refused(file, 'its name must end in .ts, .mts, .js, .mjs or .json.');
  const loaded = await importDefinition(file, path);
  if (typeof loaded === 'object' && loaded !== null && 'default' in loaded) return loaded.default;
  throw refused(file, 'it has no default export: export default defineApplication({ … }).');
};

const isFile = (path: string): boolean => orNull(() => statSync(path).isFile()) === true;

const importDefinition = async (file: string, path: string): Promise<unknown> => {
  try {
    const loaded: unknown = await import(pathToFileURL(path).href);
    return loaded;
  } catch (error) {
    throw refused(file, `it cannot be loaded: ${firstLineOf(error)}`);
  }
};

const jsonIn = (file: string, path: string): unknown => {
  try {
    // Editors of Windows begin a file with a byte order mark, no part of the JSON text (RFC 8259, section 8.1).
    return JSON.parse(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw refused(file, `it is no JSON, which has no comments and no trailing commas: ${firstLineOf(error)}`);
  }
};

const firstLineOf = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.endsWith('.') ? line : `${line}.`;
};

const mediaTypes: Readonly<Record<string, string>> = {
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
};
const maxLogoBytes = 256 * 1024;

const readLogo = (path: string): Logo | null => {
  const mediaType = mediaTypes[extname(path).toLowerCase()];
  if (mediaType === undefined || !isFile(path) || statSync(path).size > maxLogoBytes) return null;
  const content = readFileSync(path);
  return { content, mediaType, fingerprint: hash('sha256', content, 'hex').slice(0, 16) };
};

/** The output of `gatehouse check-application`: what each role may do under each product. */
export const applicationAsText = (application: Application): string =>
  [
    `${application.name} is a usable application.`,
    ...application.products.flatMap((product) => ['', ...tableOf(application, product)]),
    '',
  ].join('\n');

/** The same as data. */
export const applicationAsData = (application: Application): object => ({
  name: application.name,
  scopes: application.scopes,
  roles: application.roles,
  products: application.products.map((product) => ({
    ...product,
    grants: Object.fromEntries(
      application.roles.map(({ name }) => [
        name,
        application.effectiveScopes(name, { status: 'ACTIVE', product: product.name }),
      ]),
    ),
  })),
});

const tableOf = (application: Application, { name, title, members }: Product): string[] => {
  const seats = members === null ? 'no limit of members' : counted(members, 'member');
  const subscription = { status: 'ACTIVE', product: name } as const;
  const held = application.roles.map((role) => new Set(application.effectiveScopes(role.name, subscription)));
  const width = Math.max(...application.scopes.map((scope) => scope.name.length));
  return [
    `${title} (${name}, ${seats})`,
    `  ${''.padEnd(width)}  ${application.roles.map((role) => role.name).join('  ')}`,
    ...application.scopes.map((scope) => {
      const cells = application.roles.map((role, at) =>
        (held[at]?.has(scope.name) === true ? 'yes' : '-').padEnd(role.name.length),
      );
      return `  ${scope.name.padEnd(width)}  ${cells.join('  ')}`.trimEnd();
    }),
  ];
};

/** Warns of roles that members have and the application does not: they grant nothing until they are moved. */
export const warnOfUndefinedRoles = async (
  database: Queryable,
  { roles }: Application,
  logger: Logger,
): Promise<void> => {
  for (const { role, members } of await database.many(countUndefinedRoles, [roles.map(({ name }) => name)])) {
    const have = counted(members, 'member or invitation has', 'members and invitations have');
    logger.warn(
      { event: 'application.role_not_defined', role, members },
      `${have} the role ${role}, which the application no longer has, so it grants nothing: run gatehouse move-role ${role} NEW`,
    );
  }
};

/** Warns of secrets for resources that the application does not have, which have no effect. */
export const warnOfUndefinedResources = (
  { resourceSecrets }: Pick<Config, 'resourceSecrets'>,
  { resources }: Application,
  logger: Logger,
): void => {
  const names = resources.map(({ name }) => name);
  for (const resource of resourceSecrets.keys()) {
    if (names.includes(resource)) continue;
    logger.warn(
      { event: 'application.resource_not_defined', resource },
      `RESOURCE_SECRET_${resource.toUpperCase()} has no effect: the application has no resource ${resource} (${names.join(', ') || 'it has none'})`,
    );
  }
};

/**
 * Moves every member and invitation out of a role that the application no longer has.
 * @returns how many
 * @throws CommandFailed: the application has the old role, or lacks the new one, or the new one is OWNER
 */
export const moveMembers = async (
  database: Database,
  application: Application,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<number> => {
  if (application.hasRole(from)) {
    throw new CommandFailed(
      `The application still has the role ${from}: remove it from the definition first. Nothing was changed.`,
    );
  }
  if (to === 'OWNER' || !application.hasRole(to)) {
    const names = application.roles.flatMap(({ name }) => (name === 'OWNER' ? [] : [name])).join(', ');
    throw new CommandFailed(`Members can be moved to ${names}, not to ${to}. Nothing was changed.`);
  }
  let moved = 0;
  for (;;) {
    const { count } = await database.one(moveRole, [from, to, batchSize]);
    moved += count;
    if (count < batchSize) return moved;
  }
};

const batchSize = 1000;
