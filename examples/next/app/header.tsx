'use client';

import { SignedIn, SignedOut, useUser } from '@gatehouse/react';
import Link from 'next/link';
import { gatehouse } from '../lib/gatehouse';

export const Header = () => (
  <header>
    <Link href="/">Field Notes</Link>
    <SignedIn>
      <Person />
    </SignedIn>
    <SignedOut>
      {/* The portal leads back to this page. */}
      <button type="button" onClick={() => location.assign(gatehouse.signInUrl())}>
        Sign in
      </button>
    </SignedOut>
  </header>
);

const Person = () => (
  <>
    <span>{useUser()?.name}</span>
    <button type="button" onClick={() => gatehouse.signOut()}>
      Sign out
    </button>
  </>
);
