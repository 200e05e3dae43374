/**
 * Rules for the lists of an organization's policy for MCP clients (contract/organization-mcp.md#entries-of-the-policy):
 * both are compared exactly, so what could never match is refused. The URL of a metadata document is the id of its
 * client as text (RFC 3986, section 6.2.1), also where the operator listed another form than the parsed one. Pure.
 */
import { requireValidInput } from '../../kernel/errors.ts';
import { isId, normalizeGivenId } from '../../kernel/ids.ts';
import { loopbackHosts } from '../../kernel/network.ts';
import { isPrintable } from '../../kernel/printable.ts';

const maxListed = 100;
/** In characters, of an entry of either list. */
const maxLength = 500;

/** The lists of a policy; null where it is left out. */
interface Lists {
  readonly clientIds: readonly string[] | null;
  readonly redirectHosts: readonly string[] | null;
}

/** Client ids that are accepted although a person could not list them any more, or never could. */
interface KnownClientIds {
  /** The URLs of documents on the operator's list: each is accepted in any spelling, and stored as it is there. */
  readonly listed: readonly string[];
  /** Those that the organization has listed already. */
  readonly stored: readonly string[];
}

/** The lists as stored, each entry once. @throws Refusal BAD_USER_INPUT: names clientIds or redirectHosts */
export const readLists = ({ clientIds, redirectHosts }: Lists, known: KnownClientIds): Lists => {
  const [givenIds, hosts] = [unique(clientIds?.map(normalizedId)), unique(redirectHosts)];
  // Before any text is parsed: a body may hold many thousands.
  requireValidInput({ clientIds: lengthReason(givenIds), redirectHosts: lengthReason(hosts) });
  const ids = unique(givenIds?.flatMap(spellingsAmong(known)));
  const accepted = new Set([...known.listed, ...known.stored]);
  requireValidInput({
    clientIds: listReason(ids, (id) => (accepted.has(id) ? null : clientIdReason(id))),
    redirectHosts: listReason(hosts, redirectHostReason),
  });
  return { clientIds: ids, redirectHosts: hosts };
};

const unique = (entries: readonly string[] | null | undefined): readonly string[] | null =>
  entries === null || entries === undefined ? null : [...new Set(entries)];

const lengthReason = (entries: readonly string[] | null): string | null =>
  entries !== null && entries.length > maxListed ? `At most ${maxListed} entries can be listed.` : null;

const listReason = (entries: readonly string[] | null, entryReason: (entry: string) => string | null): string | null =>
  lengthReason(entries) ?? entries?.map(entryReason).find((reason) => reason !== null) ?? null;

/** Ids are accepted in any case. */
const normalizedId = (text: string): string => {
  const id = normalizeGivenId(text);
  return isId(id) ? id : text;
};

/** A client id as it is stored: the URL of a listed document in each spelling of the operator's list. */
const spellingsAmong = ({ listed, stored }: KnownClientIds): ((text: string) => readonly string[]) => {
  const exact = new Set([...listed, ...stored]);
  const byHref = Map.groupBy(listed, (url) => URL.parse(url)?.href);
  return (text) => {
    const href = exact.has(text) || isId(text) ? undefined : URL.parse(text)?.href;
    return (href === undefined ? undefined : byHref.get(href)) ?? [text];
  };
};

const isPlain = (text: string): boolean => text.length <= maxLength && isPrintable(text) && !/[\s*]/u.test(text);

/** The reason for which a client cannot be listed, or null. */
const clientIdReason = (text: string): string | null => {
  if (isId(text)) return null;
  const href = isPlain(text) ? URL.parse(text)?.href : undefined;
  if (href === undefined || !isDocumentUrl(href)) {
    return 'Write each client as its id, or as the exact https URL of its metadata document.';
  }
  return href === text ? null : `Write the URL of a metadata document in its plain form: ${href}`;
};

/** Whether a text in its parsed form is the URL of a client ID metadata document; http is for loopback alone. */
const isDocumentUrl = (text: string): boolean => {
  const url = URL.parse(text);
  if (url === null || text.includes('#')) return false;
  const isLoopback = url.protocol === 'http:' && loopbackHosts.includes(url.hostname);
  return (
    (isLoopback || url.protocol === 'https:') && url.username === '' && url.password === '' && url.pathname !== '/'
  );
};

/** The reason for which a host cannot be listed, or null. */
const redirectHostReason = (text: string): string | null => {
  if (!isPlain(text) || text !== text.toLowerCase()) return unlikeHost;
  if (text.includes('://')) return isPrivateUse(text) ? null : unlikeHost;
  const url = /[/?#@\\]/.test(text) ? null : URL.parse(`https://${text}`);
  if (url === null || url.host !== text) return unlikeHost;
  return loopbackHosts.includes(url.hostname) && url.port !== ''
    ? 'Write a loopback host without a port: a client listens on any.'
    : null;
};

const unlikeHost =
  'Write each host as in the redirect URI, in lower case, such as app.example.com: without a path or a wildcard, and with its scheme only if that is a private-use one.';

/** Whether a text is scheme and host, perhaps empty, of a private-use redirect URI (RFC 8252, section 7.1). */
const isPrivateUse = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\\]*$/.test(text) && !/^(https?|wss?|ftp|file):/.test(text);
