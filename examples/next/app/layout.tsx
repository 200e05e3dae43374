import type { ReactNode } from 'react';
import { Header } from './header';
import { Session } from './session';
import './style.css';

export const metadata = { title: 'Field Notes' };

const Layout = ({ children }: { readonly children: ReactNode }) => (
  <html lang="en">
    <body>
      <Session>
        <Header />
        <main>{children}</main>
      </Session>
    </body>
  </html>
);

export default Layout;
