/** The demo application, with the MCP server of this folder as a resource. */
import { defineApplication } from 'gatehouse';
import demo from '../application.ts';

export default defineApplication({
  ...demo,
  resources: { notes: { url: 'http://localhost:3000/mcp', scopes: ['notes:read', 'notes:write'] } },
});
