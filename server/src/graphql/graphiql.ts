/**
 * GraphiQL for development: one page with its scripts, styles and workers inlined, from a development dependency of 9
 * MB, loaded on the first request. The page's policy allows only its one script, by hash, and inline styles, which the
 * editor inserts.
 */
import { createHash } from 'node:crypto';

interface Page {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** Loads the page once; null when the development dependency is not installed. */
export const loadGraphiql = (): Promise<Page | null> => {
  loading ??= load();
  return loading;
};

let loading: Promise<Page | null> | undefined;

/**
 * The editor's initial query, which works whether or not the caller is signed in.
 * @internal A test runs it.
 */
export const firstQuery = `# Run it with the button, or with Ctrl and Enter.
# Signed in to the portal here, try this one:
#   query Me { me { email name } }
query Visitor {
  visitor {
    analyticsConsent
  }
}
`;

const load = async (): Promise<Page | null> => {
  try {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
    const html = renderGraphiQL({ title: 'Gatehouse GraphiQL', defaultQuery: firstQuery });
    return { html, contentSecurityPolicy: policyFor(html) };
  } catch (error) {
    if (isNotInstalled(error)) return null;
    throw error;
  }
};

const isNotInstalled = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';

const policyFor = (html: string): string => {
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => `'sha256-${hash(script)}'`);
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self'",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
};

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
