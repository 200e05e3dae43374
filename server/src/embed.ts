/**
 * The package entry for other programs: `import { defineApplication, startGatehouse } from 'gatehouse'`.
 * `gatehouse.d.ts` declares its types and documents it.
 */
import type * as contract from './gatehouse.d.ts';
import { isPublicRefusal } from './kernel/errors.ts';
import { ToolError as ErrorOfTool } from './kernel/tool-error.ts';

export const startGatehouse: typeof contract.startGatehouse = async (added = {}) => {
  // Loaded here, so that a file with a definition imports little.
  const { startService } = await import('./cli/serve.ts');
  const service = await startService(added);
  return { identity: service.app.identity, close: () => service.close() };
};

export const isRefusal: typeof contract.isRefusal = (error): error is contract.Refusal => isPublicRefusal(error);

export const defineTool: typeof contract.defineTool = (tool) => tool;

export const ToolError: typeof contract.ToolError = ErrorOfTool;

export const defineApplication: typeof contract.defineApplication = (definition) => definition;
