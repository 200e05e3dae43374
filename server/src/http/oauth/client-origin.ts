/** Where the consent page has the client's name from: its registration, or the host of its metadata document. */
import type { RequestRow } from '../../domain/oauth/authorizations-store.ts';
import { isOfLoopbackAlone } from '../../domain/oauth/metadata-documents.ts';
import type { Words } from '../pages/words.ts';

/** A document is on the operator's list; that a program on the user's machine belongs to it cannot be checked. */
export const renderOrigin = (
  say: Words['say'],
  { metadataUrl, redirectUris }: Pick<RequestRow, 'metadataUrl' | 'redirectUris'>,
): string => {
  if (metadataUrl === null) return `<p class="soft">${say('consent', 'unverified')}</p>`;
  const { host } = new URL(metadataUrl);
  const origin = `<p class="soft">${say('consent', 'document', { host })}</p>`;
  if (!isOfLoopbackAlone(redirectUris)) return origin;
  return `${origin}\n<p class="caution">${say('consent', 'documentOfLoopback', { host })}</p>`;
};
