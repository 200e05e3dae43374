import {
  GatehouseProvider,
  RedirectToSignIn,
  SignedIn,
  SignedOut,
  useScope,
  useSession,
  useUser,
} from '@gatehouse/react';
import { createRoot } from 'react-dom/client';
import { gatehouse } from './gatehouse.ts';

const App = () => (
  <GatehouseProvider client={gatehouse}>
    <SignedIn fallback={<Waiting />}>
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

/** The first question may fail: without a connection it is not known who is signed in. */
const Waiting = () => {
  const session = useSession();
  if (session.status !== 'loading' || session.error === undefined) return <p>One moment …</p>;
  return (
    <p>
      {session.error.message}{' '}
      <button type="button" onClick={() => gatehouse.session.open()}>
        Try again
      </button>
    </p>
  );
};

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);
