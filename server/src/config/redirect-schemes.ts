/** Which redirect URIs an operator may allow to MCP clients: complete ones, and in production only such as keep a code safe. */
import { isLoopback } from '../kernel/loopback.ts';

/** What no redirect may begin with: the browser would run it, or read a file of the person's. */
const schemesNeverRedirectedTo = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:'];

/** A complete URI without wildcard and fragment. */
export const isRedirectUri = (text: string): boolean => {
  if (!/^[\x21-\x7e]+$/.test(text) || /[*#\\]/.test(text) || !URL.canParse(text)) return false;
  return !schemesNeverRedirectedTo.includes(new URL(text).protocol);
};

/**
 * Schemes that belong to browsers, to protocols or to programs of the system, and to no app. Those that stand for
 * themselves would be taken for private-use ones, for they have no dot.
 */
const schemesOfOthers = new Set(
  `http ws wss ftp ftps sftp tftp gopher ldap ldaps telnet ssh rlogin git svn nfs smb afp dav davs rtsp rtmp sip sips
  xmpp irc ircs news nntp imap imaps pop pops smtp smtps mailto tel sms mms fax geo cid mid urn tag uuid ni dns did
  magnet bitcoin ipfs ipns view-source filesystem chrome chrome-extension moz-extension safari-web-extension
  extension edge opera brave resource res jar wyciwyg feed webcal intent android-app market content shell
  ms-settings ms-windows-store search-ms ms-msdt hcp mhtml mk x-apple.systempreferences macappstore
  shortcuts applescript vnc jnlp jnlps unix redis postgres postgresql mysql mongodb jdbc docker npm s3 gs`.split(/\s+/),
);

/**
 * Families of schemes that start programs of the system, its settings or its shop, or stand for the browser itself; and all
 * with a plus: those that a page registers for itself (`web+…`), and a protocol over another one (`ssh+git`).
 */
const familiesOfOthers = /^(ms-|microsoft-|moz-|itms|x-apple|googlechrome|(chrome|edge|search)(-|$))|\+/;

/**
 * Whether a code reaches only whom the operator means: https without a user; http of this machine; a scheme that an app
 * made its own, in reverse order of a domain as RFC 8252, section 7.1, asks (`com.example.app`), or a word that is no
 * scheme of anything else, as the apps of today have it (`cursor`, `vscode`).
 */
export const isSafeRedirectUri = (text: string): boolean => {
  if (!isRedirectUri(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return hostname !== '';
  if (protocol === 'http:') return isLoopback(hostname);
  const scheme = protocol.slice(0, -1);
  return !schemesOfOthers.has(scheme) && !familiesOfOthers.test(scheme);
};
