/** The header of the README, in a page. */
import { GatehouseProvider } from '@gatehouse/react';
import { createRoot } from 'react-dom/client';
import { gatehouse } from '../../../examples/gatehouse.ts';
import { Header } from '../../../examples/header.tsx';

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <GatehouseProvider client={gatehouse}>
      <Header />
    </GatehouseProvider>,
  );
}
