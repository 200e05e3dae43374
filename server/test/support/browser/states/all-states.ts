/** Every state of every page, by who sees it: what the tests of states examine and the gallery photographs. */
import { clientStates } from './client-states.ts';
import { personConsentStates, visitorConsentStates } from './consent-states.ts';
import { consoleStates } from './console-states.ts';
import { mcpStates } from './mcp-states.ts';
import { personStates, type Show, visitorStates } from './page-states.ts';
import { providerPersonStates, providerVisitorStates } from './provider-states.ts';
import { superAdminStates } from './super-admin-states.ts';
import { tokenStates } from './token-states.ts';

export type Audience = 'visitor' | 'person' | 'super-admin';

export const states: Readonly<Record<Audience, Readonly<Record<string, Show>>>> = {
  visitor: { ...visitorStates, ...providerVisitorStates, ...visitorConsentStates },
  person: { ...personStates, ...providerPersonStates, ...personConsentStates, ...tokenStates, ...clientStates },
  'super-admin': { ...superAdminStates, ...consoleStates, ...mcpStates },
};
