import { GatehouseProvider } from '@gatehouse/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { gatehouse } from './gatehouse.ts';
import './style.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element root');
createRoot(root).render(
  <StrictMode>
    <GatehouseProvider client={gatehouse}>
      <App />
    </GatehouseProvider>
  </StrictMode>,
);
