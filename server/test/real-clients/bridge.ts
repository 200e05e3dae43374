/** `mcp-remote` as an application starts it: the bridge of applications that know only stdio to a remote server. */
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { newDirectory } from '../support/database/databases.ts';
import { freePort } from '../support/servers/listen.ts';
import { programs } from './commands.ts';

export interface Bridge {
  readonly transport: StdioClientTransport;
  /** The next URL that it opens in a browser, once it listens for the redirect; each is answered once. */
  readonly asked: () => Promise<string>;
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
  let [text, taken] = ['', 0];
  let look = (): void => undefined;
  transport.stderr?.on('data', (part: Buffer) => {
    text += part.toString('utf8');
    look();
  });
  const asked: Bridge['asked'] = () =>
    new Promise((resolve) => {
      look = () => {
        const address = text.match(/http\S+\/auth\/mcp\/authorize\S+(?=\s)/g)?.[taken];
        const listening = text.match(/callback server running/g)?.[taken];
        if (address === undefined || listening === undefined) return;
        taken += 1;
        look = () => undefined;
        resolve(address);
      };
      look();
    });
  return { transport, asked };
};
