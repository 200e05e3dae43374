import { GatehouseProvider, RedirectToSignIn, SignedIn, SignedOut, useScope, useUser } from '@gatehouse/react';
import { gatehouse } from './gatehouse.ts';

export const App = () => (
  <GatehouseProvider client={gatehouse}>
    <SignedIn fallback={<p>One moment …</p>}>
      <Notes />
    </SignedIn>
    <SignedOut>
      <RedirectToSignIn />
    </SignedOut>
  </GatehouseProvider>
);

const Notes = () => {
  const user = useUser();
  const canWrite = useScope('notes:write');
  return (
    <main>
      <h1>Notes of {user?.name}</h1>
      {canWrite && <button type="button">New note</button>}
      <button type="button" onClick={() => gatehouse.signOut()}>
        Sign out
      </button>
    </main>
  );
};
