/**
 * The form of icu-minify's compiled messages, which the portal shows: a text or a list of nodes. A node is a text, 0
 * for the number of a plural, `[argument]`, `[argument, type, options]`, or `[tag, …children]`.
 */
import type { Placeholder } from './placeholders.ts';

/** The first child of a tag may be 0, the number of a plural around it. */
const numberOfPlural = 0;
const selectType = 1;
const pluralTypes: readonly unknown[] = [2, 3];
const numberType = 4;

/** @returns branches of a select or a plural by form, each a text, 0, or a list of nodes; undefined for another node */
export const branchesOf = (node: readonly unknown[]): Readonly<Record<string, unknown>> | undefined => {
  const [, type, options] = node;
  if (type !== selectType && !pluralTypes.includes(type)) return undefined;
  return typeof options === 'object' && options !== null ? Object.fromEntries(Object.entries(options)) : undefined;
};

const isPlural = (node: readonly unknown[]): boolean => pluralTypes.includes(node[1]);

export const nodesOf = (message: unknown): readonly unknown[] => (Array.isArray(message) ? message : [message]);

/** A list of nodes within a tag starts with its name. */
export const childrenOf = (node: readonly unknown[]): readonly unknown[] => (isTag(node) ? node.slice(1) : []);

const isTag = ([, second]: readonly unknown[]): boolean =>
  second !== undefined && (typeof second !== 'number' || second === numberOfPlural);

type MapList = (nodes: readonly unknown[]) => readonly unknown[];

/** @returns the message with each list of nodes, of itself, its tags and its branches, replaced; innermost first */
export const mapNodes = (message: unknown, map: MapList): unknown => {
  if (typeof message === 'number') return message;
  const mapped = map(nodesOf(message).map((node) => mapInside(node, map)));
  const [only] = mapped;
  return mapped.length === 1 && !Array.isArray(only) ? only : mapped;
};

const mapInside = (node: unknown, map: MapList): unknown => {
  if (!Array.isArray(node)) return node;
  const branches = branchesOf(node);
  if (branches !== undefined) {
    const mapped = Object.entries(branches).map(([form, branch]) => [form, mapNodes(branch, map)]);
    return [node[0], node[1], Object.fromEntries(mapped)];
  }
  const children = childrenOf(node);
  return children.length === 0 ? node : [node[0], ...map(children.map((child) => mapInside(child, map)))];
};

const firstStrongIsolate = '\u2068';
const popDirectionalIsolate = '\u2069';

const isArgument = (node: unknown): boolean => Array.isArray(node) && node.length === 1;

const isolated = (nodes: readonly unknown[]): unknown[] =>
  nodes.flatMap((node) => (isArgument(node) ? [firstStrongIsolate, node, popDirectionalIsolate] : [node]));

/**
 * Isolates what a message of a right-to-left language is filled in with, which keeps its own direction and does not
 * turn the punctuation around it (Unicode Standard Annex 9, "Directional Formatting Characters").
 */
export const isolatedArguments = (message: unknown): unknown => mapNodes(message, isolated);

/** Every placeholder and tag of a message, also those in branches and tags; one that is used twice is there twice. */
export const placeholdersIn = (message: unknown): readonly Placeholder[] =>
  nodesOf(message).flatMap((node): readonly Placeholder[] => {
    if (!Array.isArray(node)) return [];
    const name = String(node[0]);
    const branches = branchesOf(node);
    if (branches !== undefined) {
      const use = isPlural(node) ? 'plural' : 'select';
      return [{ name, use, cases: Object.keys(branches) }, ...Object.values(branches).flatMap(placeholdersIn)];
    }
    if (isArgument(node)) return [{ name, use: 'argument', cases: [] }];
    if (isTag(node)) return [{ name, use: 'tag', cases: [] }, ...placeholdersIn(childrenOf(node))];
    const isPlainNumber = node[1] === numberType && node.length === 2;
    return [{ name, use: isPlainNumber ? 'number' : 'other', cases: [] }];
  });
