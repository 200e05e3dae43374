/** `gatehouse verify-audit`: verifies that the audit record of MCP tool calls is unchanged. Changes nothing itself. */
import { InvalidArgumentError } from 'commander';
import { type KnownPosition, problemsInWords, type Verification } from '../domain/audit/verify-chain.ts';
import { verifyToolAudits } from '../domain/audit/verify-tool-audits.ts';
import { CommandFailed } from './exit.ts';
import { loadConfigReadOnly, openUnchanged, quietLogger } from './open.ts';

interface VerifyAuditOptions {
  readonly json?: true;
  readonly expect?: KnownPosition;
}

/**
 * Reads `POSITION:HASH` as the command prints it.
 * @throws InvalidArgumentError on a usage error
 */
export const readKnownPosition = (text: string): KnownPosition => {
  const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (position === undefined || hash === undefined)
    throw new InvalidArgumentError('It is a position and a hash of 64 hex digits, as POSITION:HASH.');
  return { position: Number(position), hash: hash.toLowerCase() };
};

/** @throws CommandFailed naming the first row that does not match, or when there is no record to verify */
export const runVerifyAudit = async ({ json, expect }: VerifyAuditOptions): Promise<void> => {
  const database = await openUnchanged(loadConfigReadOnly(), quietLogger());
  try {
    const verification = await verifyToolAudits(database, expect);
    if (json === true) process.stdout.write(`${JSON.stringify(verification)}\n`);
    if (!verification.isSound) throw new CommandFailed(inWords(verification));
    if (json !== true) process.stdout.write(`${inWords(verification)}\n`);
  } finally {
    await database.close();
  }
};

const inWords = (verification: Verification): string => {
  if (!verification.isSound) {
    const { position, id, problem } = verification;
    return `Row ${position}${id === null ? '' : ` (${id})`} ${problemsInWords[problem]}.`;
  }
  const { count, lastPosition, lastHash } = verification;
  return (
    `The record of tool calls is intact: ${count} ${count === 1 ? 'row' : 'rows'}. ` +
    `To detect later that rows at its end are missing, keep this value: ${lastPosition}:${lastHash}`
  );
};
