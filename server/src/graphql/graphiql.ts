/**
 * GraphiQL for development: one page that carries its scripts, styles and workers in itself and needs no other host.
 *
 * It comes from a development dependency of 9 MB that is read when the page is first asked for. Its policy allows
 * exactly its one script, by hash; the editor writes style elements of its own, so styles stay open on this page.
 */
import { createHash } from 'node:crypto';

export interface Page {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** The page; null where the development dependency is not installed. Read once. */
export const loadGraphiql = (): Promise<Page | null> => {
  loading ??= load();
  return loading;
};

let loading: Promise<Page | null> | undefined;

/** What stands in the editor at the first visit: answers everybody, signed in or not. */
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
