/** Objects that the tests of a file or block share: started before the first, ended after the last. */
import { afterAll, beforeAll, onTestFinished } from 'vitest';

/** Tests hold a fixture from their collection on, long before it is started. */
const standInFor = <T extends object>(started: () => T): T =>
  // The target is empty: every trap that a test can reach reads the started object.
  new Proxy({} as T, {
    get: (_target, key): unknown => {
      const fixture = started();
      const value: unknown = Reflect.get(fixture, key);
      // The methods of a class may use private fields, which a proxy does not have.
      return typeof value === 'function' && !Object.hasOwn(fixture, key) ? value.bind(fixture) : value;
    },
    set: (_target, key, value) => Reflect.set(started(), key, value),
    defineProperty: (_target, key, property) => Reflect.defineProperty(started(), key, property),
    has: (_target, key) => key in started(),
    ownKeys: () => Reflect.ownKeys(started()),
    getOwnPropertyDescriptor: (_target, key) => {
      const property = Reflect.getOwnPropertyDescriptor(started(), key);
      return property && { ...property, configurable: true };
    },
  });

const isClosable = (fixture: object): fixture is { close(): unknown } =>
  'close' in fixture && typeof fixture.close === 'function';

const closeIfItCan = async (fixture: object): Promise<void> => {
  if (isClosable(fixture)) await fixture.close();
};

/**
 * Fixtures of one block start in the order of declaration, so that one may need another, and end in reverse.
 * @param start may read the fixtures above it; an array or a function cannot be a fixture
 * @param end by default calls `close` where there is one
 * @returns a proxy of the started object; its use before the first test throws
 */
export const fixture = <T extends object>(
  start: () => T | Promise<T>,
  end: (fixture: T) => unknown = closeIfItCan,
): T => {
  let held: T | null = null;
  beforeAll(async () => {
    held = await start();
  });
  afterAll(async () => {
    if (held !== null) await end(held);
  });
  return standInFor(() => {
    if (held === null) throw new Error('This fixture is not started');
    return held;
  });
};

/** A resource of one test: closed when the test ends in any way. */
export const testFixture = async <T extends object>(starting: T | Promise<T>): Promise<T> => {
  const started = await starting;
  onTestFinished(() => closeIfItCan(started));
  return started;
};
