/** Bundles the package without React and the client, and fails when it exceeds its budget on top of the client. */
import { checkBudget } from '../../../scripts/package-budget.ts';

await checkBudget({
  name: '@gatehouse/react',
  entry: new URL('../src/index.tsx', import.meta.url),
  external: ['react', 'react/*', '@gatehouse/client'],
  budget: 1500,
});
