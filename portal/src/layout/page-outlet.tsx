/** The place of a page, or of a layout, within the layout above it. */
import { Outlet, useChildMatches } from '@tanstack/react-router';

/**
 * The router's Outlet, mounted anew for each route. Without the key it renders the next route in the boundaries of the
 * one before. While the next one is loading, Preact keeps the page before alive, hidden in there, and that page fails
 * for want of its route.
 */
export const PageOutlet = () => <Outlet key={useChildMatches({ select: ([child]) => child?.routeId })} />;
