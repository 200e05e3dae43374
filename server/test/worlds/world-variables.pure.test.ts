/** Where a world of `gatehouse/testing-support` may run, and which variables a test may give its service. */
import { describe, expect, it, vi } from 'vitest';
import { requireTestProcess, worldVariables } from '../../src/testing/world-variables.ts';

describe('A world', () => {
  it.each(['production', 'staging'])('refuses NODE_ENV=%s, and starts again without it', (mode) => {
    try {
      vi.stubEnv('NODE_ENV', mode);
      expect(requireTestProcess).toThrow(`A world is for tests and does not start with NODE_ENV=${mode}.`);
      vi.stubEnv('NODE_ENV', 'development');
      expect(requireTestProcess).not.toThrow();
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.each(['NODE_ENV', 'HOST', 'BASE_URL', 'DATABASE_URL', 'SMTP_URL'])('keeps %s to itself', (name) => {
    expect(() => worldVariables({ [name]: 'x' })).toThrow(`The environment of a world may not set ${name}.`);
  });
});
