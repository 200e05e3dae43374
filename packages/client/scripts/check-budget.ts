/** Bundles the client as an adopter's build would, and fails when it exceeds its budget. */
import { checkBudget } from '../../../scripts/package-budget.ts';

/** 4 KB (README.md). */
await checkBudget({ name: '@gatehouse/client', entry: new URL('../src/index.ts', import.meta.url), budget: 4096 });
