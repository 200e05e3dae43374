/**
 * The application's texts of the portal: a file for each language that has some, from memory, at a path that
 * changes with its content, for `portal/src/languages/replaced-texts.ts`.
 */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance } from 'fastify';
import { languages } from '../kernel/languages.ts';
import { loadCompiler, type PortalOverrides, portalTextsFile } from '../platform/portal-texts.ts';

/** Beside the portal's own files, so that what a proxy or a CDN does with those holds for these too. */
const prefix = '/assets/own-texts-';

/** The headers of the portal's own files. */
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
  vary: 'accept-encoding',
};

type Encoding = 'br' | 'gzip';

interface TextsFile {
  /** The digest of its content, and its language: `0123456789abcdef.de`. */
  readonly name: string;
  readonly content: Buffer;
  /** Most preferred first; none for a file that is too small to gain. */
  readonly compressed: ReadonlyMap<Encoding, Buffer>;
}

/** As of the portal's own files (`portal/scripts/compressed-files.ts`). */
const leastCompressedBytes = 1024;

/**
 * Mounts nothing for an application without such texts.
 * @returns the paths of the files without `.json`, such as `/assets/own-texts-0123456789abcdef.de` for German
 */
export const mountPortalTexts = async (http: FastifyInstance, texts: PortalOverrides): Promise<readonly string[]> => {
  const files = await textsFiles(texts);
  if (files.length === 0) return [];
  http.get<{ Params: { readonly file: string } }>(`${prefix}:file`, (request, reply) => {
    const file = files.find(({ name }) => `${name}.json` === request.params.file);
    if (file === undefined) return reply.callNotFound();
    const encoding = acceptedEncoding(request.headers['accept-encoding'], file);
    const compressed = encoding === null ? undefined : file.compressed.get(encoding);
    reply.headers(headers);
    if (encoding === null || compressed === undefined) return reply.send(file.content);
    return reply.header('content-encoding', encoding).send(compressed);
  });
  return files.map(({ name }) => `${prefix}${name}`);
};

const acceptedEncoding = (accepted: string | undefined, { compressed }: TextsFile): Encoding | null =>
  accepted === undefined ? null : negotiate(accepted, [...compressed.keys()]);

const textsFiles = async (texts: PortalOverrides): Promise<readonly TextsFile[]> => {
  if (Object.keys(texts).length === 0) return [];
  const compile = await loadCompiler();
  const all = languages.map(async (language): Promise<readonly TextsFile[]> => {
    const own = texts[language];
    if (own === undefined) return [];
    const content = Buffer.from(portalTextsFile(own, language, compile));
    const name = `${hash('sha256', content, 'hex').slice(0, 16)}.${language}`;
    return [{ name, content, compressed: await compressedForms(content) }];
  });
  return (await Promise.all(all)).flat();
};

const compressedForms = async (content: Buffer): Promise<TextsFile['compressed']> => {
  if (content.byteLength < leastCompressedBytes) return new Map();
  const [brotli, gzipped] = await Promise.all([promisify(brotliCompress)(content), promisify(gzip)(content)]);
  return new Map<Encoding, Buffer>([
    ['br', brotli],
    ['gzip', gzipped],
  ]);
};
