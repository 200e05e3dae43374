/**
 * The form of icu-minify's compiled messages. A message is a text or a list of nodes. A node is a text, 0 for the number
 * of a plural, `[argument]`, `[argument, type, options]`, or `[tag, …children]`.
 */

const selectType = 1;
const pluralTypes: readonly unknown[] = [2, 3];

/** @returns branches of a select or a plural by form, each a text, 0, or a list of nodes; undefined for another node */
export const branchesOf = (node: readonly unknown[]): Readonly<Record<string, unknown>> | undefined => {
  const [, type, options] = node;
  if (type !== selectType && !pluralTypes.includes(type)) return undefined;
  return typeof options === 'object' && options !== null ? Object.fromEntries(Object.entries(options)) : undefined;
};

export const isPlural = (node: readonly unknown[]): boolean => pluralTypes.includes(node[1]);

export const nodesOf = (message: unknown): readonly unknown[] => (Array.isArray(message) ? message : [message]);

/** A list of nodes within a tag starts with its name. */
export const childrenOf = (node: readonly unknown[]): readonly unknown[] =>
  typeof node[1] === 'number' ? [] : node.slice(1);

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
