/** GraphQL query of super admins on the catalogue of MCP tools: platformMcpCatalog. */
import { catalogue } from '../../domain/tools/catalogue.ts';
import { inputSchemaOf, type Tool } from '../../domain/tools/tool.ts';
import { builder } from '../builder.ts';
import { chain, guarded, loggedIn, scopes, superAdmin } from '../guards.ts';

const McpTool = builder.objectRef<Tool>('McpTool').implement({
  description: 'A tool that MCP clients can call.',
  fields: (t) => ({
    name: t.exposeString('name'),
    title: t.exposeString('title'),
    description: t.exposeString('description'),
    requiredScopes: t.stringList({ resolve: ({ requiredScopes }) => [...requiredScopes] }),
    inputSchema: t.string({
      description: 'JSON Schema of the input, as MCP clients receive it.',
      resolve: (tool) => JSON.stringify(inputSchemaOf(tool)),
    }),
    readOnly: t.exposeBoolean('isReadOnly'),
    destructive: t.exposeBoolean('isDestructive'),
  }),
});

const cataloguer = chain(chain(loggedIn, superAdmin), scopes('EVERY', ['mcp:catalog:view']));

builder.queryField('platformMcpCatalog', (t) =>
  t.field({
    type: [McpTool],
    description: 'Super admin with mcp:catalog:view. Every tool, whoever may call it.',
    resolve: guarded(cataloguer, () => [...catalogue]),
  }),
);
