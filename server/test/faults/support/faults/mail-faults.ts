/** Faults between the transaction that queues a mail and the worker that deletes it. */
import pg from 'pg';
import { attempt, until } from '../../../support/checks/concurrency.ts';
import { goodPassword, newAddress, operations } from '../../../support/clients/clients.ts';
import { urlOf } from '../../../support/database/database-template.ts';
import type { ServerProcess } from '../../../support/gatehouse/processes.ts';
import type { Site } from '../sites/site.ts';
import { type Reported, reportedBy } from '../verdicts/history.ts';

/** The address of the queued mail, and the fault: none; the commit fails; the commit waits while {@link hold} does. */
type Person = 'Test Person' | 'Undone Person' | 'Waiting Person';

const faults = [
  `CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$`,
  `CREATE CONSTRAINT TRIGGER undone_at_commit AFTER INSERT ON users DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW WHEN (NEW.name = 'Undone Person') EXECUTE FUNCTION undo()`,
  'CREATE TABLE gate (id integer PRIMARY KEY)',
  'INSERT INTO gate VALUES (1)',
  `CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN PERFORM 1 FROM gate FOR SHARE; RETURN NULL; END $$`,
  `CREATE TRIGGER wait_before_claim BEFORE UPDATE ON mail_outbox FOR EACH STATEMENT EXECUTE FUNCTION wait_at_gate()`,
  `CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON users DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW WHEN (NEW.name = 'Waiting Person') EXECUTE FUNCTION wait_at_gate()`,
];

export const installMailFaults = async ({ sql }: Site): Promise<void> => {
  for (const text of faults) await sql(text);
};

export const signUp = async (site: Site, { url }: ServerProcess, name: Person = 'Test Person'): Promise<Reported> => {
  const email = newAddress();
  const question = { name: 'sign-up', does: 'write', key: email } as const;
  const input = { email, name, password: goodPassword };
  return reportedBy(await site.history.ask(question, () => attempt(url, operations.signUp, { input })));
};

/** Lets time pass for every queued mail: its instants are columns. */
export const passForMails = async ({ sql }: Site, minutes: number): Promise<void> => {
  await sql(
    `UPDATE mail_outbox SET created_at = created_at - $1 * interval '1 minute',
       next_attempt_at = next_attempt_at - $1 * interval '1 minute'`,
    [minutes],
  );
};

export const mailsWaiting = async ({ sql }: Site): Promise<number> => (await sql('SELECT id FROM mail_outbox')).length;

export const untilNoMailWaits = (site: Site): Promise<void> =>
  until('every mail is sent', async () => (await mailsWaiting(site)) === 0);

export const untilDueMailsAreTaken = ({ sql }: Site): Promise<void> =>
  until('no mail is due', async () => {
    const due = await sql('SELECT 1 FROM mail_outbox WHERE next_attempt_at <= now() LIMIT 1');
    return due.length === 0;
  });

/** Runs `work` while no worker can claim a mail and no waiting transaction can commit; both then fail. */
export const hold = async ({ sql }: Site, work: () => Promise<void>): Promise<void> => {
  const [here] = await sql<{ name: string }>('SELECT current_database() AS name');
  const holder = new pg.Client({ connectionString: urlOf(process.env['TEST_DATABASE_URL'] ?? '', here?.name ?? '') });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT id FROM gate FOR UPDATE');
    await work();
    await sql(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waiting`);
  } finally {
    await holder.end();
  }
};

const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Waits until this many statements wait for {@link hold}. */
export const untilHeld = ({ sql }: Site, count: number): Promise<void> =>
  until('statements wait', async () => (await sql(waiting)).length >= count);
