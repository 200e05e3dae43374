/** The MCP tools that the program adds (contract/organization-mcp.md#tools-of-the-application). */
import { type Config, ConfigRefused, optionalPartsOf } from '../config/config.ts';
import { readTools } from '../domain/organization-tools/read-tools.ts';
import type { Application } from '../domain/scopes/application.ts';
import { DefinitionRefused } from '../domain/scopes/definition-fault.ts';
import type { CustomTool } from '../domain/tools/tool.ts';
import type { Logger } from '../platform/observability/logger.ts';

/**
 * Reads the tools once, at start.
 * @param definitions as the program gives them; undefined for none
 * @throws ConfigRefused: a tool is not usable; names the place
 */
export const loadTools = (config: Config, application: Application, definitions: unknown): readonly CustomTool[] => {
  if (definitions === undefined) return [];
  try {
    return readTools(definitions, application.serving(optionalPartsOf(config)));
  } catch (error) {
    if (error instanceof DefinitionRefused) throw new ConfigRefused([error.message]);
    throw error;
  }
};

/** Warns of tools that no client can call. */
export const warnOfUnservedTools = (
  { mcp }: Pick<Config, 'mcp'>,
  { length: tools }: readonly CustomTool[],
  logger: Logger,
): void => {
  if (mcp.forOrganizations || tools === 0) return;
  logger.warn(
    { event: 'application.tools_not_served', tools },
    'The program adds MCP tools, which no client can call: set ORGANIZATION_MCP_ENABLED and MCP_ENABLED to true',
  );
};
