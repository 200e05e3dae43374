/**
 * Where this installation keeps what is not code. A checkout runs from its sources; the published package is compiled,
 * and brings the portal along.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const isCheckout = import.meta.url.endsWith('.ts');

const below = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const portalDirectory = below(isCheckout ? '../../../portal/dist' : '../portal');

/** Of the package, as in `gatehouse --version`. */
export const installedVersion = (): string => {
  const { version } = JSON.parse(readFileSync(below('../../package.json'), 'utf8')) as { readonly version: string };
  return version;
};
