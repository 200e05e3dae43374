import { SignedIn, SignedOut, useOrganization, useUser } from '@gatehouse/react';
import { gatehouse } from './gatehouse.ts';

/** A header for a page that everyone may read. */
export const Header = () => (
  <header>
    <SignedIn>
      <Organizations />
    </SignedIn>
    <SignedOut>
      <a href={gatehouse.signInUrl()}>Sign in</a> or <a href={gatehouse.signUpUrl()}>create an account</a>
    </SignedOut>
  </header>
);

const Organizations = () => {
  const user = useUser();
  const active = useOrganization();
  return (
    <select
      aria-label="Organization"
      value={active?.id}
      onChange={(event) => gatehouse.switchOrganization(event.target.value)}
    >
      {user?.memberships.map(({ organization }) => (
        <option key={organization.id} value={organization.id}>
          {organization.name}
        </option>
      ))}
    </select>
  );
};
