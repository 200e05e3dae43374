/**
 * Doctor check of the configuration: errors that prevent a start, probable typing errors, and settings unfit for
 * production.
 */
import { isIPv6 } from 'node:net';
import type { Config, ConfigRefused } from '../../config/config.ts';
import { products } from '../../domain/scopes/scopes.ts';
import { isLoopback } from '../../kernel/network.ts';
import { type Finding, findingsOn } from './findings.ts';

const { ok, warning, error } = findingsOn('configuration');

/** Findings for a configuration that prevents a start; no other check can run then. */
export const refusedConfiguration = ({ problems }: ConfigRefused): Finding[] => [
  ...problems.map((problem) =>
    error(problem, `Set ${problem.split(' ', 1).join()} as docs/configuration.md describes it.`),
  ),
  warning(
    'Every other check was left out: they need a configuration that can be used.',
    'Mend the above and run gatehouse doctor again.',
  ),
];

/** @param slips one sentence for each variable name that resembles a known one */
export const checkConfiguration = (config: Config, slips: readonly string[]): Finding[] => [
  ok(`The configuration can be used; it is one of ${config.mode}.`),
  ...slips.map((slip) => warning(slip, 'Correct the name, or remove the variable.')),
  ...productFindings(config),
  ...(config.isHardened ? hardenedFindings(config) : openFindings(config)),
  ...metricsFindings(config),
  ...paymentFindings(config),
  ...redirectFindings(config),
];

const productFindings = ({ defaultProduct }: Config): Finding[] => {
  const names = products.map(({ name }) => name);
  if (defaultProduct === null || names.includes(defaultProduct)) return [];
  return [
    warning(
      'DEFAULT_PRODUCT is none of the products, so new organizations are granted nothing.',
      `Set DEFAULT_PRODUCT to one of them (${names.join(', ')}), or leave it out.`,
    ),
  ];
};

const hardenedFindings = (config: Config): Finding[] => [
  ...(config.emailVerificationEnabled
    ? []
    : [
        warning(
          'EMAIL_VERIFICATION_ENABLED is false, so anybody can sign up with an address that is not theirs.',
          'Remove EMAIL_VERIFICATION_ENABLED.',
        ),
      ]),
  ...(config.passwordBlocklist
    ? []
    : [warning('PASSWORD_BLOCKLIST is false, so common passwords are accepted.', 'Remove PASSWORD_BLOCKLIST.')]),
  ...(config.graphqlIntrospection
    ? [warning('GRAPHQL_INTROSPECTION is true, so everybody can read the schema.', 'Remove GRAPHQL_INTROSPECTION.')]
    : []),
  ...(['fatal', 'silent'].includes(config.logLevel)
    ? [warning('LOG_LEVEL hides the log lines of refusals and failures.', 'Set LOG_LEVEL to info.')]
    : []),
];

/** Development shows every mail and stores its secret in a file: acceptable on this machine, unsafe in public. */
const openFindings = (config: Config): Finding[] => [...publicFindings(config), ...verificationFindings(config)];

const publicFindings = ({ mode, baseUrl, smtpUrl }: Config): Finding[] => {
  if (isLoopback(new URL(baseUrl).hostname)) return [];
  const mailbox = smtpUrl === undefined ? ', and everybody can read its mails at /dev/mailbox' : '';
  return [
    warning(
      `BASE_URL is not on this machine, but NODE_ENV makes this an instance of ${mode}${mailbox}.`,
      'Set NODE_ENV to production, or to staging, where others use it.',
    ),
  ];
};

/** Production and staging refuse to start like this. */
const verificationFindings = ({ emailVerificationEnabled, externalProvider }: Config): Finding[] =>
  emailVerificationEnabled || externalProvider === null
    ? []
    : [
        warning(
          'EMAIL_VERIFICATION_ENABLED is false beside GOOGLE_CLIENT_ID, so whoever signs up with the address of somebody else shares the account that the provider opens. Production and staging refuse that.',
          'Remove EMAIL_VERIFICATION_ENABLED, or GOOGLE_CLIENT_ID.',
        ),
      ];

const metricsFindings = ({ host, metrics: { port, token } }: Config): Finding[] => {
  if (port === null || token !== undefined || isLoopback(isIPv6(host) ? `[${host}]` : host)) return [];
  return [
    warning(
      'METRICS_PORT is set without METRICS_TOKEN, so whoever reaches that port on HOST may read the metrics.',
      'Set METRICS_TOKEN and give it to Prometheus, unless nothing else reaches the port.',
    ),
  ];
};

const paymentFindings = ({ stripe }: Config): Finding[] => {
  if ((stripe.secretKey === undefined) === (stripe.webhookSecret === undefined)) return [];
  return stripe.webhookSecret === undefined
    ? [
        warning(
          'STRIPE_SECRET_KEY is set without STRIPE_WEBHOOK_SECRET, so plans are sold and never granted.',
          'Set STRIPE_WEBHOOK_SECRET to the signing secret of the webhook (docs/operations.md, "Payments").',
        ),
      ]
    : [
        warning(
          'STRIPE_WEBHOOK_SECRET is set without STRIPE_SECRET_KEY, so nobody can buy a plan in the portal.',
          'Set STRIPE_SECRET_KEY, unless plans are sold elsewhere.',
        ),
      ];
};

const redirectFindings = ({ mcp }: Config): Finding[] => {
  const isPlain = (uri: string): boolean => uri.startsWith('http:') && !isLoopback(new URL(uri).hostname);
  if (!mcp.enabled || !mcp.redirectAllowList.some(isPlain)) return [];
  return [
    warning(
      'MCP_REDIRECT_ALLOW_LIST has an http address of another machine: authorization codes would travel unencrypted.',
      'Allow its https address instead.',
    ),
  ];
};
