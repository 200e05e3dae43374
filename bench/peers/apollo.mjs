/**
 * A common stack: Apollo Server on Express, an ORM over a pool of `pg`, sessions in a table, and a lookup by the
 * token's hash for each request.
 */
import { createHash } from 'node:crypto';
import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import express from 'express';
import { column, openSchema, people } from './database.mjs';

const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  email: text('email').notNull().unique(),
  name: text('name').notNull(),
});
const sessions = pgTable('sessions', {
  tokenHash: text('token_hash').primaryKey(),
  userId: uuid('user_id')
    .notNull()
    .references(() => users.id),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  revokedAt: timestamp('revoked_at', { withTimezone: true }),
});

const hashOf = (token) => createHash('sha256').update(token).digest('hex');

const pool = await openSchema('apollo');
await pool.query(`CREATE TABLE users (id uuid PRIMARY KEY, email text NOT NULL UNIQUE, name text NOT NULL);
  CREATE TABLE sessions (token_hash text PRIMARY KEY, user_id uuid NOT NULL REFERENCES users,
    expires_at timestamptz NOT NULL, revoked_at timestamptz)`);
await pool.query('INSERT INTO users SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])', [
  column('id'),
  column('email'),
  column('name'),
]);
await pool.query(
  `INSERT INTO sessions SELECT hash, id, now() + interval '7 days', NULL FROM unnest($1::text[], $2::uuid[]) AS p (hash, id)`,
  [people.map(({ token }) => hashOf(token)), column('id')],
);
await pool.query('ANALYZE');
const database = drizzle({ client: pool, schema: { users, sessions } });

const findPerson = async (token) => {
  const [row] = await database
    .select({ user: users, session: sessions })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, hashOf(token)));
  const isLive = row !== undefined && row.session.revokedAt === null && row.session.expiresAt > new Date();
  return isLive ? row.user : null;
};

const apollo = new ApolloServer({
  typeDefs: 'type User { id: ID! email: String! name: String! } type Query { me: User }',
  resolvers: { Query: { me: (_parent, _input, { user }) => user } },
});
await apollo.start();
const context = async ({ req }) => ({ user: await findPerson((req.headers.authorization ?? '').slice(7)) });
const app = express();
app.get('/healthz', (_request, response) => response.send('ok'));
app.use('/graphql', express.json(), expressMiddleware(apollo, { context }));
app.listen(Number(process.env.PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
