/** Owns which IP addresses are of the public internet, by IANA's registries of special-purpose addresses (RFC 6890). */
import { BlockList, isIP } from 'node:net';

/** IANA IPv4 Special-Purpose Address Registry, and multicast (RFC 5771). */
const specialIpv4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;

/**
 * The only IPv6 addresses that are assigned as global unicast (RFC 4291, section 2.4), without those that contain an
 * IPv4 address: mapped, compatible and NAT64 (RFC 6052, RFC 8215).
 */
const globalIpv6 = '2000::/3';

/** IANA IPv6 Special-Purpose Address Registry, within {@link globalIpv6}: Teredo and 6to4 among them. */
const specialIpv6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20';

const networks = (list: string, family: 'ipv4' | 'ipv6'): BlockList => {
  const listed = new BlockList();
  for (const network of list.split(/\s+/)) {
    const [address = '', prefix = ''] = network.split('/');
    listed.addSubnet(address, Number(prefix), family);
  }
  return listed;
};

const special = { ipv4: networks(specialIpv4, 'ipv4'), ipv6: networks(specialIpv6, 'ipv6') };
const global = networks(globalIpv6, 'ipv6');
const loopback = networks('127.0.0.0/8', 'ipv4');

/** @param address as of a resolver; one with a zone is of this machine's networks, other text is none */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address);
  if (family === 4) return !special.ipv4.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  return global.check(address, 'ipv6') && !special.ipv6.check(address, 'ipv6');
};

/** Whether an address is one of this machine alone. */
export const isLoopbackAddress = (address: string): boolean =>
  address === '::1' || (isIP(address) === 4 && loopback.check(address, 'ipv4'));
