/** Maps each root key of a response to the field of the schema. */
import { Kind, type OperationDefinitionNode, type SelectionSetNode } from 'graphql';
import type { FragmentsByName } from './limits.ts';

/**
 * Maps response keys (alias, or else field name) to field names; `__typename` is left out.
 * @param operation from a validated document: its fragments exist, form no cycle, and are limited in number
 */
export const rootKeysOf = (
  operation: OperationDefinitionNode,
  fragments: FragmentsByName,
): ReadonlyMap<string, string> => {
  const keys = new Map<string, string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) keys.set((selection.alias ?? selection.name).value, selection.name.value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else collectFragment(selection.name.value);
    }
  };
  const spread = new Set<string>();
  const collectFragment = (name: string): void => {
    const fragment = fragments.get(name);
    if (fragment === undefined || spread.has(name)) return;
    spread.add(name);
    collect(fragment.selectionSet);
  };
  collect(operation.selectionSet);
  for (const [key, field] of keys) if (field === '__typename') keys.delete(key);
  return keys;
};
