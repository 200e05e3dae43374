/**
 * Makes `npm start` and `npm test` work on a fresh clone: installs the dependencies when node_modules differs from
 * package-lock.json, and prints nothing otherwise. `ensure-installed.mjs FOLDER ARGUMENTS` does so in a folder with a
 * lock file of its own, with further arguments of npm.
 *  Plain JavaScript without dependencies, because it runs on whatever Node the machine has (20 or newer), before the
 * Node of this project (the dev dependency `node`) is there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const oldestNode = 20;
const [folder = '.', ...npmArguments] = process.argv.slice(2);
const root = fileURLToPath(new URL(`../${folder}/`, import.meta.url));

/** @param {string} message @returns {never} */
const fail = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

/** @param {string} path */
const packagesOf = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages ?? {};

/** The reason for an install, or null. npm records what it installed in node_modules/.package-lock.json. */
const reasonToInstall = () => {
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) return 'The dependencies are not installed';
  const wanted = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  for (const [path, entry] of Object.entries(wanted)) {
    const differs = isMissing(path, entry, installed[path]) || isOther(entry, installed[path]);
    if (differs) return `${path} is not installed as package-lock.json asks`;
  }
  const hasNode = folder !== '.' || existsSync(join(root, 'node_modules', 'node', 'bin'));
  return hasNode ? null : 'The Node of this project is not installed';
};

/** npm omits the root itself, and optional packages for another platform. */
const isMissing = (path, entry, present) => path !== '' && entry.optional !== true && present === undefined;

const isOther = (entry, present) =>
  present !== undefined && (entry.version !== present.version || entry.integrity !== present.integrity);

/** Without the directory that `npm ci` is about to delete, so that npm runs on the machine's own Node. */
const pathWithoutProject = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => !directory.includes(`${sep}node_modules${sep}.bin`))
    .join(delimiter);

const install = () => {
  // npm runs on the machine's older Node and would warn of every package that asks for the newer one it brings.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error', ...npmArguments];
  const { status, error } = spawnSync('npm', args, {
    cwd: root,
    env: { ...process.env, PATH: pathWithoutProject() },
    stdio: ['ignore', 'inherit', 'inherit'],
    // npm is a .cmd file on Windows, which only a shell can start.
    shell: process.platform === 'win32',
  });
  if (error !== undefined || status !== 0) fail(`npm ci failed${error === undefined ? '' : `: ${error.message}`}`);
};

if (Number(process.versions.node.split('.')[0]) < oldestNode) {
  fail(`Node ${oldestNode} or newer is needed to install Gatehouse; this is ${process.version}`);
}
const reason = reasonToInstall();
if (reason !== null) {
  process.stderr.write(`${reason}; running npm ci (a minute or so, once)\n`);
  install();
}
