import { type BaseUser, createClient, type TypedDocument } from '@gatehouse/client';

/** Fields of the user that this application asks for, and their types. */
interface Person extends BaseUser {
  readonly name: string;
  readonly hasPassword: boolean;
}

const fragment: TypedDocument<Person, unknown> = `fragment Person on User {
  id name hasPassword
  currentMembership { id role scopes organization { id name } }
}`;

export const gatehouse = createClient({ baseUrl: 'https://id.acme.example', fragment });

declare module '@gatehouse/react' {
  interface Register {
    client: typeof gatehouse;
  }
}
