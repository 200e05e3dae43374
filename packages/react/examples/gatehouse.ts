import { createClient } from '@gatehouse/client';

export const gatehouse = createClient({
  baseUrl: 'https://id.acme.example', // BASE_URL of Gatehouse
  origins: ['https://api.acme.example'], // back ends of yours that read the session's cookies
});
