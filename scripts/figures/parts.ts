/** The parts of the repository that have a row in the figures, and the ceilings of their lines. */

export interface Part {
  readonly name: string;
  readonly paths: RegExp;
  /** Lines that the part should not exceed; the figures only show them beside the count. */
  readonly ceiling?: number;
  readonly isTest?: true;
}

/** A file belongs to the first part that matches its path. */
export const parts: readonly Part[] = [
  { name: 'server/src', paths: /^server\/src\//, ceiling: 60_000 },
  { name: 'portal/src', paths: /^portal\/src\//, ceiling: 24_000 },
  { name: 'packages/*/test', paths: /^packages\/[^/]+\/test\//, isTest: true },
  { name: 'packages', paths: /^packages\// },
  { name: 'scripts', paths: /^scripts\// },
  { name: 'server/test', paths: /^server\/test\//, isTest: true },
  { name: 'portal/test', paths: /^portal\/test\//, isTest: true },
];

export const partOf = (path: string): Part | undefined => parts.find(({ paths }) => paths.test(path));

/** Files whose lines count. */
export const isSource = (path: string): boolean => /\.(?:tsx?|mjs|css)$/.test(path);
