/** The client, once for the page. */
import { createClient } from '@gatehouse/client';

const { VITE_GATEHOUSE_URL: baseUrl = 'http://localhost:4000', VITE_GATEHOUSE_FRONTEND_URL: frontendUrl = baseUrl } =
  import.meta.env;

export const portalUrl = frontendUrl;
export const notesUrl = import.meta.env.VITE_NOTES_URL ?? 'http://localhost:3000';

export const gatehouse = createClient({ baseUrl, frontendUrl, origins: [notesUrl] });
