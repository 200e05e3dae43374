/**
 * The application that the adopter defined, as the server puts it into the page: its name, logo, links, and titles of
 * roles. Nothing here waits for a query.
 */
import { createContext, use } from 'react';
import { useTranslations } from 'use-intl';

export const linkNames = ['support', 'terms', 'privacy'] as const;
type LinkName = (typeof linkNames)[number];

interface Application {
  readonly name: string;
  /** Whether no other name is defined: the service's own mark is shown. */
  readonly isDefault: boolean;
  readonly logo: string | undefined;
  readonly links: Readonly<Partial<Record<LinkName, string>>>;
  /** Titles of roles that are not the portal's own. */
  readonly roleTitles: ReadonlyMap<string, string>;
}

const defaultApplication: Application = {
  name: 'Gatehouse',
  isDefault: true,
  logo: undefined,
  links: {},
  roleTitles: new Map(),
};

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const textsOf = (fields: Fields): [string, string][] =>
  Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string');

/** @param content of the page's meta element; empty in the development server of the portal */
export const readApplication = (content: string): Application => {
  const facts: unknown = content === '' ? undefined : JSON.parse(content);
  if (!isFields(facts)) return defaultApplication;
  const texts = new Map(textsOf(facts));
  return {
    name: texts.get('name') ?? defaultApplication.name,
    isDefault: facts['isDefault'] === true,
    logo: texts.get('logo'),
    links: Object.fromEntries(linkNames.flatMap((name) => (texts.has(name) ? [[name, texts.get(name)]] : []))),
    roleTitles: new Map(isFields(facts['roles']) ? textsOf(facts['roles']) : []),
  };
};

const ApplicationContext = createContext(defaultApplication);

export const ApplicationProvider = ApplicationContext.Provider;

export const useApplication = (): Application => use(ApplicationContext);

const builtInRoles = ['OWNER', 'ADMIN', 'MEMBER'] as const;

type BuiltInRole = (typeof builtInRoles)[number];

const isBuiltIn = (role: string): role is BuiltInRole => builtInRoles.some((known) => known === role);

/** The built-in role, when its title is the built-in one: only then do sentences of the portal name it. */
export const usePlainRole = (): ((role: string) => BuiltInRole | undefined) => {
  const { roleTitles } = useApplication();
  return (role) => (isBuiltIn(role) && !roleTitles.has(role) ? role : undefined);
};

/** The title of a role, built-in or defined. The generated type names the built-in ones only. */
export const useRoleTitle = (): ((role: string) => string) => {
  const t = useTranslations('roles');
  const { roleTitles } = useApplication();
  return (role) => roleTitles.get(role) ?? (isBuiltIn(role) ? t(role) : role);
};
