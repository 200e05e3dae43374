/** Every field of every mutation: how to send it alone with an invalid value, and the answer. */
import { type GraphQLArgument, getNamedType, isInputObjectType, Kind, parse, visit } from 'graphql';
import { completeSchema } from '../../../src/graphql/schema.ts';
import { inviteByMail } from '../actors/invitations.ts';
import { newSuperAdmin } from '../actors/tenants.ts';
import { type Answer, bearer, newAddress, post, registerAndSignIn, type Variables } from '../clients/clients.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { bareDocumentOf, documentOf, inputOf, operationRows, rowOf } from '../operations/all-operations.ts';
import type { FieldRow, Target } from '../operations/operation-row.ts';

export interface Field extends Pick<FieldRow, 'takes' | 'frame' | 'answers'> {
  /** `mutation.field` */
  readonly name: string;
  readonly isRequired: boolean;
  send(target: Target, value: unknown): Promise<Answer>;
}

export const newTarget = async (service: Service): Promise<Target> => {
  const holder = await registerAndSignIn(service);
  const { token } = await inviteByMail(service, holder.tokens, newAddress());
  const superAdmin = await newSuperAdmin(service, ['sessions:revoke', 'invitations:manage', 'users:suspend']);
  return { url: service.url, holder, superAdmin: superAdmin.tokens, invitationToken: token };
};

/** Sends a mutation as a visitor if one may call it, else as an owner if they may, else as a super admin. */
export const send = (
  name: string,
  target: Target,
  variables: Variables,
  document = documentOf(name),
): Promise<Answer> => {
  const { url, holder, superAdmin } = target;
  const { callers } = rowOf(name);
  if (!callers.startsWith('U')) return post(url, document, variables);
  const isForSuperAdmins = callers[4] === 'F' && callers.endsWith('O');
  return post(url, document, variables, bearer(isForSuperAdmins ? superAdmin : holder.tokens));
};

/** Leaves below an argument: itself, or the fields of its input object. */
const leavesOf = ({ name, type }: Pick<GraphQLArgument, 'name' | 'type'>): readonly string[] => {
  const named = getNamedType(type);
  return isInputObjectType(named) ? Object.keys(named.getFields()) : [name];
};

const argumentsOf = (mutation: string): readonly GraphQLArgument[] =>
  completeSchema().getMutationType()?.getFields()[mutation]?.args ?? [];

/** The names of all fields of a mutation, of which each needs a row. */
export const fieldNamesOf = (mutation: string): readonly string[] => argumentsOf(mutation).flatMap(leavesOf);

/** The variable that a document passes for an argument. */
const variableOf = (document: string, argument: string): string => {
  const found: string[] = [];
  visit(parse(document), {
    Argument: ({ name, value }) => {
      if (name.value === argument && value.kind === Kind.VARIABLE) found.push(value.name.value);
    },
  });
  if (found[0] === undefined) throw new Error(`No variable for ${argument} in ${document}`);
  return found[0];
};

const fieldOf = (mutation: string, row: FieldRow): Field => {
  const document = row.document === 'bare' ? bareDocumentOf(mutation) : (row.document ?? documentOf(mutation));
  const argument = argumentsOf(mutation).find((each) => leavesOf(each).includes(row.name))?.name ?? row.name;
  const variable = variableOf(document, argument);
  const withValue = (variables: Variables, value: unknown): Variables => {
    if (argument === row.name) return { ...variables, [variable]: value };
    const { [variable]: others } = variables;
    return { ...variables, [variable]: { ...(typeof others === 'object' ? others : {}), [row.name]: value } };
  };
  return {
    ...row,
    name: `${mutation}.${row.name}`,
    isRequired: row.isOptional !== true,
    send: (target, value) => {
      const variables = row.base?.(target) ?? inputOf(mutation, 0);
      return send(mutation, target, withValue(variables, row.value?.(value) ?? value), document);
    },
  };
};

export const mutationFields: readonly Field[] = Object.entries(operationRows).flatMap(([mutation, { fields = [] }]) =>
  fields.map((row) => fieldOf(mutation, row)),
);
