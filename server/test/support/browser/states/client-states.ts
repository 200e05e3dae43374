/**
 * The pages of connected clients in every state with a different look: see page-states.ts. Lists are invented answers.
 */
import type { Page } from 'playwright-core';
import { answerInstead, button, field } from '../browser.ts';
import { answering, idOf, inDays, listing } from '../invented-answers.ts';
import { defect, type Show } from './page-states.ts';

/** A connected client as the API returns it. */
const client = (number: number, facts: Readonly<Record<string, unknown>> = {}) => ({
  id: idOf(number),
  clientId: idOf(500 + number),
  clientName: `Assistant ${number}`,
  metadataUrl: null,
  redirectHost: 'assistant.example.com',
  resource: 'https://accounts.example.com/mcp/organization',
  scopes: ['MEMBERS_VIEW', 'MEMBERS_INVITE'],
  organizationName: 'An organization with quite a long name for a narrow screen',
  userEmail: 'a.person.with.a.long.name@example.com',
  connectedAt: inDays(-20),
  expiresAt: inDays(10),
  lastUsedAt: inDays(-2),
  ...facts,
});

const documentUrl = 'https://assistant.example.com/.well-known/oauth-client/metadata-of-a-long-name.json';

const clients = [
  client(1),
  client(2, { redirectHost: '127.0.0.1', lastUsedAt: null }),
  client(3, {
    redirectHost: 'cursor://anysphere.cursor-retrieval',
    clientId: documentUrl,
    metadataUrl: documentUrl,
    resource: 'https://notes.example.com/a/resource/of/the/application/mcp',
    scopes: ['MEMBERS_VIEW'],
  }),
];

const listed = (nodes: readonly unknown[], totalCount?: number) => listing('connectedClients', nodes, totalCount);

const openOwn = async (page: Page): Promise<void> => {
  await page.goto('/account/clients');
  await page.getByRole('heading', { level: 1, name: 'Connected clients' }).waitFor();
};

const openOfOrganization = async (page: Page): Promise<void> => {
  await page.goto('/organization/clients');
  await page.getByRole('heading', { level: 2, name: 'Policy for clients' }).waitFor();
};

export const clientStates: Readonly<Record<string, Show>> = {
  'connected clients, none': async (page) => {
    await openOwn(page);
    await page.getByText('You have connected no client.').waitFor();
  },
  'connected clients': async (page) => {
    const restore = await answerInstead(page, 'FetchConnectedClients', listed(clients));
    await openOwn(page);
    await page.getByText('3 connections').waitFor();
    await restore();
  },
  'connected clients unavailable': async (page) => {
    const restore = await answerInstead(page, 'FetchConnectedClients', defect);
    await openOwn(page);
    await page.getByText('Reference: a1b2c3').waitFor();
    await restore();
  },
  'end a connection?': async (page) => {
    const restore = await answerInstead(page, 'FetchConnectedClients', listed(clients.slice(0, 1)));
    await openOwn(page);
    await button(page, 'End the connection of Assistant 1 by assistant.example.com').click();
    await page.getByRole('alertdialog').waitFor();
    await restore();
  },
  'connected clients of the organization, and a policy with a loopback host': async (page) => {
    const policy = { clients: 'LISTED', clientIds: [], redirectHosts: ['assistant.example.com', 'localhost'] };
    const restore = await answerInstead(page, 'FetchConnectedClients', listed(clients, 40));
    const restorePolicy = await answerInstead(page, 'FetchMcpPolicy', answering({ mcpPolicy: policy }));
    await openOfOrganization(page);
    await page.getByText('3 of 40 shown').waitFor();
    await page.getByText('lets in every program').waitFor();
    await restore();
    await restorePolicy();
  },
  'connected clients of the organization, none, and a policy with problems': async (page) => {
    await openOfOrganization(page);
    await page.getByText('No member has connected a client.').waitFor();
    await page.getByRole('radio', { name: 'Listed ones' }).check();
    await field(page, 'Client IDs').fill('an assistant');
    await field(page, 'Hosts').fill('https://assistant.example.com');
    await button(page, 'Save policy').click();
    await page.getByText('Write each client as its id').waitFor();
    await page.getByText('Write each host as in the redirect URI').waitFor();
  },
};
