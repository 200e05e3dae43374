/**
 * Owns what keeps a process from starting with well-formed variables: missing, weak or contradictory values, and values
 * with what a file of variables adds.
 */
import { isIP } from 'node:net';
import type { z } from 'zod';
import { present } from '../kernel/collections.ts';
import { isLoopback } from '../kernel/network.ts';
import { nearestOf } from '../kernel/spelling.ts';
import { isListedPublicSuffix, isPublicSuffix, isRemoteDocumentUrl, isSafeRedirectUri } from './value-shapes.ts';
import { variableFamilies } from './variable.ts';
import { variables } from './variables.ts';

/** The raw environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;
type Name = keyof typeof variables;
/** The variables that were set, parsed. */
export type Parsed = { readonly [N in Name]?: z.output<(typeof variables)[N]['schema']> };

export const defaultPort = 4000;

/** Half the minimum of GATEHOUSE_SECRET: it protects metrics, not accounts. */
const shortestMetricsToken = 16;

const requiredWhenHardened = [
  'BASE_URL',
  'FRONTEND_URL',
  'DATABASE_URL',
  'GATEHOUSE_SECRET',
  'SMTP_URL',
  'MAIL_FROM',
] as const satisfies readonly Name[];

/** Problems that keep staging and production from starting. */
export const hardenedProblems = (parsed: Parsed, environment: Environment): string[] =>
  present(
    ...requiredWhenHardened
      .filter((name) => (environment[name] ?? '') === '')
      .map((name) => `${name} is required in production and staging.`),
    ...(['BASE_URL', 'FRONTEND_URL', 'GOOGLE_ISSUER', 'STRIPE_API_BASE'] as const)
      .filter((name) => parsed[name]?.startsWith('http://'))
      .map((name) => `${name} must be https in production and staging.`),
    ...plaintextProblems(parsed),
    parsed.RATE_LIMITS_ENABLED === false && 'RATE_LIMITS_ENABLED must not be false in production or staging.',
    parsed.EMAIL_VERIFICATION_ENABLED === false &&
      parsed.GOOGLE_CLIENT_ID !== undefined &&
      'EMAIL_VERIFICATION_ENABLED must not be false in production or staging when GOOGLE_CLIENT_ID is set: a person who signs up with the address of another person would share the account that a sign-in with Google opens. Remove one of the two.',
    parsed.SEED_DEMO_DATA === true && 'SEED_DEMO_DATA must not be true in production or staging.',
    parsed.SUPER_ADMIN_EMAIL !== undefined &&
      parsed.SUPER_ADMIN_PASSWORD === undefined &&
      'SUPER_ADMIN_PASSWORD is required in production and staging when SUPER_ADMIN_EMAIL is set: a generated one would be logged.',
    (parsed.GATEHOUSE_SECRET ?? []).some((secret) => new Set(secret).size < 8) &&
      'GATEHOUSE_SECRET is too regular to be random; generate one with: openssl rand -base64 48',
    parsed.METRICS_TOKEN !== undefined &&
      parsed.METRICS_TOKEN.length < shortestMetricsToken &&
      `METRICS_TOKEN must have at least ${shortestMetricsToken} characters in production and staging; generate one with: openssl rand -hex 24`,
    !(parsed.MCP_REDIRECT_ALLOW_LIST ?? []).every(isSafeRedirectUri) &&
      'MCP_REDIRECT_ALLOW_LIST must contain only https URIs and URIs with a private-use scheme (com.example.app:/callback, editor://callback) in production and staging; loopback URIs need no entry.',
    !(parsed.MCP_CLIENT_METADATA_ALLOW_LIST ?? []).every(isRemoteDocumentUrl) &&
      'MCP_CLIENT_METADATA_ALLOW_LIST must contain only https URLs in production and staging.',
    ...cookieDomainsWithoutDot(parsed),
  );

/** Links to sign in and passwords would be readable on the way, and limits could be changed. */
const plaintextProblems = ({ SMTP_URL, SMTP_PLAINTEXT, REDIS_URL, REDIS_PLAINTEXT }: Parsed): string[] =>
  present(
    SMTP_URL !== undefined &&
      SMTP_PLAINTEXT !== 'allowed' &&
      !isMailEncrypted(SMTP_URL) &&
      'SMTP_URL must use TLS in production and staging: begin it with smtps://, or append ?requireTLS=true for a server that upgrades with STARTTLS; or set SMTP_PLAINTEXT=allowed for a network where only trusted machines can read and change what is sent.',
    REDIS_URL !== undefined &&
      REDIS_PLAINTEXT !== 'allowed' &&
      !isRedisEncrypted(REDIS_URL) &&
      'REDIS_URL must use TLS in production and staging: begin it with rediss://; or set REDIS_PLAINTEXT=allowed for a network where only trusted machines can read and change what is sent.',
  );

/** Invalid combinations of variables, in every mode. */
export const combinationProblems = (parsed: Parsed): string[] =>
  present(
    parsed.SUPER_ADMIN_PASSWORD !== undefined &&
      parsed.SUPER_ADMIN_EMAIL === undefined &&
      'SUPER_ADMIN_EMAIL is required when SUPER_ADMIN_PASSWORD is set.',
    ...cookieDomainProblems(parsed),
    relyingPartyProblem(parsed),
    parsed.GOOGLE_CLIENT_ID !== undefined &&
      parsed.GOOGLE_CLIENT_SECRET === undefined &&
      'GOOGLE_CLIENT_SECRET is required when GOOGLE_CLIENT_ID is set.',
    parsed.GOOGLE_CLIENT_SECRET !== undefined &&
      parsed.GOOGLE_CLIENT_ID === undefined &&
      'GOOGLE_CLIENT_ID is required when GOOGLE_CLIENT_SECRET is set.',
    parsed.METRICS_PORT !== undefined &&
      parsed.METRICS_PORT === (parsed.PORT ?? defaultPort) &&
      'METRICS_PORT must be another port than PORT.',
  );

const cookieDomainProblems = (parsed: Parsed): string[] => {
  const base = parsed.BASE_URL ?? 'http://localhost';
  const origins = [base, parsed.FRONTEND_URL ?? base];
  return (['AUTH_COOKIE_DOMAIN', 'SESSION_COOKIE_DOMAIN'] as const).flatMap((name) => {
    const domain = parsed[name];
    if (domain === undefined) return [];
    if (isListedPublicSuffix(domain)) {
      return `${name} must not be a public suffix: browsers drop the cookies. Set it to a domain of yours, such as example.com.`;
    }
    return origins.every((url) => isWithinDomain(url, domain))
      ? []
      : `${name} must be the host of both origins, or a parent of it: browsers drop the cookies otherwise.`;
  });
};

/** WebAuthn level 3, section 5.1.2, step 5: the id is a registrable domain suffix of the page's host, or the host. */
const relyingPartyProblem = (parsed: Parsed): string | null => {
  const { WEBAUTHN_RP_ID: id, FRONTEND_URL: url = parsed.BASE_URL ?? 'http://localhost' } = parsed;
  if (id === undefined) return null;
  if (isAddress(url)) {
    return 'WEBAUTHN_RP_ID must not be set while the host of FRONTEND_URL is an IP address: it has no passkeys.';
  }
  if (!isWithinDomain(url, id)) {
    return 'WEBAUTHN_RP_ID must be the host of FRONTEND_URL, or a parent of it: browsers refuse passkeys otherwise.';
  }
  return id !== new URL(url).hostname && isPublicSuffix(id)
    ? 'WEBAUTHN_RP_ID must not be a public suffix: browsers refuse passkeys for it. Set it to a domain of yours, such as example.com.'
    : null;
};

/** Whether the host of a URL is an IP address. */
export const isAddress = (url: string): boolean => isIP(new URL(url).hostname.replace(/^\[|\]$/g, '')) !== 0;

const isWithinDomain = (url: string, domain: string): boolean => {
  const parent = domain.replace(/^\./, '').toLowerCase();
  const { hostname } = new URL(url);
  return hostname === parent || hostname.endsWith(`.${parent}`);
};

/** Cookie domains without a dot: browsers refuse them like public suffixes, except on this machine. */
const cookieDomainsWithoutDot = (parsed: Parsed): string[] =>
  (['AUTH_COOKIE_DOMAIN', 'SESSION_COOKIE_DOMAIN'] as const)
    .filter((name) => {
      const domain = parsed[name];
      return domain !== undefined && isPublicSuffix(domain) && !isListedPublicSuffix(domain) && !isLoopback(domain);
    })
    .map((name) => `${name} must have a dot in it in production and staging: browsers drop the cookies otherwise.`);

// Detection of misspelled variable names.

/** A sentence for each unknown GATEHOUSE_* name, and each name one edit from a known one; two if it is long. */
export const configWarnings = (environment: Environment): string[] =>
  Object.keys(environment)
    .filter((name) => !(name in variables) && !prefixes.some((prefix) => name.startsWith(prefix)))
    .flatMap((name) => {
      const nearest = nearestName(name);
      if (nearest !== null) return [`${name} is not a variable of Gatehouse; did you mean ${nearest}?`];
      return name.startsWith('GATEHOUSE_') ? [`${name} is not a variable of Gatehouse.`] : [];
    });

const prefixes = Object.keys(variableFamilies);

const longName = 10;

const nearestName = (name: string): string | null => {
  const candidates = Object.keys(variables).filter((known) => known.length >= 7 && name.length >= 6);
  return nearestOf(name.toUpperCase(), candidates, (known) => (known.length < longName ? 1 : 2));
};

/** With smtp://, an attacker can hide that the server offers TLS (RFC 3207, section 6), unless the URL demands it. */
export const isMailEncrypted = (url: string): boolean => {
  const { protocol, hostname, searchParams } = new URL(url);
  return protocol === 'smtps:' || searchParams.get('requireTLS') === 'true' || isLoopback(hostname);
};

/** @param url as in REDIS_URL */
export const isRedisEncrypted = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'rediss:' || isLoopback(hostname);
};

/** Whether a text is one or more characters in a pair of equal quotation marks, or just the pair. */
const isQuoted = (text: string): boolean => /^(["']).*\1$/s.test(text);

/**
 * The addition to a variable's text, to follow its name, without the value; null for nothing. `docker --env-file` keeps
 * quotation marks and carriage returns, and a secret from `echo` ends in a line break.
 */
export const additionIn = (text: string): string | null => {
  if (isQuoted(text.trim())) {
    return 'has quotation marks around its value, which count as a part of it: remove them; docker --env-file keeps them';
  }
  if (text.includes('\r')) {
    return 'has a carriage return in its value: write the file that sets it with line feeds alone, not with the line ends of Windows';
  }
  return text === text.trim() ? null : 'has whitespace before or after its value: remove it, line breaks too';
};

/** The value as it was probably meant, so that a refusal can name the further problems of the configuration. */
export const withoutAddition = (text: string): string => {
  const plain = text.replaceAll('\r', '').trim();
  return isQuoted(plain) ? plain.slice(1, -1).trim() : plain;
};
