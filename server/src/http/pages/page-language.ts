/**
 * The language of a page of the server, the first that exists: of the person's account, `?lang`, the one that the
 * portal remembers in this browser, Accept-Language, English.
 */
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../domain/access/actor.ts';
import { onlyValue, parseParameters, queryOf } from '../../http-kit/request-content.ts';
import { acceptedLanguage, type Language, languageOf, sourceLanguage } from '../../kernel/languages.ts';
import { type Words, wordsIn } from './words.ts';

/** Set by the portal (`portal/src/languages/remembered.ts`). A planted one chooses another language that exists. */
const rememberedCookie = 'gatehouse_language';

/** The headers that decide the language beside the address, for caches and proxies. */
export const languageVariesBy = 'Accept-Language, Cookie';

/** @param person signed in to the portal in this browser; null when that is not known */
export const wordsFor = (request: FastifyRequest, person: Actor | null): Promise<Words> =>
  wordsIn(person?.user.language ?? languageOfBrowser(request));

const languageOfBrowser = (request: FastifyRequest): Language =>
  languageOf(onlyValue(parseParameters(queryOf(request)), 'lang') ?? '') ??
  languageOf(rememberedIn(request.headers.cookie ?? '')) ??
  acceptedLanguage(request.headers['accept-language']) ??
  sourceLanguage;

/** From the header itself, because a request may fail before its cookies are read. A tag needs no decoding. */
const rememberedIn = (header: string): string => {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${rememberedCookie}=`))?.slice(rememberedCookie.length + 1) ?? '';
};
