/**
 * The official SDK's example of a stateless server (`examples/server/simpleStatelessStreamableHttp` of
 * `@modelcontextprotocol/sdk`), with one tool that answers a constant: a new server and transport for each request,
 * over Express. Nothing is authenticated, limited, recorded or logged. Its answers are JSON, which costs it less than a
 * stream.
 */
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { origin } from './settings.ts';

const person = { id: 'c8f4a2c2-5d1e-4f0e-9a2b-0a6c3f1d2e4b', email: 'person@bench.example', name: 'Person' };

const newServer = (): McpServer => {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  const description = 'Returns the person that you act for.';
  const outputSchema = { id: z.string(), email: z.string(), name: z.string() };
  server.registerTool('whoami', { description, inputSchema: {}, outputSchema }, () => ({
    content: [{ type: 'text', text: `You act for ${person.name}.\n${JSON.stringify(person)}` }],
    structuredContent: person,
  }));
  return server;
};

const app = createMcpExpressApp({ host: '127.0.0.1', allowedHosts: ['127.0.0.1', new URL(origin).hostname] });
app.get('/healthz', (_request, response) => {
  response.json({});
});
app.post('/mcp', async (request, response) => {
  const server = newServer();
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  // As in the example, both end with the response.
  response.on('close', () => {
    Promise.all([transport.close(), server.close()]).catch(console.error);
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});
app.listen(Number(process.env['PORT']), '127.0.0.1');
