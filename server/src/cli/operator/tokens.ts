/** `gatehouse tokens list` and `gatehouse tokens revoke`: the tokens of machines of every organization. */
import { revokeTokensByOperator } from '../../domain/machine-tokens/end-token.ts';
import { listTokensByOperator, mostListed } from '../../domain/machine-tokens/list-tokens.ts';
import type { MachineTokenRow, MachineTokenStatus } from '../../domain/machine-tokens/tokens-store.ts';
import { findOwnerOfAddress } from '../../domain/users/accounts-store.ts';
import { normalizeEmail } from '../../domain/users/text-rules.ts';
import { isId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { CommandFailed } from '../exit.ts';
import { loadConfig, quietLogger, withUnchanged } from '../open.ts';
import { counted, type JsonOption, print } from '../output.ts';

/** Options of `gatehouse tokens list`. */
export interface ListOptions extends JsonOption {
  readonly organization?: string;
  readonly person?: string;
  readonly status?: MachineTokenStatus;
}

/** @throws CommandFailed when the id is none, or no account has the address */
export const runListTokens = ({ organization, person, status, ...options }: ListOptions): Promise<void> =>
  withUnchanged(loadConfig(), quietLogger(), async (database) => {
    if (organization !== undefined && !isId(organization)) throw noId(organization);
    const userId = person === undefined ? null : await idOfPerson(database, person);
    const filter = { organizationId: organization ?? null, userId, status: status ?? null };
    const tokens = await listTokensByOperator(database, filter);
    print(options, { tokens: tokens.map(factsOf) }, asTable(tokens));
  });

/** @throws CommandFailed, with nothing changed, when an id is none, or there is no such token */
export const runRevokeTokens = (ids: readonly string[], options: JsonOption): Promise<void> => {
  // Its lines of what the operator did go to standard error.
  const logger = quietLogger();
  return withUnchanged(loadConfig(), logger, async (database) => {
    for (const id of ids) if (!isId(id)) throw noId(id);
    const result = await revokeTokensByOperator({ database, logger }, [...new Set(ids)]);
    if ('unknownId' in result) {
      throw new CommandFailed(`There is no token ${result.unknownId}; nothing was changed.`);
    }
    const { ended } = result;
    const lines = ended.map(({ tokenId, revokedCredentials: count }) =>
      count === 0 ? `${tokenId} had ended before.` : `${tokenId} is revoked: ${counted(count, 'secret')} ended.`,
    );
    print(options, { tokens: ended }, lines.join('\n'));
  });
};

const noId = (text: string): CommandFailed => new CommandFailed(`${text} is no id; nothing was changed.`);

const idOfPerson = async (database: Database, typed: string): Promise<string> => {
  const found = await database.maybeOne(findOwnerOfAddress, [normalizeEmail(typed)]);
  if (found === null) throw new CommandFailed(`No account has the address ${typed}.`);
  return found.id;
};

const factsOf = (token: MachineTokenRow) => ({
  id: token.id,
  kind: kindOf(token),
  name: token.name,
  organizationId: token.organizationId,
  organization: token.organizationName,
  owner: token.userEmail,
  serviceAccountId: token.serviceAccountId,
  scopes: token.scopes,
  status: token.status,
  createdAt: token.createdAt,
  expiresAt: token.expiresAt,
  lastUsedAt: token.lastUsedAt,
});

const kindOf = ({ userId }: MachineTokenRow): 'PERSONAL' | 'SERVICE' => (userId === null ? 'SERVICE' : 'PERSONAL');

const heads = ['ID', 'KIND', 'NAME', 'ORGANIZATION', 'OWNER', 'STATUS', 'EXPIRES', 'LAST USED'];

const asTable = (tokens: readonly MachineTokenRow[]): string => {
  if (tokens.length === 0) return 'There are no such tokens.\n';
  const rows = [heads, ...tokens.map(cellsOf)];
  const widths = heads.map((_head, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const cut =
    tokens.length < mostListed ? '' : `These are the newest ${mostListed}: name an organization or a person.\n`;
  return `${lines.join('\n')}\n${cut}`;
};

const cellsOf = (token: MachineTokenRow): readonly string[] => [
  token.id,
  kindOf(token),
  token.name,
  token.organizationName,
  token.userEmail ?? '-',
  token.status,
  token.expiresAt.toISOString(),
  token.lastUsedAt?.toISOString() ?? 'never',
];
