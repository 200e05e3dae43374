/** The parts of a definition that lead elsewhere or are shown: origins, URLs of resources, the brand. */
import type { Logo } from './application.ts';
import { contrastOnWhite } from './colors.ts';
import { fault, type Path } from './definition-fault.ts';
import type { Definition } from './definition-schema.ts';

export interface DefinitionSettings {
  /** Whether origins and resources must be https, as in production and staging. */
  readonly isHardened: boolean;
  /** Whose tokens no resource may share: addresses of this service, and audiences of GraphQL. */
  readonly taken: readonly string[];
  /** Reads an image. @returns null when there is no such file, or it is no image */
  readonly readLogo: (path: string) => Logo | null;
}

const urlOf = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

export const exactOrigin = (text: string, { isHardened }: DefinitionSettings, path: Path): string => {
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

/** The URLs that no resource of an application may have. */
export const takenUrls = ({
  baseUrl,
  graphqlAudiences,
}: {
  readonly baseUrl: string;
  readonly graphqlAudiences: readonly string[];
}): string[] => [...['', '/graphql', '/mcp', '/mcp/organization'].map((path) => baseUrl + path), ...graphqlAudiences];

/** Whether two texts are one URL once they are parsed; a slash at the end makes no other. */
export const isSameUrl = (text: string, other: string): boolean => {
  const [url, otherUrl] = [urlOf(text), urlOf(other)];
  return url !== null && otherUrl !== null && comparable(url) === comparable(otherUrl);
};

const comparable = ({ origin, pathname, search }: URL): string => `${origin}${pathname.replace(/\/+$/, '')}${search}`;

/** @returns the URL, checked. @throws DefinitionRefused */
export const resourceUrl = (text: string, { isHardened, taken }: DefinitionSettings, path: Path): string => {
  const url = urlOf(text);
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && !isHardened);
  if (url === null || !isAllowed || url.username !== '' || text.includes('#') || text.includes('@')) {
    throw fault(path, 'must be an https: URL without a user and a fragment.');
  }
  if (taken.some((other) => isSameUrl(text, other))) {
    throw fault(path, 'is an address of this service or an audience of GraphQL; take the URL of your own server.');
  }
  return text;
};

const minContrast = 4.5;

export const definedBrand = (
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
  if (url !== null && schemes.includes(url.protocol) && url.username === '') return url.href;
  throw fault(['brand', field], `must be an ${schemes.join(' or ')} link.`);
};
