/** Owns parsing the variables of mail: its sender, and the name by which the service greets the mail server. */
import { isIP } from 'node:net';
import { z } from 'zod';
import { controlCharacters } from '../kernel/printable.ts';

/** The sender of a mail (RFC 5322, section 3.4), in its two parts: only the composer of the header quotes the name. */
interface Sender {
  /** As it is shown, with any characters; empty: none. */
  readonly name: string;
  readonly address: string;
}

/** Longer than any address with a display name (RFC 5321, section 4.5.3.1). */
const maxSenderLength = 400;
const nameAndAddress = /^(.*)<([^<>]*)>$/;
const quotedString = /^"((?:[^"\\]|\\.)*)"$/;
/** None of the characters that separate the parts of an address list. */
const plainAddress = /^[^\s@<>()[\]:;,"\\]+@[^\s@<>()[\]:;,"\\]+$/;

/** The parts of `name <address>`, where the name may be quoted, or of an address alone. */
export const senderOf = (text: string): Sender => {
  const [, name, address] = nameAndAddress.exec(text) ?? ['', '', text];
  return { name: unquoted((name ?? '').trim()), address: address ?? '' };
};

const unquoted = (name: string): string => quotedString.exec(name)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? name;

const isSender = (text: string): boolean =>
  text.length <= maxSenderLength && !controlCharacters.test(text) && plainAddress.test(senderOf(text).address);

export const sender = z.string().refine(isSender, {
  error: 'must be an address such as Gatehouse <no-reply@example.com>',
});

/** In characters (RFC 5321, section 4.5.3.1.2). */
const maxEhloNameLength = 255;
const hostName = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;
const addressLiteral = /^\[(IPv6:)?(.+)\]$/i;

/** Whether a text is a host name or an address literal (RFC 5321, section 4.1.3), one of which EHLO needs. */
const isEhloName = (text: string): boolean => {
  if (text.length > maxEhloNameLength) return false;
  const [, family, address] = addressLiteral.exec(text) ?? [];
  return address === undefined ? hostName.test(text) : isIP(address) === (family === undefined ? 4 : 6);
};

export const ehloName = z.string().refine(isEhloName, {
  error: 'must be a host name such as id.example.com, or an address such as [192.0.2.1] or [IPv6:2001:db8::1]',
});

/** The name for EHLO of a service at an origin: its host, an IP address as a literal (RFC 5321, section 4.1.3). */
export const ehloNameOf = (origin: string): string => {
  const { hostname } = new URL(origin);
  if (isIP(hostname) === 4) return `[${hostname}]`;
  return hostname.startsWith('[') ? hostname.replace('[', '[IPv6:') : hostname;
};
