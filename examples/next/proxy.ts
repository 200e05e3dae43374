/**
 * Runs before pages (the middleware of Next.js before version 16): tells them their address. It decides nothing, since
 * each page and route asks who makes its request.
 */
import { type NextRequest, NextResponse } from 'next/server';
import { pageHeader } from './lib/page-header';

export const proxy = ({ headers, nextUrl: { pathname, search } }: NextRequest): NextResponse => {
  const forwarded = new Headers(headers);
  // Replaces what the client may have sent.
  forwarded.set(pageHeader, `${pathname}${search}`);
  return NextResponse.next({ request: { headers: forwarded } });
};

export const config = { matcher: '/((?!_next/|api/).*)' };
