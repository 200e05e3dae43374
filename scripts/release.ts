/**
 * `npm run release`: the files of a release, in dist/: the packed service and its bill of materials, the packages for
 * adopters, and the checksums of all. Publishes nothing.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { billOfMaterials } from './bill-of-materials.ts';
import { repositoryRoot } from './report.ts';

const directory = join(repositoryRoot, 'dist');
const { name, version } = JSON.parse(readFileSync(join(repositoryRoot, 'server/package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
};
const bill = `${name}-${version}.cdx.json`;
const sums = 'SHA256SUMS';

/** The service, then the packages for adopters, each built by its own script `prepack`. */
const workspaces = [
  'server',
  ...globSync('packages/*/package.json', { cwd: repositoryRoot })
    .toSorted()
    .map((manifest) => dirname(manifest)),
];

const pack = (): void => {
  const named = workspaces.flatMap((workspace) => ['--workspace', workspace]);
  const args = ['pack', ...named, '--pack-destination', directory, '--loglevel', 'error'];
  const { status } = spawnSync('npm', args, {
    cwd: repositoryRoot,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm pack failed.');
};

const checksum = (file: string): string =>
  `${createHash('sha256')
    .update(readFileSync(join(directory, file)))
    .digest('hex')}  ${file}\n`;

rmSync(directory, { recursive: true, force: true });
mkdirSync(directory);
pack();
writeFileSync(join(directory, bill), `${JSON.stringify(billOfMaterials(), null, 2)}\n`);
const files = readdirSync(directory).toSorted();
writeFileSync(join(directory, sums), files.map(checksum).join(''));
process.stdout.write(`${[...files, sums].map((file) => join('dist', file)).join('\n')}\n`);
