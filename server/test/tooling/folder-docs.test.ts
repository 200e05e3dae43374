/** Each folder of the server's source has exactly one file whose header states what the folder owns and promises. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readFolderDocs } from '../../../scripts/imports/folder-docs.ts';
import { withPart } from '../../../scripts/printing/page-parts.ts';

const trees: string[] = [];

afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true });
});

/** The docs of a repository with these files below `server/src` and no others. */
const docsOf = (files: Readonly<Record<string, string>>): ReturnType<typeof readFolderDocs> => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-folders-'));
  trees.push(root);
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, 'server/src', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return readFolderDocs(root);
};

const header = '/**\n * Owns: one subject,\n *   in two lines.\n * Promises: a guarantee.\n *\n * More.\n */\n';

describe('The docs of folders', () => {
  it('are read from one header, without its line breaks and full stops', () => {
    const { others } = docsOf({ 'kernel/ids.ts': header, 'kernel/errors.ts': '/** Errors. */\n' });
    expect(others).toEqual([
      {
        folder: 'kernel',
        file: 'server/src/kernel/ids.ts',
        owns: 'one subject, in two lines',
        promises: 'a guarantee',
      },
    ]);
  });

  it('list the rooms of the domain in the order of their imports', () => {
    const { rooms } = docsOf({
      'domain/billing/a.ts': header,
      'domain/audit/a.ts': header,
      'domain/scopes/a.ts': header,
    });
    expect(rooms.map(({ folder }) => folder)).toEqual(['domain/scopes', 'domain/audit', 'domain/billing']);
  });

  it.each([
    ['no header', { 'kernel/ids.ts': '' }, 'server/src/kernel needs one file'],
    ['half a header', { 'kernel/ids.ts': '/**\n * Owns: one subject.\n */\n' }, 'It has none.'],
    ['two headers', { 'kernel/ids.ts': header, 'kernel/errors.ts': header }, 'It has errors.ts, ids.ts.'],
  ])('refuse a folder with %s', (_subject, files, message) => {
    expect(() => docsOf(files)).toThrow(message);
  });

  it('are printed between the markers of a page, as often as wanted', () => {
    const printed = withPart('a\n<!-- rooms: begin -->\nold\n<!-- rooms: end -->\nb\n', 'rooms', 'new');
    expect(printed).toBe('a\n<!-- rooms: begin -->\n\nnew\n<!-- rooms: end -->\nb\n');
    expect(withPart(printed, 'rooms', 'new')).toBe(printed);
    expect(() => withPart('no markers', 'rooms', 'new')).toThrow('markers');
  });
});
