/**
 * Owns the form of an address that names several hosts, which the driver does not read: that of libpq (PostgreSQL
 * manual, "Connection URIs" and "Specifying Multiple Hosts").
 */

interface Host {
  /** A name, an IP address, or the directory of a socket. */
  readonly name: string;
  readonly port: string;
}

interface Address {
  /** `postgres://user:password@`. */
  readonly head: string;
  /** All that follows the hosts, without the parameters that name them. */
  readonly tail: string;
  readonly hosts: readonly Host[];
}

const usualPort = '5432';
/** The parameters that this module reads. */
const own = ['host', 'port', 'target_session_attrs'];
/** The values that several hosts imply anyway: each session is with the primary. */
const attributes = ['read-write', 'primary'];

const form = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?(#.*)?$/s;

const partsOf = (text: string) => {
  const [, head = '', authority = '', path = '', query = '', hash = ''] = form.exec(text) ?? [];
  return { head, authority, path, parameters: new URLSearchParams(query), hash };
};

/** Null for an address of one host, which the driver reads by itself. */
const readSeveral = (text: string): Address | null => {
  const { head, authority, path, parameters, hash } = partsOf(text);
  const [names, ports] = [parameters.get('host'), parameters.get('port')];
  if (!`${names ?? authority}${ports ?? ''}`.includes(',')) return null;
  const hosts =
    names === null
      ? authority.split(',').map(ofAuthority)
      : names.split(',').map((name) => ofParameter(name, authority));
  const given = ports?.split(',') ?? hosts.map(({ port }) => port);
  const rest = new URLSearchParams([...parameters].filter(([name]) => !own.includes(name)));
  return {
    head,
    tail: `${path}${rest.size === 0 ? '' : `?${rest}`}${hash}`,
    // As libpq does, one port is for all hosts.
    hosts: hosts.map(({ name }, at) => ({ name, port: (given.length === 1 ? given[0] : given[at]) ?? '' })),
  };
};

const ofAuthority = (text: string): Host => {
  const [, name = '', port = usualPort] = /^(\[.*\]|[^:]*)(?::(.*))?$/s.exec(text) ?? [];
  return { name: name.replace(/^\[(.*)\]$/s, '$1').replaceAll(/%2f/gi, '/'), port };
};

const ofParameter = (name: string, authority: string): Host => ({
  name: name.replace(/^\[(.*)\]$/s, '$1'),
  port: ofAuthority(authority).port,
});

const isSocket = ({ name }: Host): boolean => name.startsWith('/');

/** The fault of the hosts, to follow the name of its variable, without anything of the address; or null. */
export const faultOfHosts = (text: string): string | null => {
  const { parameters } = partsOf(text);
  if (own.some((name) => parameters.getAll(name).length > 1))
    return `must give each of the parameters ${own.join(', ')} once: several hosts are one list with commas`;
  const attribute = parameters.get('target_session_attrs');
  if (attribute !== null && !attributes.includes(attribute))
    return `must have a target_session_attrs of ${attributes.join(' or ')}, or none: every session is with the primary`;
  const ports = parameters.get('port')?.split(',').length ?? 1;
  const address = readSeveral(text);
  return address === null ? null : faultOf(address, ports);
};

const faultOf = ({ hosts }: Address, ports: number): string | null => {
  if (ports !== 1 && ports !== hosts.length) return 'must have one port for all hosts, or as many ports as hosts';
  if (!hosts.every(({ port }) => /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    return 'must have each port as a number from 1 to 65535, and an IPv6 address in brackets';
  if (hosts.some(({ name }) => name === '')) return 'must have no empty host between its commas';
  if (!hosts.every((host) => isSocket(host) || /^[\w.:-]+$/.test(host.name)))
    return 'must have each of its hosts as a name in ASCII, an IP address or the directory of a socket';
  if (hosts.some(isSocket) && !hosts.every(isSocket))
    return 'must name either hosts or directories of sockets: sslmode is for all of them';
  const distinct = new Set(
    hosts.map(({ name, port }) => `${isSocket({ name, port }) ? name : name.toLowerCase()} ${port}`),
  );
  return distinct.size === hosts.length ? null : 'must name each host and port once';
};

/** One address for each host, as the driver reads it, in order. @param text without a fault of {@link faultOfHosts} */
export const addressesOf = (text: string): readonly string[] => {
  const address = readSeveral(text);
  if (address === null) return [text];
  const { head, tail, hosts } = address;
  return hosts.map((host) => {
    const { name, port } = host;
    if (!isSocket(host)) return `${head}${name.includes(':') ? `[${name}]` : name}:${port}${tail}`;
    return withParameters(`${head}localhost`, tail, { host: name, port });
  });
};

/**
 * As a URL by the WHATWG's rules, whose path and credentials can be replaced: several hosts are its parameters `host`
 * and `port`.
 * @param text in which {@link faultOfHosts} finds nothing
 */
export const asUrl = (text: string): string => {
  const address = readSeveral(text);
  if (address === null) return text;
  const { head, tail, hosts } = address;
  const listed = { host: hosts.map(({ name }) => name).join(','), port: hosts.map(({ port }) => port).join(',') };
  return withParameters(`${head}localhost`, tail, listed);
};

const withParameters = (start: string, tail: string, added: Readonly<Record<string, string>>): string => {
  const { path, parameters, hash } = partsOf(`//${tail}`);
  return `${start}${path}?${new URLSearchParams([...parameters, ...Object.entries(added)])}${hash}`;
};
