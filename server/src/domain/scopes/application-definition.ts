/**
 * The definition that an adopter writes (contract/application.md#faults-of-a-definition): its fields, and its
 * translation into an {@link Application}. The first fault refuses it, in one sentence that begins with its place.
 */
import type { z } from 'zod';
import { Application, type ApplicationRole, type ApplicationScope, type Product } from './application.ts';
import { type DefinitionRefused, fault, type Path, suggestion } from './definition-fault.ts';
import { type Definition, definitionSchema, fieldNamesAt } from './definition-schema.ts';
import { type DefinitionSettings, definedBrand, exactOrigin, isSameUrl, resourceUrl } from './definition-urls.ts';
import { definedMailTexts } from './mail-texts.ts';
import { definedPortalTexts } from './portal-texts.ts';
import { type BuiltInRole, builtInRoles, builtInScopes, isBuiltInScope, platformScopes } from './scopes.ts';

/** @throws DefinitionRefused for the first fault */
export const readDefinition = (given: unknown, settings: DefinitionSettings): Application => {
  requirePlain(given);
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
    endedSubscription: definition.endedSubscription,
    origins: definedOrigins(definition, settings),
    resources: definedResources(definition, known, settings),
    brand: definedBrand(definition.brand, settings),
    mailTexts: definedMailTexts(definition.messages),
    portalTexts: definedPortalTexts(definition.messages),
  });
};

const faultOf = (issue: z.core.$ZodIssue | undefined, given: unknown): DefinitionRefused => {
  if (issue === undefined) return fault([], 'The definition is not valid.');
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const [field] = path;
    const known = fieldNamesAt(field === undefined ? undefined : String(field));
    return fault([...path, key], `no such field${suggestion(key, known)}`);
  }
  if (path.length === 0) return fault([], `The definition ${issue.message}.`);
  return fault(path, isMissing(given, path) ? 'is missing.' : `${issue.message}.`);
};

const isMissing = (given: unknown, path: Path): boolean =>
  path.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
    given,
  ) === undefined;

/** Requires plain data: a promise or an instance would read as empty, and zod leaves out `__proto__`. */
const requirePlain = (value: unknown, path: Path = []): void => {
  if (typeof value !== 'object' || value === null) return;
  if (path.length > deepestPath) throw fault(path.slice(0, 3), 'is nested too deeply.');
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== null && prototype !== Object.prototype) {
    throw fault(path, path.length === 0 ? 'The definition must be a plain object.' : 'must be plain data.');
  }
  for (const key of Object.keys(value)) {
    const place = [...path, Array.isArray(value) ? Number(key) : key];
    if (key === '__proto__') throw fault(place, 'this name is not allowed.');
    requirePlain(Reflect.get(value, key), place);
  }
};

const deepestPath = 6;

// Scopes, roles and products.

const scopeShape = /^[a-z][a-z0-9_-]*(:[a-z][a-z0-9_-]*){1,3}$/;
const reservedParts = ['mcp', 'sessions', 'users', 'organizations', 'invitations', 'tokens', 'gatehouse'];
const [maxScopes, maxScopeLength, maxRoles, maxProducts] = [200, 64, 20, 100];

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

/** A scope of a part that is off counts too. @throws DefinitionRefused when there is no such organization scope */
const requireScope = (name: string, known: readonly string[], path: Path): string => {
  if (known.includes(name)) return name;
  const isPlatform = platformScopes.some((scope) => scope === name);
  if (isPlatform) throw fault(path, `${name} is a scope of super admins, which no role and no product grants.`);
  throw fault(path, `no scope ${name}${suggestion(name, known)}`);
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
    if (own.includes(scope) || !isBuiltInScope(scope)) return;
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
  Object.entries(products).map(([name, { title = name, scopes, without, members = null, stripe = name }], at, all) => {
    const path = ['products', name];
    if (at >= maxProducts) throw fault(['products'], `at most ${maxProducts} products can be defined.`);
    if (!productShape.test(name)) {
      throw fault(path, 'a product has 1 to 64 letters, digits, dots, hyphens and underscores in its name.');
    }
    without.forEach((scope, at) => {
      requireScope(scope, known, [...path, 'without', at]);
      if (isBuiltInScope(scope)) return;
      throw fault(
        [...path, 'without', at],
        `${scope} is not built in; a product grants only those of yours that its scopes name.`,
      );
    });
    const [twin] = all.slice(0, at).find(([other, { stripe: key = other }]) => key === stripe) ?? [];
    if (twin !== undefined) throw fault(path, `has the price of ${twin} at Stripe; each product has its own.`);
    const own = scopes === '*' ? known : scopes;
    if (scopes !== '*') requireScopes(scopes, known, [...path, 'scopes']);
    const isGranted = (scope: string) => (isBuiltInScope(scope) ? !without.includes(scope) : own.includes(scope));
    return { name, title, scopes: known.filter(isGranted), members, priceKey: stripe };
  });

// Origins and resources.

const definedOrigins = ({ origins }: Pick<Definition, 'origins'>, settings: DefinitionSettings): string[] =>
  origins.map((origin, at) => {
    if (origins.indexOf(origin) < at) throw fault(['origins', at], `${origin} is named twice.`);
    return exactOrigin(origin, settings, ['origins', at]);
  });

const resourceShape = /^[a-z][a-z0-9_]{0,31}$/;

const definedResources = (
  { resources }: Pick<Definition, 'resources'>,
  known: readonly string[],
  settings: DefinitionSettings,
) =>
  Object.entries(resources).map(([name, { url, scopes, machineTokens }], at, all) => {
    const path = ['resources', name];
    if (!resourceShape.test(name)) {
      throw fault(path, 'a resource has 1 to 32 lower-case letters, digits and underscores in its name.');
    }
    const [twin] = all.slice(0, at).find(([, other]) => isSameUrl(other.url, url)) ?? [];
    if (twin !== undefined) throw fault([...path, 'url'], `is that of ${twin}; each resource has its own tokens.`);
    requireScopes(scopes, known, [...path, 'scopes']);
    return { name, url: resourceUrl(url, settings, [...path, 'url']), scopes, machineTokens };
  });

/** The application of an instance without a definition. */
export const defaultApplication = readDefinition({}, { isHardened: false, taken: [], readLogo: () => null });
