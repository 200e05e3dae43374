/** The figures of the code: each number for a small sample. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { duplicatedLines } from '../../../scripts/figures/clones.ts';
import { beginsWithoutSubject, wideCommentLines } from '../../../scripts/figures/comments.ts';
import { countWords, wordsOfName } from '../../../scripts/figures/count-words.ts';
import { largeFolders } from '../../../scripts/figures/folders.ts';
import { measure, readSourceFile } from '../../../scripts/figures/measure.ts';
import { figureLines } from '../../../scripts/figures/page.ts';
import { isSource, type Part, partOf } from '../../../scripts/figures/parts.ts';
import { percentile } from '../../../scripts/figures/percentile.ts';
import { isProse, proseFigures, proseOf } from '../../../scripts/figures/prose.ts';
import { readSyntax } from '../../../scripts/figures/syntax.ts';
import { trackedFiles } from '../../../scripts/figures/tracked-files.ts';

const syntaxOf = (source: string, path = 'a.ts'): ReturnType<typeof readSyntax> =>
  readSyntax(path, source, { declarations: true });

const source: Part = { name: 'source', paths: /^src\// };
const tests: Part = { name: 'tests', paths: /^test\//, isTest: true };

/** `count` different lines of code. */
const lines = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, at) => `const ${name}${at} = 1;`);

describe('A percentile', () => {
  it('is the number at the nearest rank, whatever the order', () => {
    const numbers = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1];
    expect([0.5, 0.9, 0.91, 1].map((share) => percentile(numbers, share))).toEqual([5, 9, 10, 10]);
    expect(percentile([100, 20, 3], 0.5)).toBe(20);
  });

  it('is 0 without numbers', () => {
    expect(percentile([], 0.5)).toBe(0);
  });
});

describe('The syntax of a file', () => {
  it('has every function with a body, also methods, callbacks and those within others', () => {
    const { functions } = syntaxOf(
      [
        'export function one(): void {',
        '  [1].map((each) => each);',
        '}',
        'class Two {',
        '  method(): void {',
        '    return;',
        '  }',
        '}',
        'const text = "function () {}"; // () => 1',
        'declare function three(): void;',
        'const four = async function () {',
        '};',
      ].join('\n'),
    );
    expect(functions).toEqual([
      { first: 1, last: 3 },
      { first: 2, last: 2 },
      { first: 5, last: 7 },
      { first: 11, last: 12 },
    ]);
  });

  it('is read in TSX, with the text between elements', () => {
    const { functions, texts } = syntaxOf("const A = () => (\n  <a title='to the top'>up again</a>\n);\n", 'a.tsx');
    expect(functions).toEqual([{ first: 1, last: 3 }]);
    expect(texts).toEqual(['to the top', 'up again']);
  });

  it('separates comments from code, and knows both from strings', () => {
    const { comments, code, texts, exports } = syntaxOf(
      "/** Of\n * two lines. */\n\nexport const  a = '// no comment'; // at the end\n",
    );
    expect(comments).toEqual([
      { first: 1, last: 2, text: '* Of\n * two lines. ' },
      { first: 4, last: 4, text: ' at the end' },
    ]);
    expect(code).toEqual(["export const a = '// no comment';"]);
    expect(texts).toEqual(['// no comment']);
    expect(exports).toEqual(['a']);
  });

  it('has neither functions nor texts where only lines and comments are read', () => {
    const { functions, texts, comments } = readSyntax('a.ts', "// A.\nit('has a name', () => {});", {
      declarations: false,
    });
    expect({ functions, texts, comments: comments.length }).toEqual({ functions: [], texts: [], comments: 1 });
  });
});

describe('Duplicated lines', () => {
  it('are those of a run of six, once for each further copy', () => {
    const run = lines(6, 'a');
    expect(duplicatedLines([run, lines(20, 'b')])).toBe(0);
    expect(duplicatedLines([run, [...lines(3, 'b'), ...run]])).toBe(6);
    expect(duplicatedLines([run, run, run])).toBe(12);
    expect(duplicatedLines([[...run, 'between();', ...run]])).toBe(6);
  });

  it('are no run of five', () => {
    expect(duplicatedLines([lines(5, 'a'), lines(5, 'a')])).toBe(0);
  });

  it('count once where runs overlap', () => {
    expect(duplicatedLines([lines(9, 'a'), lines(9, 'a')])).toBe(9);
  });
});

describe('Comments', () => {
  it.each([
    [' Of a member: its roles', true],
    ['*\n * What the client sent. ', true],
    ['* Whatever happens, the row stays. ', false],
    [' The roles of a member', false],
    [' Often the first', false],
  ])('%j has no subject: %s', (text, expected) => {
    expect(beginsWithoutSubject({ text, first: 1, last: 1 })).toBe(expected);
  });

  it('are wide beyond 120 characters, each line of them once', () => {
    const wide = 'x'.repeat(115);
    const text = [`// ${wide}12`, `// ${wide}123`, `/* ${wide}123`, ` * ${wide}123 */`, `const a = '${wide}';`].join(
      '\n',
    );
    expect(wideCommentLines(text, syntaxOf(text).comments)).toHaveLength(3);
  });
});

describe('Private words', () => {
  it('are counted as whole words, most frequent first', () => {
    const texts = ['The lane of a lane. Lanes; planes.', '* held\n * back', 'HELD BACK, rehearsed'];
    expect(countWords(texts, ['lane', 'held back', 'rehearse', 'deed'])).toEqual([
      ['lane', 3],
      ['held back', 2],
      ['rehearse', 1],
    ]);
  });

  it.each([
    ['soughtSessions', 'sought sessions'],
    ['SoughtSessions', 'sought sessions'],
    ['SOUGHT_SESSIONS', 'sought sessions'],
    ['sought-sessions.test.ts', 'sought sessions test ts'],
  ])('are found in the name %s', (name, words) => {
    expect(wordsOfName(name)).toBe(words);
  });

  it('are counted in comments, texts and pages, and in names of sources; translations are not read', () => {
    const figures = proseFigures(
      [
        readSourceFile('src/lane.ts', "// A lane.\nexport const soughtLane = 'one lane';\n", source),
        readSourceFile('src/messages/de/lane.ts', "// A lane.\nexport const lane = 'one lane';\n", source),
        readSourceFile('test/lane.test.ts', "// A lane.\nit('has a lane', () => {});\n", tests),
      ],
      ['A page about a lane.'],
      { everywhere: ['lane'], inNames: ['sought'] },
    );
    expect(figures).toEqual({
      prose: [['lane', 4]],
      names: [
        ['lane', 2],
        ['sought', 1],
      ],
    });
  });

  it('are counted in pages, and in messages in English that are data', () => {
    const paths = [
      'docs/a.md',
      'server/texts/en.json',
      'portal/src/messages/en/a.json',
      'server/texts/de.json',
      'server/src/event-meanings.json',
      'a.json',
    ];
    expect(paths.filter(isProse)).toEqual([
      'docs/a.md',
      'server/texts/en.json',
      'portal/src/messages/en/a.json',
      'server/src/event-meanings.json',
    ]);
  });

  it('are counted in the messages of such data, not in their keys', () => {
    expect(proseOf('a/en.json', '{ "lane": { "note": "A text", "rows": ["one", "two"], "none": null } }')).toBe(
      'A text\none\ntwo',
    );
    expect(proseOf('docs/a.md', '# A page')).toBe('# A page');
  });

  it('are not counted in the list of the words', () => {
    const file = readSourceFile('scripts/figures/private-words.ts', "export const words = ['held back'];\n", source);
    expect(proseFigures([file], [], { everywhere: ['held back'], inNames: [] })).toEqual({ prose: [], names: [] });
  });
});

describe('A large folder', () => {
  it('has more than twenty files, those of folders below not counted', () => {
    const files = (folder: string, count: number): string[] =>
      Array.from({ length: count }, (_, at) => `${folder}/${at}.ts`);
    expect(largeFolders([...files('a', 20), ...files('b', 21), ...files('b/c', 22), ...files('a/d', 5)])).toEqual([
      { path: 'b/c', files: 22 },
      { path: 'b', files: 21 },
    ]);
  });
});

const hasGit = spawnSync('git', ['--version']).status === 0;

describe('The files that count', () => {
  /** A folder with these empty files. */
  const folderOf = (files: readonly string[]): string => {
    const root = mkdtempSync(join(tmpdir(), 'gatehouse-figures-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const file of files) writeFileSync(join(root, file), '');
    return root;
  };

  it.runIf(hasGit)('are tracked by git, exist, and are not printed by a command', () => {
    const root = folderOf(['package-lock.json', 'tracked ä.ts', 'removed.ts', 'new.ts']);
    for (const args of [
      ['init', '--quiet'],
      ['add', '--', 'package-lock.json', 'tracked ä.ts', 'removed.ts'],
    ])
      expect(spawnSync('git', args, { cwd: root, encoding: 'utf8' })).toMatchObject({ status: 0 });
    rmSync(join(root, 'removed.ts'));
    expect(trackedFiles(root)).toEqual(['tracked ä.ts']);
  });

  it('are all but the printed ones in a folder without git', () => {
    expect(trackedFiles(folderOf(['package-lock.json', 'b.ts', 'a.md']))).toEqual(['a.md', 'b.ts']);
  });

  it('belong to one part each', () => {
    const paths = ['server/src/a.ts', 'packages/node/src/a.ts', 'packages/node/test/a.test.ts', 'bench/a.ts'];
    expect(paths.map((path) => partOf(path)?.name)).toEqual(['server/src', 'packages', 'packages/*/test', undefined]);
    expect(['a.ts', 'a.tsx', 'a.css', 'a.mjs', 'a.json', 'a.md'].filter(isSource)).toHaveLength(4);
  });
});

describe('The figures of a part', () => {
  const long = `${lines(301, 'a').join('\n')}\n`;
  const short = '// Of a: b.\nexport const f = () => {\n  return 1;\n};\nexport const g = () => 2;\n';

  it('are the sums and percentiles of its files', () => {
    const files = [
      readSourceFile('src/long.ts', long, source),
      readSourceFile('src/short.ts', short, source),
      readSourceFile('src/a.css', 'a {\n}\n', source),
    ];
    expect(measure(source, files)).toEqual({
      part: source,
      files: 3,
      lines: 308,
      filesOverLimit: 1,
      functions: 2,
      median: 1,
      ninetieth: 3,
      longestFunction: { place: 'src/short.ts:2', lines: 3 },
      duplicatedShare: 0,
      commentsWithoutSubject: 1,
      wideCommentLines: 0,
    });
  });

  it('have the share of duplicated lines of code', () => {
    const files = ['a', 'b'].map((name) =>
      readSourceFile(`src/${name}.ts`, `// A.\n${lines(6, 'a').join('\n')}`, source),
    );
    expect(measure(source, files).duplicatedShare).toBe(0.5);
  });

  it('are printed in a row beside the ceiling', () => {
    const part = partOf('server/src/a.ts');
    if (part === undefined) throw new Error('server/src is a part');
    const printed = figureLines([readSourceFile('server/src/long.ts', long, part)], {
      prose: [['lane', 2]],
      names: [],
    });
    expect(printed).toContainEqual(expect.stringMatching(/^server\/src +1 +301 +60,000 +1 +0 +0 +0 +0 +0\.0 % +0 +0$/));
    expect(printed).toContain('  server/src/long.ts (301)');
    expect(printed).toContain('Private words in comments, pages and messages: 2 of 1 words, lane 2');
  });
});
