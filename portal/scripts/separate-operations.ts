/**
 * Splits the file of generated operations into one module per operation, so that each is in the chunk of its page. As
 * one module they would all be in the entry chunk.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const generatedFile = fileURLToPath(new URL('../src/generated/graphql.ts', import.meta.url));

/** Base class of the operations. */
const operationClass = 'TypedDocumentString';

const partPrefix = `${generatedFile}?only=`;

/** Source text of each exported value by name; types are erased by the build. */
const readValues = async (): Promise<ReadonlyMap<string, string>> => {
  const source = await readFile(generatedFile, 'utf8');
  const values = source.split(/^(?=export )/m).flatMap((text) => {
    const name = /^export (?:class|const) (\w+)/.exec(text)?.[1];
    return name === undefined ? [] : [[name, text] as const];
  });
  return new Map(values);
};

const list = (values: ReadonlyMap<string, string>): string =>
  Array.from(values.keys(), (name) => `export { ${name} } from ${JSON.stringify(partPrefix + name)};`).join('\n');

const loadPart = async (name: string): Promise<string> => {
  const text = (await readValues()).get(name);
  if (text === undefined) throw new Error(`The generated operations have no ${name}`);
  return name === operationClass
    ? text
    : `import { ${operationClass} } from ${JSON.stringify(partPrefix + operationClass)};\n${text}`;
};

export const separateOperations = (): Plugin => ({
  name: 'gatehouse-separate-operations',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith(partPrefix) ? { id, moduleSideEffects: false } : undefined),
  load: async (id) => {
    if (id === generatedFile) return { code: list(await readValues()), moduleType: 'js', moduleSideEffects: false };
    if (!id.startsWith(partPrefix)) return undefined;
    return { code: await loadPart(id.slice(partPrefix.length)), moduleType: 'ts', moduleSideEffects: false };
  },
});
