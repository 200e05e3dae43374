/**
 * Owns: the commands of `gatehouse`, their options, output and exit codes.
 * Promises: A command that cannot do its work says why in one sentence and exits with a code of its own.
 */
import cluster from 'node:cluster';
import { text } from 'node:stream/consumers';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { ConfigRefused, optionalPartsOf } from '../config/config.ts';
import { createSuperAdmin, generatedPassword } from '../domain/accounts/create-account.ts';
import { platformScopes } from '../domain/scopes/scopes.ts';
import type { AddedParts } from '../gatehouse.d.ts';
import { grantServing } from '../platform/database/serving/serving-role.ts';
import { createPasswordHasher } from '../platform/passwords/password-hasher.ts';
import { runUpkeep } from './clean-up.ts';
import { reportAsText } from './doctor/findings.ts';
import { eventDocs } from './event-docs.ts';
import { CommandFailed, exitCodes, explain } from './exit.ts';
import { installedVersion } from './installation.ts';
import { loadConfig, loadConfigReadOnly, quietLogger, withMigrated } from './open.ts';
import { addOperatorCommands } from './operator/operator-commands.ts';
import { addTokens } from './operator/token-commands.ts';
import { counted, type JsonOption, print, write } from './output.ts';
import { configAsText, configDocs, shownConfig } from './print-config.ts';
import { endBy } from './signals.ts';
import { addKnownPosition, runVerifyAudit } from './verify-audit.ts';

interface MigrateOptions extends JsonOption {
  readonly grantTo?: string;
}

const runMigrate = async ({ grantTo, ...options }: MigrateOptions): Promise<void> => {
  const config = loadConfig();
  if (grantTo !== undefined && config.databaseUrl === undefined) {
    throw new CommandFailed('--grant-to needs PostgreSQL: the embedded database has one role. Set DATABASE_URL.');
  }
  const result = await withMigrated(config, quietLogger(), async (database, migrated) => {
    if (grantTo !== undefined) await grantServing(database, grantTo);
    return migrated;
  });
  const applied = result.applied.length === 0 ? 'Nothing to apply' : `Applied ${result.applied.join(', ')}`;
  const granted = grantTo === undefined ? '' : ` The role ${grantTo} can run the service.`;
  const facts = { ...result, ...(grantTo === undefined ? {} : { grantedTo: grantTo }) };
  print(options, facts, `${applied}; the database is at version ${result.version}.${granted}`);
};

interface SuperAdminOptions extends JsonOption {
  readonly email: string;
  readonly passwordStdin?: true;
  readonly scopes?: string;
}

const runCreateSuperAdmin = async (options: SuperAdminOptions): Promise<void> => {
  const { email, passwordStdin, scopes } = options;
  const config = loadConfig();
  const given = passwordStdin === true ? (await text(process.stdin)).replace(/\r?\n$/, '') : null;
  const password = given ?? generatedPassword();
  const chosen = scopes?.split(',').map((scope) => scope.trim()) ?? platformScopes;
  const passwords = createPasswordHasher(config.saltRounds);
  const logger = quietLogger();
  await withMigrated(config, logger, async (database) => {
    try {
      const deps = { database, logger, passwords, settings: config };
      const isNew = await createSuperAdmin(deps, { email, password, scopes: chosen });
      if (!isNew) throw new CommandFailed('An account with this address already exists; nothing was changed.');
      // Printed before anything else can fail or a signal can end the process: the password is stored nowhere else.
      const shown = given === null ? { password } : {};
      const sentence = given === null ? ` The password, shown this once: ${password}` : '';
      print(options, { email, scopes: chosen, ...shown }, `Created the super admin ${email}.${sentence}`);
    } finally {
      await passwords.close();
    }
  });
};

const runCheckApplication = async (file: string | undefined, options: JsonOption): Promise<void> => {
  const { applicationAsText, applicationAsData, loadApplication } = await import('./application.ts');
  const config = loadConfigReadOnly();
  const asked = file === undefined ? config : { ...config, applicationFile: file };
  try {
    const application = (await loadApplication(asked)).serving(optionalPartsOf(config));
    print(options, applicationAsData(application), applicationAsText(application));
  } catch (error) {
    // A start would end with 78; here the fault is the result of the check.
    if (error instanceof ConfigRefused) throw new CommandFailed(error.problems.join('\n'));
    throw error;
  }
};

const runMoveRole = async (from: string, to: string, options: JsonOption): Promise<void> => {
  const { loadApplication, moveMembers } = await import('./application.ts');
  const application = await loadApplication(loadConfigReadOnly());
  const config = loadConfig({ isQuiet: true });
  await withMigrated(config, quietLogger(), async (database) => {
    const moved = await moveMembers(database, application, { from, to });
    const have = counted(moved, 'member or invitation has', 'members and invitations have');
    print(options, { from, to, moved }, `${have} the role ${to} instead of ${from}.`);
  });
};

const runPrintConfig = (options: JsonOption): void => {
  const config = loadConfigReadOnly();
  print(options, shownConfig(config), configAsText(config));
};

/** The doctor found an error and has reported it. */
class FaultsFound extends Error {}

const runDoctor = async (options: JsonOption): Promise<void> => {
  // Loaded on demand: it imports the mail library, which no other command needs.
  const { examine } = await import('./doctor/doctor.ts');
  const report = await examine(process.env);
  const isColoured = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === '';
  print(options, report, reportAsText(report, isColoured));
  if (!report.ok) throw new FaultsFound();
};

/** Runs in each worker too, which serves nothing of what is added. */
const runServe = async (added: AddedParts, { workers }: { readonly workers: number }): Promise<void> => {
  // Nothing has been acknowledged before the service is up, so a signal may end the process at once.
  endBy(() => process.exit(exitCodes.ok));
  if (workers === 1) return (await import('./serve.ts')).serve(added);
  if (cluster.isPrimary) return (await import('./workers/supervisor.ts')).supervise(workers);
  return (await import('./workers/worker.ts')).serveAsWorker(workers);
};

const maxWorkers = 64;

const readWorkerCount = (text: string): number => {
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= maxWorkers) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxWorkers}.`);
};

const addServe = (program: Command, added: AddedParts): void => {
  program
    .command('serve')
    .description('Run the service: migrate, listen, and drain on SIGTERM.')
    .addOption(
      new Option('--workers <count>', 'number of processes that share the port, each with its own connection pool')
        .argParser(readWorkerCount)
        .default(1),
    )
    // Loaded on demand: the other commands start without the HTTP server.
    .action(runServe.bind(null, added));
};

/** Commands that change the database. */
const addSetUp = (program: Command): void => {
  program
    .command('migrate')
    .description('Bring the database to the version of this build.')
    .option('--grant-to <role>', 'grant this PostgreSQL role only the rights that the service needs')
    .option('--json', 'print the result as JSON')
    .action(runMigrate);
  program
    .command('create-super-admin')
    .description('Create a verified super admin; an existing account is never changed.')
    .requiredOption('--email <address>', 'sign-in address')
    .option('--password-stdin', 'read the password from standard input instead of generating one')
    .option('--scopes <list>', 'comma-separated platform scopes (default: all of them)')
    .option('--json', 'print the result as JSON')
    .action(runCreateSuperAdmin);
};

/** Commands about a running instance and its configuration. */
const addChecks = (program: Command): void => {
  program
    .command('doctor')
    .description('Check configuration, database, mail and the view of clients, and say how to fix each problem.')
    .option('--json', 'print findings as JSON')
    .action(runDoctor);
  program
    .command('check-application')
    .argument('[file]', 'the file of the definition (default: APPLICATION_FILE)')
    .description('Check the definition of the application, and print what each role may do under each product.')
    .option('--json', 'print the result as JSON')
    .action(runCheckApplication);
  program
    .command('move-role')
    .arguments('<old> <new>')
    .description('Give all members and invitations with one role another one.')
    .option('--json', 'print the result as JSON')
    .action(runMoveRole);
  program
    .command('print-config')
    .description('Print the effective configuration of this environment, with secrets hidden.')
    .option('--json', 'print the result as JSON')
    .action(runPrintConfig);
  program
    .command('verify-audit')
    .description('Verify the records of MCP tool calls and of organizations: no row was changed, deleted or inserted.')
    .option(
      '--expect <position:hash>',
      'a position and hash that an earlier run printed, after the id of an organization for its audit; it must still exist; repeatable',
      addKnownPosition,
    )
    .option('--json', 'print the result as JSON')
    .action(runVerifyAudit);
  program
    .command('upkeep')
    .description('Delete expired rows now, as the service does on its schedule, and print how many.')
    .option('--json', 'print the result as JSON')
    .action(runUpkeep);
};

/** Hidden commands that print what `npm run docs:print` and `schema:print` write. */
const addPrints = (program: Command): void => {
  program
    .command('print-schema', { hidden: true })
    .description('Print the GraphQL schema.')
    .action(async () => write((await import('../app.ts')).printedSchema()));
  program
    .command('print-application-schema', { hidden: true })
    .description('Print the JSON Schema of the definition of an application.')
    .action(async () => {
      const { definitionJsonSchema } = await import('../domain/scopes/definition-schema.ts');
      write(`${JSON.stringify(definitionJsonSchema(), null, 2)}\n`);
    });
  program
    .command('print-config-docs', { hidden: true })
    .description('Print the documentation of the configuration.')
    .addOption(new Option('--format <format>').choices(['env', 'markdown']).makeOptionMandatory())
    .action(({ format }: { format: 'env' | 'markdown' }) => write(configDocs(format)));
  program
    .command('print-event-docs', { hidden: true })
    .description('Print the documentation of the log events.')
    .action(() => write(eventDocs()));
};

/** The whole command line, before it reads arguments. */
export const buildProgram = (added: AddedParts = {}): Command => {
  const program = new Command('gatehouse')
    .description('Self-hosted identity, sessions and tenancy for multi-tenant web applications.')
    .version(installedVersion())
    .exitOverride()
    .showHelpAfterError('Run it with --help to see its options.');
  addServe(program, added);
  addSetUp(program);
  addOperatorCommands(program);
  addTokens(program);
  addChecks(program);
  addPrints(program);
  return program;
};

/**
 * @param argv as in process.argv
 * @param added served by `serve`, as `startGatehouse` takes it
 * @returns the exit code; for `serve` as soon as it listens, for an end without a signal
 */
export const run = async (argv: readonly string[], added: AddedParts = {}): Promise<number> => {
  try {
    await buildProgram(added).parseAsync([...argv]);
    return exitCodes.ok;
  } catch (error) {
    if (error instanceof FaultsFound) return exitCodes.failed;
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    return explain(error, (message) => process.stderr.write(message));
  }
};
