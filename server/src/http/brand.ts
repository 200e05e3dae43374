/**
 * The logo and the stylesheet of the application's colour, at paths that change with their content, and what pages show
 * of its brand (contract/application.md#brand-of-an-application).
 */
import type { FastifyInstance } from 'fastify';
import { type Application, type Brand, type Logo, logoPath } from '../domain/scopes/application.ts';
import { themePath, themeStylesheet } from '../domain/scopes/theme.ts';

/** An SVG opened as a page runs no script and loads nothing. */
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const cached = {
  'cache-control': 'public, max-age=31536000, immutable',
  // The portal may be served at another origin.
  'cross-origin-resource-policy': 'cross-origin',
};

/** Mounts nothing when the application has neither a logo nor a colour. */
export const mountBrand = (http: FastifyInstance, { logo, color }: Brand): void => {
  const files = [...(logo === null ? [] : [logoFile(logo)]), ...(color === null ? [] : [themeFile(color)])];
  if (files.length === 0) return;
  http.get('/brand/:file', (request, reply) => {
    const file = files.find(({ path }) => path === request.url);
    if (file === undefined) return reply.callNotFound();
    return reply.headers({ ...cached, ...file.headers }).send(file.content);
  });
};

interface BrandFile {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Buffer | string;
}

const logoFile = (logo: Logo): BrandFile => ({
  path: logoPath(logo),
  headers: { 'content-type': logo.mediaType, 'content-security-policy': imagePolicy },
  content: logo.content,
});

const themeFile = (color: string): BrandFile => ({
  path: themePath(color),
  headers: { 'content-type': 'text/css; charset=utf-8' },
  content: themeStylesheet(color),
});

/** The parts of the application that a page shows. */
export interface Look {
  readonly name: string;
  /** Absolute; null without one. */
  readonly logoUrl: string | null;
  /** Absolute URL of the stylesheet of the colour; null without one. */
  readonly themeUrl: string | null;
}

export const lookOf = ({ name, brand }: Pick<Application, 'name' | 'brand'>, baseUrl: string): Look => ({
  name,
  logoUrl: brand.logo === null ? null : `${baseUrl}${logoPath(brand.logo)}`,
  themeUrl: brand.color === null ? null : `${baseUrl}${themePath(brand.color)}`,
});
