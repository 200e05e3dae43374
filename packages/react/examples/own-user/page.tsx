/** The types of hooks follow the client that `Register` names. */
import { GatehouseProvider, useUser } from '@gatehouse/react';
import { gatehouse } from './gatehouse.ts';

const Password = () => {
  const user = useUser();
  // @ts-expect-error The fragment does not ask for it.
  const email: unknown = user?.email;
  return <p>{email === undefined && user?.hasPassword === true && 'You have a password.'}</p>;
};

export const Page = () => (
  <GatehouseProvider client={gatehouse}>
    <Password />
  </GatehouseProvider>
);
