/** Builds the portal when the checkout has none yet. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CommandFailed } from './exit.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** @throws CommandFailed when the build fails; its output stands above */
export const buildPortal = (): void => {
  process.stderr.write('Building the portal, once …\n');
  const { status } = spawnSync('npm', ['run', '--silent', 'build', '--workspace', 'portal'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0)
    throw new CommandFailed('The portal could not be built: npm run build --workspace portal says why.');
};
