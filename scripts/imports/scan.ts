/**
 * Finds what a TypeScript source file imports, without a compiler: comments and the contents of template strings are
 * blanked, then the forms of import that formatted code can take are matched.
 *
 * Owns the knowledge of syntax only; which import is allowed stands in `rules.ts`.
 */

/** One import, re-export, dynamic import or worker reference. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** True when the import vanishes with the types. */
  readonly typeOnly: boolean;
}

export interface Scan {
  readonly imports: readonly Import[];
  /** Lines of `import(…)` whose argument is not a plain string, so that nobody can say where it leads. */
  readonly computedImports: readonly number[];
  /** The file re-exports and has nothing of its own. */
  readonly isBarrel: boolean;
}

/** Strings are kept (a specifier is one); what could look like code and is none is blanked, newlines stay. */
const tokens = new RegExp(
  [
    String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)`,
    String.raw`(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`,
    String.raw`(?<template>${'`'}(?:[^${'`'}\\]|\\[\s\S])*${'`'})`,
    // A slash begins a regular expression only where a value may begin; elsewhere it divides.
    String.raw`(?<=[(,=:[!&|?{};>]\s*|return\s+)(?<regex>\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/)`,
  ].join('|'),
  'g',
);

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

const masked = (source: string): string =>
  source.replace(tokens, (match: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Record<string, string | undefined>;
    if (groups['string'] !== undefined) return match;
    return groups['comment'] === undefined ? `\`${blank(match.slice(1, -1))}\`` : blank(match);
  });

const specifier = String.raw`['"](?<specifier>[^'"\n]+)['"]`;
const bindings = String.raw`[\w$*{}\s,]+?`;

/** Statements stand at the start of a line in formatted code, which keeps the contents of strings out. */
const statements = new RegExp(
  String.raw`^(?:import|export)\s+(?<clause>(?<type>type\s+)?${bindings})\s*\bfrom\s*${specifier}[^;\n]*;?`,
  'gm',
);
const bareImports = new RegExp(String.raw`^import\s*${specifier}[^;\n]*;?`, 'gm');
const dynamicImports = new RegExp(String.raw`(?<typeof>\btypeof\s+)?\bimport\(\s*${specifier}`, 'g');
const workerReferences = new RegExp(String.raw`\bnew URL\(\s*${specifier},\s*import\.meta\.url\s*,?\s*\)`, 'g');
const anyDynamicImport = /\bimport\(\s*(?!['"\s])/g;

const lineAt = (source: string, index: number): number => source.slice(0, index).split('\n').length;

/** `import type …`, or braces in which every name has its own `type`. */
const isTypeOnly = (match: RegExpMatchArray): boolean => {
  if (match.groups?.['type'] !== undefined || match.groups?.['typeof'] !== undefined) return true;
  const names = /^\{(?<names>[^}]*)\}$/.exec(match.groups?.['clause']?.trim() ?? '')?.groups?.['names'];
  const listed = names?.split(',').filter((name) => name.trim() !== '') ?? [];
  return listed.length > 0 && listed.every((name) => /^\s*type\s/.test(name));
};

const importsBy = (pattern: RegExp, code: string): Import[] =>
  [...code.matchAll(pattern)].map((match) => ({
    specifier: match.groups?.['specifier'] ?? '',
    line: lineAt(code, match.index),
    typeOnly: isTypeOnly(match),
  }));

/** A worker is loaded by address; other addresses (a migration, a page) are files, not modules. */
const workersIn = (code: string): Import[] =>
  importsBy(workerReferences, code).filter(({ specifier: path }) => /^\.{1,2}\/.*\.[mc]?[jt]sx?$/.test(path));

const isBarrel = (code: string): boolean => {
  const exportsSomething = /^export\s+(?:type\s+)?[{*]/m.test(code);
  const remainder = code
    .replace(statements, '')
    .replace(bareImports, '')
    .replace(/^export\s+(?:type\s+)?\{[^}]*\};?/gm, '');
  return exportsSomething && remainder.trim() === '';
};

export const scan = (source: string): Scan => {
  const code = masked(source);
  const imports = [
    ...importsBy(statements, code),
    ...importsBy(bareImports, code),
    ...importsBy(dynamicImports, code),
    ...workersIn(code),
  ].sort((a, b) => a.line - b.line);
  return {
    imports,
    computedImports: [...code.matchAll(anyDynamicImport)].map((match) => lineAt(code, match.index)),
    isBarrel: isBarrel(code),
  };
};
