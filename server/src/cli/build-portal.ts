/** Builds the portal when the checkout has none yet. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandFailed } from './exit.ts';
import { isCheckout, portalDirectory } from './installation.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * A build that was cut off leaves the folder without its page, and is no build.
 * @throws CommandFailed when the build fails, its output stands above; or when there is nothing to build from
 */
export const buildMissingPortal = (): void => {
  if (existsSync(join(portalDirectory, 'index.html'))) return;
  if (!isCheckout) throw new CommandFailed(`${portalDirectory} lacks the portal: install Gatehouse anew.`);
  process.stderr.write('Building the portal, once …\n');
  const { status } = spawnSync('npm', ['run', '--silent', 'build', '--workspace', 'portal'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0)
    throw new CommandFailed('The portal could not be built: npm run build --workspace portal says why.');
};
