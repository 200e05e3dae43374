/** Every tool of Platform MCP (contract, "POST /mcp"). What governs Platform MCP itself is the portal's alone. */
import type { Tool } from './tool.ts';
import { whoami } from './whoami.ts';

export const catalogue: readonly Tool[] = [whoami];

const byName: ReadonlyMap<string, Tool> = new Map(catalogue.map((tool) => [tool.name, tool]));

export const findTool = (name: string): Tool | null => byName.get(name) ?? null;
