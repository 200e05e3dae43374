/** What a visitor sees, and what a signed-in person sees. */
import { SignedIn, SignedOut, useOrganization, useSession, useUser } from '@gatehouse/react';
import { gatehouse, portalUrl } from './gatehouse.ts';
import { Notes } from './notes.tsx';

export const App = () => (
  <>
    <SignedOut>
      <main>
        <h1>Field Notes</h1>
        <p>Notes for your whole organization.</p>
        <a className="button" href={gatehouse.signInUrl()}>
          Sign in
        </a>{' '}
        <a href={gatehouse.signUpUrl()}>Create an account</a>
      </main>
    </SignedOut>
    <SignedIn fallback={<Waiting />}>
      <Header />
      <OrganizationNotes />
    </SignedIn>
  </>
);

const OrganizationNotes = () => {
  const organization = useOrganization();
  return (
    <main>
      <h1>{organization?.name ?? 'No organization'}</h1>
      {/* Notes of another organization are another list. */}
      {organization ? <Notes key={organization.id} /> : <a href={portalUrl}>Create an organization</a>}
    </main>
  );
};

const Header = () => {
  const user = useUser();
  const active = useOrganization();
  return (
    <header>
      <select
        aria-label="Organization"
        value={active?.id}
        onChange={(event) => gatehouse.switchOrganization(event.target.value)}
      >
        {user?.memberships.map(({ organization: { id, name } }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <span>{user?.name}</span>
      <button type="button" onClick={() => gatehouse.signOut()}>
        Sign out
      </button>
    </header>
  );
};

/** Whether a user is signed in is not known: the answer is on its way, or there was none. */
const Waiting = () => {
  const session = useSession();
  if (session.status !== 'loading' || session.error === undefined) return null;
  return (
    <main>
      <p role="alert">{session.error.message}</p>
      <button type="button" onClick={() => gatehouse.session.open()}>
        Try again
      </button>
    </main>
  );
};
