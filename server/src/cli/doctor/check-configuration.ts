/** Doctor check of the configuration: errors that prevent a start, typing errors, and settings unfit for production. */
import { isIP, isIPv6 } from 'node:net';
import type { Config, ConfigRefused } from '../../config/config.ts';
import { defaultApplication } from '../../domain/scopes/application-definition.ts';
import { isLoopback } from '../../kernel/network.ts';
import { isPublicAddress } from '../../kernel/public-addresses.ts';
import { type Finding, findingsOn } from './findings.ts';

const { ok, warning, error } = findingsOn('configuration');

/** Findings for a configuration that prevents a start; no other check can run then. */
export const refusedConfiguration = ({ problems }: ConfigRefused): Finding[] => [
  ...problems.map((problem) =>
    error(problem, `Set ${problem.split(' ', 1).join()} as docs/configuration.md describes it.`),
  ),
  warning(
    'All other checks were skipped: they need a valid configuration.',
    'Fix the problems above and run gatehouse doctor again.',
  ),
];

/** @param slips one sentence for each variable name that resembles a known one */
export const checkConfiguration = (config: Config, slips: readonly string[]): Finding[] => [
  ok(`The configuration is valid; its mode is ${config.mode}.`),
  ...slips.map((slip) => warning(slip, 'Correct the name, or remove the variable.')),
  ...rules.filter(({ applies }) => applies(config)).map(({ says, fix }) => warning(textFor(config, says), fix)),
];

/** A setting that does not prevent a start, but is probably a mistake or unsafe. */
interface Rule {
  readonly applies: (config: Config) => boolean;
  readonly says: string | ((config: Config) => string);
  readonly fix: string;
}

const textFor = (config: Config, says: Rule['says']): string => (typeof says === 'string' ? says : says(config));

const productNames = defaultApplication.products.map(({ name }) => name);

const isPlainRemote = (uri: string): boolean => uri.startsWith('http:') && !isLoopback(new URL(uri).hostname);

/** Whether no address of the host can be on the internet. */
const isUnfetchable = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  const address = hostname.replace(/^\[|\]$/g, '');
  return protocol === 'https:' && (isLoopback(hostname) || (isIP(address) !== 0 && !isPublicAddress(address)));
};

/** Whether the URL parser writes a URL in another way: the two are one document, and two clients. */
const isOddlySpelled = (url: string): boolean => !isUnfetchable(url) && new URL(url).href !== url;

/** In the order of the report. */
const rules: readonly Rule[] = [
  {
    applies: ({ applicationFile, defaultProduct }) =>
      applicationFile === undefined && defaultProduct !== null && !productNames.some((name) => name === defaultProduct),
    says: 'DEFAULT_PRODUCT names no existing product, so new organizations are granted no scopes.',
    fix: `Set DEFAULT_PRODUCT to a product (${productNames.join(', ')}), or remove it.`,
  },
  {
    applies: ({ isHardened, emailVerificationEnabled }) => isHardened && !emailVerificationEnabled,
    says: 'EMAIL_VERIFICATION_ENABLED is false, so people can sign up with addresses that are not theirs.',
    fix: 'Remove EMAIL_VERIFICATION_ENABLED.',
  },
  {
    applies: ({ isHardened, passwordBlocklist }) => isHardened && !passwordBlocklist,
    says: 'PASSWORD_BLOCKLIST is false, so common passwords are accepted.',
    fix: 'Remove PASSWORD_BLOCKLIST.',
  },
  {
    applies: ({ isHardened, graphqlIntrospection }) => isHardened && graphqlIntrospection,
    says: 'GRAPHQL_INTROSPECTION is true, so every client can read the schema.',
    fix: 'Remove GRAPHQL_INTROSPECTION.',
  },
  {
    applies: ({ isHardened, logLevel }) => isHardened && ['fatal', 'silent'].includes(logLevel),
    says: 'LOG_LEVEL hides the log lines of refusals and failures.',
    fix: 'Set LOG_LEVEL to info.',
  },
  {
    // Development shows every mail and stores its secret in a file: acceptable on this machine, unsafe in public.
    applies: ({ isHardened, baseUrl }) => !(isHardened || isLoopback(new URL(baseUrl).hostname)),
    says: ({ mode, smtpUrl }) =>
      `BASE_URL is not on this machine, but NODE_ENV makes this a ${mode} instance${smtpUrl === undefined ? ', and every visitor can read its mails at /dev/mailbox' : ''}.`,
    fix: 'Set NODE_ENV to production or staging if other people use this instance.',
  },
  {
    // Production and staging refuse to start like this.
    applies: ({ isHardened, emailVerificationEnabled, externalProvider }) =>
      !(isHardened || emailVerificationEnabled) && externalProvider !== null,
    says: 'EMAIL_VERIFICATION_ENABLED is false and GOOGLE_CLIENT_ID is set, so a person who signs up with the address of another person shares the account that a sign-in with the identity provider opens. Production and staging refuse this.',
    fix: 'Remove EMAIL_VERIFICATION_ENABLED, or GOOGLE_CLIENT_ID.',
  },
  {
    applies: ({ host, metrics: { port, token } }) =>
      port !== null && token === undefined && !isLoopback(isIPv6(host) ? `[${host}]` : host),
    says: 'METRICS_PORT is set without METRICS_TOKEN, so every client that can reach that port on HOST can read the metrics.',
    fix: 'Set METRICS_TOKEN and give it to Prometheus, unless only Prometheus can reach the port.',
  },
  {
    applies: ({ stripe }) => stripe.secretKey !== undefined && stripe.webhookSecret === undefined,
    says: 'STRIPE_SECRET_KEY is set without STRIPE_WEBHOOK_SECRET, so plans can be bought but are never granted.',
    fix: 'Set STRIPE_WEBHOOK_SECRET to the signing secret of the webhook (docs/operations.md, "Payments").',
  },
  {
    applies: ({ stripe }) => stripe.secretKey === undefined && stripe.webhookSecret !== undefined,
    says: 'STRIPE_WEBHOOK_SECRET is set without STRIPE_SECRET_KEY, so plans cannot be bought in the portal.',
    fix: 'Set STRIPE_SECRET_KEY, unless plans are sold elsewhere.',
  },
  {
    applies: ({ mcp }) => mcp.enabled && mcp.redirectAllowList.some(isPlainRemote),
    says: 'MCP_REDIRECT_ALLOW_LIST contains an http address of another machine: authorization codes would travel unencrypted.',
    fix: 'Allow its https address instead.',
  },
  {
    applies: ({ mcp }) => mcp.enabled && mcp.clientMetadataAllowList.some(isUnfetchable),
    says: 'MCP_CLIENT_METADATA_ALLOW_LIST contains a URL whose host is an address of special use or a name of this machine: its document is never fetched.',
    fix: 'Publish the document on the internet, or remove the URL: the client then registers.',
  },
  {
    applies: ({ mcp }) => mcp.enabled && mcp.clientMetadataAllowList.some(isOddlySpelled),
    says: 'MCP_CLIENT_METADATA_ALLOW_LIST contains a URL that is not in its plain form, such as one with an upper-case host or with port 443. A client that sends it in its plain form is not found.',
    fix: 'Write the URL exactly as the client sends it and as client_id of the document has it, which is most often the plain form. To another spelling, people connect anew, and policies list it again.',
  },
];
