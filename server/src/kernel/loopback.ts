/** Which hosts are this machine, whatever the network says. Pure. */

/** @param hostname as a URL writes it; names below `localhost` count too (RFC 6761, section 6.3) */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(hostname);
