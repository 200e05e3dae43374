/** Faults of the MCP of an organization. */
import type { Fault } from './mutant.ts';

const tests = (name: string) => [`server/test/organization-mcp/${name}.test.ts`];

export const organizationMcp: readonly Fault[] = [
  {
    rule: 'Each MCP endpoint accepts tokens of its own audience alone.',
    file: 'server/src/mcp/admission.ts',
    find: 'authenticate(token, [this.#deps.surface.audience]);',
    replace: "authenticate(token, ['mcp', 'mcp_organization']);",
    tests: tests('tokens'),
    command: 'npm test',
  },
  {
    rule: 'A tool of an organization runs only with scopes that were granted to the client.',
    file: 'server/src/mcp/organization-surface.ts',
    find: 'if (tool.requiredScopes.every((scope) => effective.has(scope))) return null;',
    replace: 'if (tool.requiredScopes.length + effective.size > 0) return null;',
    tests: tests('authority'),
    command: 'npm test',
  },
  {
    rule: 'A client that the policy of an organization refuses is answered nothing.',
    file: 'server/src/mcp/organization-surface.ts',
    find: 'return credential.isClientRefused ? clientRefused().message : null;',
    replace: 'return credential.id === clientRefused().message ? credential.id : null;',
    tests: tests('authority'),
    command: 'npm test',
  },
  {
    rule: 'An operation reads the policy for clients again in its transaction.',
    file: 'server/src/domain/access/authorize.ts',
    find: 'if (grant.isClientRefused) throw clientRefused();',
    replace: '',
    tests: tests('stale-actors'),
    command: 'npm test',
  },
  {
    rule: 'A new membership revives no grant of a former one.',
    file: 'server/src/domain/access/authorize.ts',
    find: 'if (grant === null || grant.membershipId !== actor.membership?.id) throw sessionOver();',
    replace: 'if (grant === null) throw sessionOver();',
    tests: tests('stale-actors'),
    command: 'npm test',
  },
  {
    rule: 'A client never removes the person that it acts for.',
    file: 'server/src/domain/memberships/manage-members.ts',
    find: 'if (isBound) throw ownRemovalRefused();',
    replace: 'if (isBound && own.organizationId === memberId) throw ownRemovalRefused();',
    tests: tests('built-in-tools'),
    command: 'npm test',
  },
  {
    rule: 'A change of an organization’s tool and its row are committed together.',
    file: 'server/src/mcp/organization-surface.ts',
    find: "noteAudit(transaction, auditIn(organizationId, 'success'));",
    replace: "transaction.afterCommit(() => void append('success'));",
    tests: tests('built-in-tools'),
    command: 'npm test',
  },
  {
    rule: 'A change of an adopter’s tool is recorded before it begins.',
    file: 'server/src/domain/organization-tools/adopted-tool.ts',
    find: 'await call.begin();',
    replace: 'await Promise.resolve(call.begin);',
    tests: tests('adopted-tools'),
    command: 'npm test',
  },
  {
    rule: 'Nothing of an error of an adopter’s tool reaches the client.',
    file: 'server/src/domain/organization-tools/adopted-tool.ts',
    find: 'throw new Error(`The tool ${name} of the application failed`, { cause: error });',
    replace: 'throw error;',
    tests: tests('adopted-tools'),
    command: 'npm test',
  },
  {
    rule: 'Objects within the arguments of an adopter’s tool are strict.',
    file: 'server/src/domain/organization-tools/read-tools.ts',
    find: 'if (!maps.has(keyword)) requireStrict(value, path);',
    replace: 'if (maps.has(path.join())) requireStrict(value, path);',
    tests: tests('definitions'),
    command: 'npm test',
  },
];
