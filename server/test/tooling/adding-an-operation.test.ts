/** CONTRIBUTING.md names every place of an operation: one is added at these places, in a copy, and at no other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planted } from '../../../scripts/mutants/problems.ts';
import { makeWorkingCopy, removeWorkingCopy } from '../../../scripts/mutants/working-copy.ts';
import { repositoryRoot } from '../../../scripts/report.ts';

const testRow = 'server/test/support/operations/accounts.ts';

/** By file, its texts before which something is put, with that. */
const edits: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [join('docs/contract', 'requests.md')]: { '`undoEmailChange`, `changePassword`': '`setNickname`, ' },
  'server/src/domain/sessions/own-account.ts': {
    '/**\n * Sets the language of the caller':
      "export const setNickname = (deps: Deps<'database' | 'logger'>, actor: Actor, name: string) =>\n  changeName(deps, actor, name);\n\n",
  },
  'server/src/graphql/types/account/own-account.ts': {
    "import { callerOf } from '../../../http-kit":
      "import { setNickname } from '../../../domain/sessions/own-account.ts';\n",
    '  setLanguage: t.field({': `  setNickname: t.field({
    type: User,
    args: { name: t.arg.string({ required: true }) },
    resolve: guarded(operations.setNickname, (actor, { name }, { services }) => setNickname(services, actor, name)),
  }),
`,
  },
  'server/src/graphql/operations.ts': {
    '  changeName: { guard: loggedIn }':
      "  setNickname: { guard: loggedIn, alone: 'authenticated', feature: 'machineTokens', permit: ending },\n",
  },
  [testRow]: {
    '  changeName: {\n': `  setNickname: {
    callers: 'UOOOOOOOO',
    input: (nth) => ({ name: \`Person \${nth}\` }),
    fields: [field('name', 'fields', { frame: inName, document: 'bare' })],
  },
`,
  },
};

/** The first path of each item of the list. */
const documentedPlaces = (): readonly string[] => {
  const page = readFileSync(join(repositoryRoot, 'CONTRIBUTING.md'), 'utf8');
  const section = page.split('## Adding an operation\n')[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\d\. [^`]*`([^`]+)`/gm)].map(([, path = '']) => path);
};

/** Prints what the lists that are derived from the rows know of it. */
const facts = `import { loneMutations, operationsWithout } from './server/src/graphql/operations.ts';
import { completeSchema } from './server/src/graphql/schema.ts';
const features = { billing: true, machineTokens: false, organizationAudit: true, organizationMcp: true, passkeys: true };
const name = 'setNickname';
console.log([
  name in completeSchema().getMutationType().getFields(),
  loneMutations.has(name),
  operationsWithout(features).includes(name),
].join());`;

/** Each runs the compiler or Vitest, which take half a minute on an idle machine. */
const limit = { timeout: 15 * 60_000 };

describe('An operation', () => {
  let copy: string;
  beforeAll(() => {
    copy = makeWorkingCopy();
    for (const [file, inserted] of Object.entries(edits)) {
      const path = join(copy, file);
      const added = Object.entries(inserted).reduce(
        (text, [find, before]) => {
          expect(text, file).toContain(find);
          return planted(text, { find, replace: before + find });
        },
        readFileSync(path, 'utf8'),
      );
      writeFileSync(path, added);
    }
  });
  afterAll(() => removeWorkingCopy(copy));

  const run = async (...args: readonly string[]): Promise<{ readonly status: unknown; readonly text: string }> => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
    const child = spawn(process.execPath, args, { cwd: copy, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const closed = once(child, 'close');
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [status] = (await closed) as readonly unknown[];
    return { status, text: stdout + stderr };
  };

  const completeness = () =>
    run('node_modules/vitest/vitest.mjs', 'run', '--project', 'pure', 'guards.pure', 'operation-rows.pure');

  it('has at most five places, which CONTRIBUTING.md names', () => {
    const places = documentedPlaces();
    expect(places.length).toBeLessThanOrEqual(5);
    expect(Object.keys(edits).map((file) => places.find((place) => file.startsWith(place)))).toEqual(places);
  });

  it('is complete with an edit at each: the types fit, the lists have it, and no table misses it', limit, async () => {
    expect(await run('node_modules/typescript/bin/tsc', '-p', 'server', '--noEmit')).toEqual({ status: 0, text: '' });
    expect(await run('--input-type=module', '--eval', facts)).toEqual({ status: 0, text: 'true,true,true\n' });
    const { status, text } = await completeness();
    expect(status, text).toBe(0);
  });

  it('is missed without its row in the tests', limit, async () => {
    const path = join(copy, testRow);
    const complete = readFileSync(path, 'utf8');
    writeFileSync(path, readFileSync(join(repositoryRoot, testRow), 'utf8'));
    const { status, text } = await completeness();
    writeFileSync(path, complete);
    expect(status).toBe(1);
    expect(text).toContain('setNickname');
  });
});
