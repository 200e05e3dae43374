/** Runs once before the suite: reports skipped tests of containers, and refuses to skip required ones. */
import { containersReason } from './servers/container-programs.ts';

export const setup = (): void => {
  const reason = containersReason();
  if (reason === null) return;
  if (process.env['TEST_REQUIRE_CONTAINERS'] === '1') {
    throw new Error(`${reason}, and TEST_REQUIRE_CONTAINERS=1 asks for them.`);
  }
  process.stderr.write(`${reason}: they are skipped.\n`);
};
