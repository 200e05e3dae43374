/** Runs once before the suite: reports skipped tests of reverse proxies, and refuses to skip required ones. */
import { areProxiesRequired, reverseProxies } from './servers/reverse-proxies.ts';

export const setup = (): void => {
  for (const { name, path } of reverseProxies) {
    if (path !== null) continue;
    const message = `No ${name} found in PATH`;
    if (areProxiesRequired()) throw new Error(`${message}, and TEST_REQUIRE_PROXIES=1 asks for its tests`);
    process.stderr.write(
      `${message}: its tests in server/test/processes/running/reverse-proxies.test.ts are skipped.\n`,
    );
  }
};
