/**
 * Better Auth on PostgreSQL as its documentation configures it for bearers: `GET /api/auth/get-session` reads the
 * database every time, because the cookie cache of a session is off by default.
 */
import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { bearer } from 'better-auth/plugins/bearer';
import { column, openSchema } from './database.mjs';

const pool = await openSchema('better_auth');
const options = {
  appName: 'bench',
  baseURL: `http://127.0.0.1:${process.env.PORT}`,
  secret: process.env.BETTER_AUTH_SECRET,
  database: pool,
  plugins: [bearer()],
  // The service under test does not limit `me` either.
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
};
const { runMigrations } = await getMigrations(options);
await runMigrations();
await pool.query(
  `INSERT INTO "user" (id, name, email, "emailVerified", "createdAt", "updatedAt")
   SELECT id, name, email, true, now(), now() FROM unnest($1::text[], $2::text[], $3::text[]) AS p (id, name, email)`,
  [column('id'), column('name'), column('email')],
);
await pool.query(
  `INSERT INTO session (id, token, "userId", "expiresAt", "createdAt", "updatedAt", "ipAddress", "userAgent")
   SELECT 's' || id, token, id, now() + interval '7 days', now(), now(), '192.0.2.1', 'bench'
   FROM unnest($1::text[], $2::text[]) AS p (id, token)`,
  [column('id'), column('token')],
);
await pool.query('ANALYZE');

const answer = toNodeHandler(betterAuth(options));
createServer((request, response) => {
  if (request.url === '/healthz') response.end('ok');
  else answer(request, response).catch(console.error);
}).listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
