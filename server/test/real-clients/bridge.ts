/** `mcp-remote` as an application starts it: the bridge of applications that know only stdio to a remote server. */
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { newDirectory } from '../support/database/databases.ts';
import { freePort } from '../support/gatehouse/gatehouse.ts';
import { programs } from './commands.ts';

export interface Bridge {
  readonly transport: StdioClientTransport;
  /** The URL that it opens in a browser. */
  readonly asked: Promise<string>;
}

/** @param url of the server, without more */
export const startBridge = async (url: string, ...options: readonly string[]): Promise<Bridge> => {
  const home = await newDirectory();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [programs.mcpRemote, url, String(await freePort()), ...options],
    env: { PATH: process.env['PATH'] ?? '', HOME: home, BROWSER: 'true' },
    cwd: home,
    stderr: 'pipe',
  });
  const asked = new Promise<string>((resolve) => {
    let text = '';
    transport.stderr?.on('data', (part: Buffer) => {
      text += part.toString('utf8');
      const [address] = /http\S+\/auth\/mcp\/authorize\S+(?=\s)/.exec(text) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
  return { transport, asked };
};
