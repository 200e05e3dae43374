/** What the tests of a file or of a describe block share: started before the first of them, ended after the last. */
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type Service, startService } from './gatehouse/gatehouse.ts';

/** Tests hold a fixture from the moment they are collected, long before it is started. */
const standInFor = <T extends object>(started: () => T): T =>
  // The target answers nothing itself: every trap that a test can reach asks what was started.
  new Proxy({} as T, {
    get: (_target, key): unknown => {
      const fixture = started();
      const value: unknown = Reflect.get(fixture, key);
      // The methods of a class may ask for private fields, which a proxy has not.
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
 * Fixtures of one block start in the order in which they are declared, so that one may need another, and end in
 * reverse.
 * @param start may read the fixtures above it; an array or a function cannot be a fixture
 * @param end closes what has a `close`, unless told otherwise
 * @returns what stands for the started object; its use before the first test throws
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

type Settings = Parameters<typeof startService>[0];
type Form = Parameters<typeof startService> extends [unknown?, ...infer Rest] ? Rest : never;

/** A service; @param settings a function where they need a fixture above */
export const serviceFixture = (settings?: Settings | (() => Settings), ...form: Form): Service =>
  fixture(() => startService(typeof settings === 'function' ? settings() : settings, ...form));

/** What one test alone needs: closed when the test is over, however that ends. */
export const testFixture = async <T extends object>(starting: T | Promise<T>): Promise<T> => {
  const started = await starting;
  onTestFinished(() => closeIfItCan(started));
  return started;
};
