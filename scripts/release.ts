/**
 * `npm run release`: the files of a release, in dist/: the packed package, its bill of materials, and the checksums of
 * both. Publishes nothing.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './report.ts';
import { billOfMaterials } from './sbom/cyclonedx.ts';

const directory = join(repositoryRoot, 'dist');
const { name, version } = JSON.parse(readFileSync(join(repositoryRoot, 'server/package.json'), 'utf8')) as {
  readonly name: string;
  readonly version: string;
};
const files = { tarball: `${name}-${version}.tgz`, bill: `${name}-${version}.cdx.json`, sums: 'SHA256SUMS' };

const pack = (): void => {
  const args = ['pack', '--workspace', 'server', '--pack-destination', directory, '--loglevel', 'error'];
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
writeFileSync(join(directory, files.bill), `${JSON.stringify(billOfMaterials(), null, 2)}\n`);
writeFileSync(join(directory, files.sums), [files.tarball, files.bill].map(checksum).join(''));
process.stdout.write(
  `${Object.values(files)
    .map((file) => join('dist', file))
    .join('\n')}\n`,
);
