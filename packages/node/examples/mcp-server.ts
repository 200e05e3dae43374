/** An MCP server of one's own: serves its metadata, and hands requests with an active token on to `serve`. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Identity, isRefusal, type McpAccess } from '@gatehouse/node';

/** Such as `transport.handleRequest` of the MCP SDK, which takes `request.auth`. */
type Serve = (request: IncomingMessage & { auth?: McpAccess }, response: ServerResponse) => Promise<void>;

export const notesOverMcp = (identity: Identity, resource: string, serve: Serve): RequestListener => {
  const protection = identity.protectMcp({ resource, scopes: ['notes:read', 'notes:write'] });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === protection.metadataPath) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(protection.metadata));
      return;
    }
    const auth = await protection.authenticate(request);
    protection.requireScopes(auth, 'notes:read');
    await serve(Object.assign(request, { auth }), response);
  };

  return (request, response) => {
    answer(request, response).catch((error: unknown) => {
      const { status, headers, body } = isRefusal(error) ? error : { status: 500, headers: {}, body: {} };
      response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  };
};
