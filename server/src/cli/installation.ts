/**
 * Where this installation's assets are: a checkout runs from its sources, the package is compiled and has the portal.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandFailed } from './exit.ts';

const isCheckout = import.meta.url.endsWith('.ts');

const below = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const portalDirectory = below(isCheckout ? '../../../portal/dist' : '../portal');

/** @throws CommandFailed when the built portal is missing; the message says what to do */
export const requirePortal = (directory = portalDirectory): void => {
  if (existsSync(join(directory, 'index.html'))) return;
  throw new CommandFailed(
    isCheckout
      ? 'The portal is not built. `npm start` builds and serves it; `npm run build:portal` builds it alone.'
      : `The portal is missing in ${directory}: install Gatehouse again.`,
  );
};

/** The package version, as in `gatehouse --version`. */
export const installedVersion = (): string => {
  const { version } = JSON.parse(readFileSync(below('../../package.json'), 'utf8')) as { readonly version: string };
  return version;
};
