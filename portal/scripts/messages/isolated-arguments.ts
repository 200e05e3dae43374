/**
 * Isolates what a message of a right-to-left language is filled in with: a name or an address keeps its own direction,
 * and does not turn the punctuation around it (Unicode Standard Annex 9, "Directional Formatting Characters").
 */
import type compile from 'icu-minify/compile';
import { mapNodes } from './compiled-messages.ts';

const firstStrongIsolate = '\u2068';
const popDirectionalIsolate = '\u2069';

const isArgument = (node: unknown): boolean => Array.isArray(node) && node.length === 1;

const isolated = (nodes: readonly unknown[]): unknown[] =>
  nodes.flatMap((node) => (isArgument(node) ? [firstStrongIsolate, node, popDirectionalIsolate] : [node]));

export const isolatedArguments = (message: ReturnType<typeof compile>): unknown => mapNodes(message, isolated);
