/**
 * The definition that an adopter writes (contract, application.md): its fields, and its translation into an
 * {@link Application}. The first fault refuses it, in one sentence that begins with its place.
 */
import type { z } from 'zod';
import { nearestOf } from '../../kernel/spelling.ts';
import { Application, type ApplicationRole, type ApplicationScope, type Logo, type Product } from './application.ts';
import { contrastOnWhite } from './colors.ts';
import { type Definition, definitionSchema } from './definition-schema.ts';
import { type BuiltInRole, builtInRoles, builtInScopes, dormantScopes, platformScopes } from './scopes.ts';

/** A definition that cannot be served. The message begins with the place of the fault: `roles.EDITOR.title: …`. */
export class DefinitionRefused extends Error {
  override readonly name = 'DefinitionRefused';
}

type Path = readonly (string | number)[];

const placeOf = (path: Path): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const isName = /^[A-Za-z_$][\w$]*$/.test(part);
    if (!isName) return `${text}[${JSON.stringify(part)}]`;
    return text === '' ? part : `${text}.${part}`;
  }, '');

const fault = (path: Path, sentence: string): DefinitionRefused =>
  new DefinitionRefused(path.length === 0 ? sentence : `${placeOf(path)}: ${sentence}`);

const suggestion = (name: string, known: readonly string[]): string => {
  const nearest = nearestOf(name, known);
  return nearest === null ? '' : `; did you mean ${nearest}?`;
};

/** What a definition may depend on outside itself. */
export interface DefinitionSettings {
  /** Whether origins and resources must be https, as in production and staging. */
  readonly isHardened: boolean;
  /** Reads an image. @returns null when there is no such file, or it is no image */
  readonly readLogo: (path: string) => Logo | null;
}

/** @throws DefinitionRefused for the first fault */
export const readDefinition = (given: unknown, settings: DefinitionSettings): Application => {
  const parsed = definitionSchema.safeParse(given);
  if (!parsed.success) throw faultOf(parsed.error.issues[0], given);
  const { name, ...definition } = parsed.data;
  const scopes = definedScopes(definition.scopes);
  const known = [...Object.keys(builtInScopes), ...scopes.map((scope) => scope.name)];
  return new Application({
    name,
    scopes,
    roles: definedRoles(definition, known),
    products: definedProducts(definition, known),
    origins: definition.origins.map((origin, at) => exactOrigin(origin, settings, ['origins', at])),
    resources: definedResources(definition, known, settings),
    brand: definedBrand(definition.brand, settings),
  });
};

const faultOf = (issue: z.core.$ZodIssue | undefined, given: unknown): DefinitionRefused => {
  if (issue === undefined) return fault([], 'The definition is not valid.');
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    return fault([...path, key], `no such field${suggestion(key, fieldsAt(path))}.`.replace('?.', '?'));
  }
  if (path.length === 0) return fault([], `The definition ${issue.message}.`);
  return fault(path, isMissing(given, path) ? 'is missing.' : `${issue.message}.`);
};

const isMissing = (given: unknown, path: Path): boolean =>
  path.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
    given,
  ) === undefined;

const fieldsAt = ([first]: Path): readonly string[] => {
  const { shape } = definitionSchema;
  const inner = { roles: ['title', 'scopes'], products: ['title', 'scopes', 'without', 'members', 'stripe'] };
  const more = {
    resources: ['url', 'scopes', 'machineTokens'],
    brand: ['logo', 'color', 'support', 'terms', 'privacy'],
  };
  return first === undefined
    ? Object.keys(shape)
    : (Object.entries({ ...inner, ...more }).find(([name]) => name === first)?.[1] ?? []);
};

// Scopes, roles and products.

const scopeShape = /^[a-z][a-z0-9_-]*(:[a-z][a-z0-9_-]*){1,3}$/;
const reservedParts = ['mcp', 'sessions', 'users', 'organizations', 'invitations', 'tokens', 'gatehouse'];
const [maxScopes, maxScopeLength, maxRoles] = [200, 64, 20];

const definedScopes = (scopes: Definition['scopes']): ApplicationScope[] => {
  const entries = Object.entries(scopes);
  if (entries.length > maxScopes) throw fault(['scopes'], `at most ${maxScopes} scopes can be defined.`);
  return entries.map(([name, words]) => {
    if (!scopeShape.test(name) || name.length > maxScopeLength) {
      throw fault(
        ['scopes', name],
        `a scope has two to four parts in lower case, as in notes:read, and at most ${maxScopeLength} characters.`,
      );
    }
    const [first = ''] = name.split(':');
    if (reservedParts.includes(first)) throw fault(['scopes', name], `names that begin with ${first}: are reserved.`);
    return { name, words, isBuiltIn: false };
  });
};

/** @throws DefinitionRefused when there is no such organization scope */
const requireScope = (name: string, known: readonly string[], path: Path): string => {
  if (known.includes(name) || dormantScopes.includes(name)) return name;
  const isPlatform = platformScopes.some((scope) => scope === name);
  if (isPlatform) throw fault(path, `${name} is a scope of super admins, which no role and no product grants.`);
  throw fault(path, `no scope ${name}${suggestion(name, known) || '.'}`);
};

const requireScopes = (names: readonly string[], known: readonly string[], path: Path): void => {
  for (const [at, name] of names.entries()) requireScope(name, known, [...path, at]);
};

const roleShape = /^[A-Z][A-Z0-9_]{1,31}$/;

const definedRoles = ({ roles }: Pick<Definition, 'roles'>, known: readonly string[]): ApplicationRole[] => {
  const defined = Object.entries(roles).map(([name, role]) =>
    isBuiltInRole(name) ? extendedRole(name, role, known) : newRole(name, role, known),
  );
  if (defined.filter(({ name }) => !isBuiltInRole(name)).length > maxRoles) {
    throw fault(['roles'], `at most ${maxRoles} roles can be defined.`);
  }
  requireAdminAboveMember(defined);
  return defined;
};

const isBuiltInRole = (name: string): name is BuiltInRole => Object.hasOwn(builtInRoles, name);

const extendedRole = (
  name: BuiltInRole,
  { title, scopes }: Definition['roles'][string],
  known: readonly string[],
): ApplicationRole => {
  if (name === 'OWNER') throw fault(['roles', name], 'OWNER holds every scope of an organization and is not defined.');
  const own: readonly string[] = builtInRoles[name].scopes;
  scopes.forEach((scope, at) => {
    requireScope(scope, known, ['roles', name, 'scopes', at]);
    if (!Object.hasOwn(builtInScopes, scope) || own.includes(scope)) return;
    throw fault(['roles', name, 'scopes', at], `${name} gains only scopes of your own; ${scope} is built in.`);
  });
  return { name, title: title ?? builtInRoles[name].title, scopes };
};

const newRole = (
  name: string,
  { title, scopes }: Definition['roles'][string],
  known: readonly string[],
): ApplicationRole => {
  if (!roleShape.test(name)) {
    throw fault(['roles', name], 'a role has 2 to 32 capital letters, digits and underscores, as in EDITOR.');
  }
  if (title === undefined) throw fault(['roles', name, 'title'], 'is missing.');
  requireScopes(scopes, known, ['roles', name, 'scopes']);
  return { name, title, scopes: [...new Set(scopes)].filter((scope) => known.includes(scope)) };
};

const requireAdminAboveMember = (roles: readonly ApplicationRole[]): void => {
  const scopesOf = (name: string) => roles.find((role) => role.name === name)?.scopes ?? [];
  const missing = scopesOf('MEMBER').filter(
    (scope) => !scopesOf('ADMIN').includes(scope) && !builtInRoles.ADMIN.scopes.some((own) => own === scope),
  );
  if (missing.length === 0) return;
  throw fault(['roles', 'ADMIN', 'scopes'], `ADMIN must hold all that MEMBER holds, and lacks ${missing.join(', ')}.`);
};

const productShape = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const freeProduct: Definition['products'] = { free: { title: 'Free', scopes: '*', without: [] } };

const definedProducts = (
  { products = freeProduct }: Pick<Definition, 'products'>,
  known: readonly string[],
): Product[] =>
  Object.entries(products).map(([name, { title = name, scopes, without, members = null, stripe = name }]) => {
    const path = ['products', name];
    if (!productShape.test(name)) {
      throw fault(path, 'a product has 1 to 64 letters, digits, dots, hyphens and underscores in its name.');
    }
    without.forEach((scope, at) => {
      requireScope(scope, known, [...path, 'without', at]);
      if (Object.hasOwn(builtInScopes, scope) || dormantScopes.includes(scope)) return;
      throw fault(
        [...path, 'without', at],
        `${scope} is not built in; a product grants only those of yours that its scopes name.`,
      );
    });
    const own = scopes === '*' ? known : scopes;
    if (scopes !== '*') requireScopes(scopes, known, [...path, 'scopes']);
    const isGranted = (scope: string) =>
      Object.hasOwn(builtInScopes, scope) ? !without.includes(scope) : own.includes(scope);
    return { name, title, scopes: known.filter(isGranted), members, priceKey: stripe };
  });

// Origins, resources and the brand.

const urlOf = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

const exactOrigin = (text: string, { isHardened }: DefinitionSettings, path: Path): string => {
  const url = urlOf(text);
  const schemes = isHardened ? ['https:'] : ['https:', 'http:'];
  if (url === null || !schemes.includes(url.protocol) || url.origin !== text || text.includes('*')) {
    throw fault(
      path,
      `must be an exact origin${isHardened ? ' with https' : ''}, as in https://app.example.com: no path, no wildcard, no slash at the end.`,
    );
  }
  return text;
};

const resourceShape = /^[a-z][a-z0-9_]{0,31}$/;

const definedResources = (
  { resources }: Pick<Definition, 'resources'>,
  known: readonly string[],
  { isHardened }: DefinitionSettings,
) =>
  Object.entries(resources).map(([name, { url, scopes, machineTokens }]) => {
    const path = ['resources', name];
    if (!resourceShape.test(name)) {
      throw fault(path, 'a resource has 1 to 32 lower-case letters, digits and underscores in its name.');
    }
    const parsed = urlOf(url);
    const isAllowed = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && !isHardened);
    if (!isAllowed || url.includes('#')) throw fault([...path, 'url'], 'must be an https: URL without a fragment.');
    requireScopes(scopes, known, [...path, 'scopes']);
    return { name, url, scopes, machineTokens };
  });

const minContrast = 4.5;

const definedBrand = (
  { logo, color, support, terms, privacy }: Definition['brand'],
  { readLogo }: DefinitionSettings,
) => {
  if (color !== undefined && !/^#[0-9a-fA-F]{6}$/.test(color)) {
    throw fault(['brand', 'color'], 'must be a colour such as #5b2ee5.');
  }
  if (color !== undefined && contrastOnWhite(color) < minContrast) {
    const measured = contrastOnWhite(color).toFixed(2);
    throw fault(
      ['brand', 'color'],
      `has a contrast of ${measured}:1 to white, and text needs ${minContrast}:1; take a darker one.`,
    );
  }
  const image = logo === undefined ? null : readLogo(logo);
  if (logo !== undefined && image === null) {
    throw fault(['brand', 'logo'], `${logo} is no SVG, PNG, JPEG or WebP file of at most 256 KB.`);
  }
  return {
    logo: image,
    color: color?.toLowerCase() ?? null,
    support: checkedLink(support, ['https:', 'mailto:'], 'support'),
    terms: checkedLink(terms, ['https:'], 'terms'),
    privacy: checkedLink(privacy, ['https:'], 'privacy'),
  };
};

const checkedLink = (text: string | undefined, schemes: readonly string[], field: string): string | null => {
  if (text === undefined) return null;
  const url = urlOf(text);
  if (url !== null && schemes.includes(url.protocol)) return url.href;
  throw fault(['brand', field], `must be an ${schemes.join(' or ')} link.`);
};

/** The application of an instance without a definition. */
export const defaultApplication = readDefinition({}, { isHardened: false, readLogo: () => null });
