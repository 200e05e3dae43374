/**
 * Prints docs/architecture.md with the tables of rooms and folders; `scripts/generated.ts` writes it or compares it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FolderDoc, readFolderDocs } from '../imports/folder-docs.ts';
import { repositoryRoot } from '../report.ts';
import { withPart } from './page-parts.ts';

const rowOf = ({ folder, file, owns, promises }: FolderDoc): string =>
  `| [\`${folder.replace('domain/', '')}\`](../${file}) | ${owns} | ${promises} |\n`;

const tableOf = (name: string, docs: readonly FolderDoc[]): string =>
  `| ${name} | Owns | Promises |\n| - | - | - |\n${docs.map(rowOf).join('')}`;

const { rooms, others } = readFolderDocs(repositoryRoot);
const page = readFileSync(join(repositoryRoot, 'docs/architecture.md'), 'utf8');
process.stdout.write(withPart(withPart(page, 'rooms', tableOf('Room', rooms)), 'folders', tableOf('Folder', others)));
