'use client';

/** The session for client components. Server components below it stay what they are. */
import { GatehouseProvider } from '@gatehouse/react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect } from 'react';
import { gatehouse } from '../lib/gatehouse';

export const Session = ({ children }: { readonly children: ReactNode }) => {
  const router = useRouter();
  // What the server has rendered for another session is stale.
  useEffect(() => {
    const stops = (['signedIn', 'signedOut', 'switched', 'expired'] as const).map((event) =>
      gatehouse.session.on(event, () => router.refresh()),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [router]);
  return <GatehouseProvider client={gatehouse}>{children}</GatehouseProvider>;
};
