// Asks this container's own service, for images without a shell or curl: `node healthcheck.mjs /healthz`. It ends with
// 0 when the answer is 200.
const { HOST = '127.0.0.1', PORT = '4000' } = process.env;
// What listens on all of IPv6 answers here too, also where the container has no IPv6 loopback.
const address = ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST;
const host = address.includes(':') ? `[${address}]` : address;
const path = process.argv[2] ?? '/healthz';

try {
  const response = await fetch(`http://${host}:${PORT}${path}`, { signal: AbortSignal.timeout(2500) });
  process.exitCode = response.status === 200 ? 0 : 1;
} catch {
  process.exitCode = 1;
}
