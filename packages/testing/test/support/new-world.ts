/** A world that is closed with its test. */
import { onTestFinished } from 'vitest';
import { createWorld, type World, type WorldOptions } from '../../src/index.ts';

export const newWorld = async (options?: WorldOptions): Promise<World> => {
  const world = await createWorld(options);
  onTestFinished(() => world.close());
  return world;
};
