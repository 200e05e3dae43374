/** The service that the tests of a file or block share. */
import { fixture } from '../fixture.ts';
import { type Service, startService } from './gatehouse.ts';

type Settings = Parameters<typeof startService>[0];
type Form = Parameters<typeof startService> extends [unknown?, ...infer Rest] ? Rest : never;

/** A service; @param settings a function where they need a fixture above */
export const serviceFixture = (settings?: Settings | (() => Settings), ...form: Form): Service =>
  fixture(() => startService(typeof settings === 'function' ? settings() : settings, ...form));
