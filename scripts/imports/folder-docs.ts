/**
 * Reads what each folder of `server/src` owns and promises, from the header of its main file:
 *
 *     Owns: the subject.
 *     Promises: the guarantees to other folders.
 */
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path/posix';
import { sourceFiles } from '../source-files.ts';
import { rooms } from './layers.ts';

export interface FolderDoc {
  /** Relative to `server/src`. */
  readonly folder: string;
  /** The file with the header, relative to the repository's root. */
  readonly file: string;
  readonly owns: string;
  readonly promises: string;
}

const tree = 'server/src';

/** The tree itself, and folders that only group others or hold parts without a common subject. */
const withoutDoc = new Set(['', 'domain', 'platform']);

const folderOf = (file: string): string => dirname(relative(tree, file)).replace(/^\.$/, '');

/** The text after `key:` in a header, up to the next key or an empty line; null when the header does not have it. */
const textAfter = (header: string, key: string): string | null => {
  const text = new RegExp(`^ \\* ${key}: ((?:.+\\n)(?: \\*   .+\\n)*)`, 'm').exec(header)?.[1];
  return text === undefined
    ? null
    : text
        .replaceAll(/\n \* +/g, ' ')
        .trim()
        .replace(/\.$/, '');
};

/** The doc of the file's folder, or null when the file's header has none. */
const docIn = (root: string, file: string): FolderDoc | null => {
  const [header = ''] = /^\/\*\*\n[\s\S]*?\*\//.exec(readFileSync(join(root, file), 'utf8')) ?? [];
  const [owns, promises] = [textAfter(header, 'Owns'), textAfter(header, 'Promises')];
  return owns === null || promises === null ? null : { folder: folderOf(file), file, owns, promises };
};

const onlyDoc = (folder: string, docs: readonly FolderDoc[]): FolderDoc => {
  const [doc, ...others] = docs;
  if (doc !== undefined && others.length === 0) return doc;
  const files = docs.map(({ file }) => basename(file)).join(', ') || 'none';
  throw new Error(`${tree}/${folder} needs one file whose header has Owns: and Promises:. It has ${files}.`);
};

const placeOfRoom = ({ folder }: FolderDoc): number => rooms.indexOf(folder.replace('domain/', ''));

/**
 * The docs of all folders: the rooms of the domain in their order, and the others by name.
 * @throws Error for a folder without exactly one doc
 */
export const readFolderDocs = (root: string): { readonly rooms: FolderDoc[]; readonly others: FolderDoc[] } => {
  const files = sourceFiles(root, tree);
  const docs = files.map((file) => docIn(root, file)).filter((doc) => doc !== null);
  const folders = [...new Set(files.map(folderOf))].filter((folder) => !withoutDoc.has(folder)).sort();
  const all = folders.map((folder) =>
    onlyDoc(
      folder,
      docs.filter((doc) => doc.folder === folder),
    ),
  );
  return {
    rooms: all.filter(({ folder }) => folder.startsWith('domain/')).sort((a, b) => placeOfRoom(a) - placeOfRoom(b)),
    others: all.filter(({ folder }) => !folder.startsWith('domain/')),
  };
};
